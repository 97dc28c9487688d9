extension Snapshot: CustomStringConvertible, CustomReflectable {
  /// The data, followed by the properties that are set:
  /// `data: TodoRow_todo(id: "1"), missing: text, isOptimistic`.
  public var description: String {
    let notes = [
      missing.isEmpty ? nil : "missing: " + missing.map(\.description).joined(separator: ", "),
      pending.isEmpty ? nil : "pending: " + pending.map(\.description).joined(separator: ", "),
      errors.isEmpty ? nil : "errors: " + Self.text(errors.map { ($0.path, $0.message) }),
      responseErrors.isEmpty
        ? nil : "responseErrors: " + Self.text(responseErrors.map { ($0.path, $0.message) }),
      responseExtensions.isEmpty ? nil : "responseExtensions: \(responseExtensions)",
      isNotLoaded ? "isNotLoaded" : nil, isDeleted ? "isDeleted" : nil,
      isOptimistic ? "isOptimistic" : nil,
      isStale ? "isStale" : nil,
    ]
    let shown = data.map { String(describing: $0) } ?? "nil"
    return (["data: " + shown] + notes.compactMap(\.self)).joined(separator: ", ")
  }

  private static func text(_ errors: [(ResponsePath, String)]) -> String {
    errors.map { ($0.components.isEmpty ? "" : "\($0): ") + $1 }.joined(separator: ", ")
  }

  /// A mirror of the public properties, without the records that were read.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "data": data as Any, "missing": missing, "pending": pending, "errors": errors,
        "isNotLoaded": isNotLoaded, "isDeleted": isDeleted,
        "isOptimistic": isOptimistic, "isStale": isStale, "revision": revision,
        "responseErrors": responseErrors, "responseExtensions": responseExtensions,
      ], displayStyle: .struct)
  }
}
