extension StoreTimeline {
  /// A field that has changed.
  public struct FieldChange: Codable, Sendable, Hashable {
    /// The aspect of the field, or of the data, that has changed.
    public enum Aspect: String, Codable, Sendable {
      /// The value.
      case value
      /// The errors of the field.
      case error
      /// Whether the field is missing.
      case missing
      /// The parts that have not arrived.
      case pending
      /// Whether the record exists, or was loaded.
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
    /// The value before as JSON; `nil` if there was none, or values are redacted.
    public var before: String?
    /// The value after as JSON; `nil` if there is none, or values are redacted.
    public var after: String?

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
    let text = path.map { "\($0): \(subject)" } ?? subject
    return aspect == .value ? text : "\(text) (\(aspect.rawValue))"
  }
}
