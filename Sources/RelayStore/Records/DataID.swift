/// The identity of a record in a store.
///
/// An object that has a usable `id` is known by it; one that has none by where it was reached
/// from: `client:<parent>:<storage key>`, with the position behind it in lists. Ids are compared
/// by their bytes, never by Unicode equivalence.
public struct DataID: Sendable {
  /// The id as it stands in a store dump.
  public let rawValue: String

  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The record at which every query starts.
  public static let root = DataID("client:root")

  /// Whether the store made this id up, as opposed to the server.
  public var isClientID: Bool { rawValue.utf8.starts(with: "client:".utf8) }

  /// The id of an object without one, below this record.
  ///
  /// - Parameters:
  ///   - storageKey: The field that leads to it.
  ///   - positions: Where it stands in the field's list, outermost first; empty for no list.
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

  /// The id of an object that is known by other fields than `id`: `Country:NL`.
  ///
  /// Of several values, `\` and `:` in them get a `\` before them.
  ///
  /// - Parameter keys: The values of the type's `keyFields`, in their order.
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

  /// The record that remembers which abstract types a concrete type satisfies.
  package static func typeSchema(_ typeName: String) -> DataID {
    DataID("client:__type:" + typeName)
  }

  /// Whether this is such a record.
  package var isTypeSchema: Bool { rawValue.utf8.starts(with: "client:__type:".utf8) }

  /// The type that such a record is of; `nil` for others.
  package var schemaTypeName: String? {
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
