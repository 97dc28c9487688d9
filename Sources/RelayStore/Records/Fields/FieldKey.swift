/// The interned identifier of a storage key in a store.
package struct FieldKey: Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
}

extension FieldKey {
  /// The members of a dumped record that are not fields. No field may have one of these names.
  package static let reservedNames: Set<String> = [
    "__id", "__typename", "__invalidated_at", "__errors",
  ]
}

/// The interned storage keys of a store.
package struct KeyTable {
  private var keys: [ByteString: FieldKey] = [:]
  private var texts: [String] = []
  private var areDroppable: [Bool] = []

  /// Returns the identifier of a storage key, interning the key if it is new.
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

  /// Returns the identifier of a storage key, or `nil` if the key is not interned.
  package func key(of storageKey: String) -> FieldKey? { keys[ByteString(storageKey)] }

  /// Whether the collector may remove fields with this key: those with arguments that are not
  /// handles. Their number is unbounded, and a server can return them again.
  func isDroppable(_ key: FieldKey) -> Bool { areDroppable[Int(key.rawValue)] }

  /// Returns the storage keys of the identifiers from one on.
  package func texts(from first: Int) -> [String] { Array(texts[min(first, texts.count)...]) }

  /// The number of storage keys.
  var count: Int { texts.count }

  /// Returns the storage key of an identifier.
  package func text(of key: FieldKey) -> String { texts[Int(key.rawValue)] }
}
