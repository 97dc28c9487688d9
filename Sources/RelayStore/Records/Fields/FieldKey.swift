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
///
/// A key is never removed, so a reader may intern one while the store changes.
package final class KeyTable: Sendable {
  private struct State {
    var keys: [ByteString: FieldKey] = [:]
    var texts: [String] = []
    var areDroppable: [Bool] = []
  }

  private let state = Locked(State(), rank: .leaf)

  /// Returns the identifier of a storage key, interning the key if it is new.
  package func intern(_ storageKey: String) -> FieldKey {
    let text = ByteString(storageKey)
    return state.withLock { state in
      if let key = state.keys[text] { return key }
      let key = FieldKey(rawValue: UInt32(state.texts.count))
      state.keys[text] = key
      state.texts.append(storageKey)
      let isHandle = storageKey.utf8.starts(with: "__".utf8)
      state.areDroppable.append(!isHandle && storageKey.utf8.contains(UInt8(ascii: "(")))
      return key
    }
  }

  /// Returns the identifier of a storage key; `nil` if the key is not interned.
  package func key(of storageKey: String) -> FieldKey? {
    state.withLock { $0.keys[ByteString(storageKey)] }
  }

  /// Returns the keys whose fields the collector may remove: keys with arguments, except handles.
  /// Their number is unbounded, and a server can return the fields again.
  func droppable(among keys: some Sequence<FieldKey>) -> [FieldKey] {
    let areDroppable = state.withLock { $0.areDroppable }
    return keys.filter { areDroppable[Int($0.rawValue)] }
  }

  /// Returns the storage keys of the identifiers from `first` on.
  package func texts(from first: Int) -> [String] {
    state.withLock { Array($0.texts[min(first, $0.texts.count)...]) }
  }

  /// Returns the storage key of an identifier.
  package func text(of key: FieldKey) -> String { state.withLock { $0.texts[Int(key.rawValue)] } }
}
