import RelayStore

extension DurableStorage {
  /// Creates a storage whose journal persists records with an engine.
  package init(_ makeEngine: @escaping @Sendable () -> any StorageEngine) {
    self.init(makeEngine, makeSource: { StoreJournal($0) })
  }
}
