/// The identity of a record in a store.
///
/// An object with a usable `id` is identified by it. Any other object is identified by its path:
/// `client:<parent>:<storage key>`, followed by its indices in lists. Ids are compared byte by
/// byte, never by Unicode equivalence.
public struct DataID: Sendable {
  /// The id as a string, as it appears in a store dump.
  public let rawValue: String

  /// Creates an id from its string, as a server or a store dump spells it.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The id of the root record, where every query starts.
  public static let root = DataID("client:root")

  /// Whether the store, rather than the server, generated this id.
  public var isClientID: Bool { rawValue.utf8.starts(with: "client:".utf8) }

  /// Returns the id of an object without a usable id, below this record.
  ///
  /// - Parameters:
  ///   - storageKey: The storage key of the field that links to the object.
  ///   - positions: The object's indices in the field's list, outermost first; empty for a field
  ///     that is not a list.
  package func child(storageKey: String, positions: some Sequence<Int> = EmptyCollection())
    -> DataID
  {
    var text = isClientID ? rawValue : "client:" + rawValue
    text += ":"
    text += storageKey
    for position in positions {
      text += ":"
      text += String(position)
    }
    return DataID(text)
  }

  /// Creates the id of an object that is identified by fields other than `id`: `Country:NL`.
  ///
  /// With more than one key, each `\` and `:` in a key is escaped by a `\`.
  ///
  /// - Parameters:
  ///   - typeName: The name of the object's type.
  ///   - keys: The values of the type's `keyFields`, in their order.
  public init(typeName: String, keys: [String]) {
    let parts = keys.count < 2 ? keys : keys.map(Self.escaped)
    self.init(([typeName] + parts).joined(separator: ":"))
  }

  private static func escaped(_ key: String) -> String {
    var text = ""
    for scalar in key.unicodeScalars {
      if scalar == ":" || scalar == "\\" { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  /// Returns the id of the record that lists the abstract types of a concrete type.
  static func typeSchema(_ typeName: String) -> DataID {
    DataID("client:__type:" + typeName)
  }

  /// Whether this is the id of a type schema record.
  package var isTypeSchema: Bool { rawValue.utf8.starts(with: "client:__type:".utf8) }

  /// Returns the id of the record through which observers depend on a live derived field.
  ///
  /// - Parameters:
  ///   - field: `Type.field`.
  ///   - record: The record that has the field.
  ///   - owner: The fragment that the field is derived from.
  static func liveField(_ field: String, of record: DataID, owner: String) -> DataID {
    DataID("client:__live:\(record.rawValue):\(field):\(owner)")
  }

  /// Whether this is the id of a live derived field's record; see ``liveField(_:of:owner:)``.
  var isLiveField: Bool { rawValue.utf8.starts(with: "client:__live:".utf8) }

  /// The type whose type schema record has this id; `nil` for other ids.
  var schemaTypeName: String? {
    isTypeSchema ? String(rawValue.utf8.dropFirst("client:__type:".utf8.count)) : nil
  }
}

extension DataID: Hashable {
  public static func == (left: DataID, right: DataID) -> Bool {
    left.rawValue.hasSameBytes(as: right.rawValue)
  }

  public func hash(into hasher: inout Hasher) { rawValue.hashBytes(into: &hasher) }
}

extension DataID: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral value: String) { self.init(value) }
  public var description: String { rawValue }
}

extension DataID: Codable {
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
