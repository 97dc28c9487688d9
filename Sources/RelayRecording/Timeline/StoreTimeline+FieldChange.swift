public import RelayStore

extension StoreTimeline {
  /// A field that has changed.
  public struct FieldChange: Codable, Sendable, Hashable {
    /// The aspect of the field, or of the data, that has changed.
    public enum Aspect: String, Codable, Sendable {
      /// The value.
      case value
      /// The errors of the field.
      case error
      /// The data was missing before, and is there now.
      case arrived
      /// The data is missing, and was there before or is of an object that was not.
      case missing
      /// The record was deleted.
      case deleted
      /// The parts that have not arrived.
      case pending
      /// Another record, or whether it was loaded.
      case record
      /// An aspect that this version does not know.
      case other

      /// Decodes an aspect; one of a later version is ``other``.
      public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = Aspect(rawValue: text) ?? .other
      }
    }

    /// The record that has the field; `nil` if the data has no record there.
    public var record: DataID?
    /// The type of that record, if it is known.
    public var typeName: String?
    /// The field with its arguments, as in a store dump; `nil` if the change is of the whole record.
    public var field: String?
    /// The location in the data of an observer; `nil` for a change of a record in the store.
    public var path: ResponsePath?
    /// The part of the field that has changed.
    public var aspect: Aspect
    /// The value before as JSON, or ``redactedValue`` for any but null; `nil` if there was none.
    public var before: String?
    /// The value after as JSON, or ``redactedValue`` for any but null; `nil` if there is none.
    public var after: String?

    /// The text in place of a value that is redacted. It is not JSON, so no value has it.
    public static let redactedValue = "redacted"

    /// Returns the text of a redacted value.
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
  /// The aspect as the end of a line; empty for that of most changes.
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
