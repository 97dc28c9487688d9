public import RelayStore

extension StoreTimeline {
  /// A changed field.
  public struct FieldChange: Codable, Sendable, Hashable {
    /// The aspect of the field, or of the data, that changed.
    public enum Aspect: String, Codable, Sendable {
      /// The value.
      case value
      /// The errors of the field.
      case error
      /// The data was missing before and is now present.
      case arrived
      /// The data is now missing: it was present before, or its object is new.
      case missing
      /// The record was deleted.
      case deleted
      /// The pending parts.
      case pending
      /// A different record, or whether it is loaded.
      case record
      /// An aspect unknown to this version.
      case other

      /// Decodes an aspect. An aspect of a later version becomes ``other``.
      public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = Aspect(rawValue: text) ?? .other
      }
    }

    /// The record that has the field; `nil` if the data at the path has no record.
    public var record: DataID?
    /// The type of that record, if it is known.
    public var typeName: String?
    /// The field with its arguments, as in a store dump; `nil` for a change of the entire record.
    public var field: String?
    /// The path in an observer's data; `nil` for a change of a record in the store.
    public var path: ResponsePath?
    /// The aspect of the field that changed.
    public var aspect: Aspect
    /// The value before the change as JSON, or ``redactedValue`` for any non-null value; `nil` if
    /// the field had no value.
    public var before: String?
    /// The value after the change as JSON, or ``redactedValue`` for any non-null value; `nil` if
    /// the field has no value.
    public var after: String?

    /// The placeholder for a redacted value. Not valid JSON, so it never equals a value.
    public static let redactedValue = "redacted"

    /// Returns the string for a redacted value.
    static func redacted(_ isNull: Bool) -> String { isNull ? "null" : redactedValue }

    package init(
      record: DataID? = nil, typeName: String? = nil, field: String? = nil,
      path: ResponsePath? = nil, aspect: Aspect = .value, before: String? = nil,
      after: String? = nil
    ) {
      (self.record, self.typeName, self.field) = (record, typeName, field)
      (self.path, self.aspect, self.before, self.after) = (path, aspect, before, after)
    }
  }
}

extension StoreTimeline.FieldChange: CustomStringConvertible {
  /// The change on one line, without values: `feed[0].text: text of Todo "1"`.
  public var description: String {
    let owner = [typeName, record.map { "\"\($0)\"" }].compactMap(\.self).joined(separator: " ")
    let subject = [field, owner.isEmpty ? nil : owner].compactMap(\.self).joined(separator: " of ")
    let text = [subject, aspect.words].filter { !$0.isEmpty }.joined(separator: " ")
    return path.map { "\($0): \(text)" } ?? text
  }
}

extension StoreTimeline.FieldChange.Aspect {
  /// The aspect as the end of a line; empty for the most common one.
  fileprivate var words: String {
    switch self {
    case .value: ""
    case .error: "errors changed"
    case .arrived: "arrived"
    case .missing: "now missing"
    case .deleted: "deleted"
    case .pending: "pending parts changed"
    case .record: "record changed"
    case .other: "changed"
    }
  }
}
