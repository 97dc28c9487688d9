import RelayStore

/// The differences between two dumps of a store, for tests that assert the effect of an update.
///
///     let before = store.dump()
///     try environment.commitUpdate(rename)
///     let difference = try StoreDifference(from: before, to: store.dump())
///     #expect(difference.lines == [#"1.name: "Ada" → "Eve""#])
///
/// Each line is one difference: an added record (`+ id {fields}`), a missing record (`- id`), a
/// deleted record (`x id`), or a field that differs (`id.field: before → after`, with `absent` for
/// a missing field). Lines are ordered by id and field.
public struct StoreDifference: Sendable, Equatable, CustomStringConvertible {
  /// The differences, ordered by id and field.
  public let lines: [String]

  /// Whether the dumps are equal.
  public var isEmpty: Bool { lines.isEmpty }

  /// The lines as a single string.
  public var description: String { lines.joined(separator: "\n") }

  /// Compares two dumps.
  ///
  /// - Throws: ``/RelayStore/RelayError`` if one of them is not JSON.
  public init(from old: String, to new: String) throws {
    let old = try JSONValue(parsing: Array(old.utf8)).object ?? [:]
    let new = try JSONValue(parsing: Array(new.utf8)).object ?? [:]
    lines = Self.keys(old, new).flatMap { id in Self.lines(for: id, from: old[id], to: new[id]) }
  }

  private static func keys(_ old: JSONObject, _ new: JSONObject) -> [String] {
    let added = new.keys.filter { old[$0] == nil }
    return (old.keys + added).sorted(byBytes: \.self)
  }

  private static func lines(
    for id: String, from old: JSONValue?, to new: JSONValue?
  ) -> [String] {
    if old == new { return [] }
    switch (old, new) {
    case (_, nil): return ["- \(id)"]
    case (_, .null?): return ["x \(id)"]
    case (.object(let old)?, .object(let new)?):
      return keys(old, new).compactMap { key in
        if old[key] == new[key] { return nil }
        return "\(id).\(key): \(text(old[key])) → \(text(new[key]))"
      }
    case (_, let new?): return ["+ \(id) \(new)"]
    }
  }

  private static func text(_ value: JSONValue?) -> String { value?.description ?? "absent" }
}
