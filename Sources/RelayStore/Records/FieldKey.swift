/// The number a store gives a storage key.
package struct FieldKey: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
}

extension FieldKey {
  /// The members of a record in a dump that are no fields: no field may have such a name.
  package static let reservedNames: Set<String> = [
    "__id", "__typename", "__invalidated_at", "__errors",
  ]
}

/// The storage keys a store knows and their numbers.
package struct KeyTable {
  private var keys: [ByteString: FieldKey] = [:]
  private var texts: [String] = []
  private var areDroppable: [Bool] = []

  /// The number of a storage key, a new one if it has none.
  package mutating func intern(_ storageKey: String) -> FieldKey {
    let text = ByteString(storageKey)
    if let key = keys[text] { return key }
    let key = FieldKey(rawValue: UInt32(texts.count))
    keys[text] = key
    texts.append(storageKey)
    let isHandle = storageKey.utf8.starts(with: "__".utf8)
    areDroppable.append(!isHandle && storageKey.utf8.contains(UInt8(ascii: "(")))
    return key
  }

  /// The number of a storage key, if it has one.
  package func key(of storageKey: String) -> FieldKey? { keys[ByteString(storageKey)] }

  /// Whether a key is one of those of which there can be any number, and that a server can give again: of a field
  /// with arguments that is no handle.
  package func isDroppable(_ key: FieldKey) -> Bool { areDroppable[Int(key.rawValue)] }

  /// The storage key behind a number.
  package func text(of key: FieldKey) -> String { texts[Int(key.rawValue)] }
}
