import RelayStore

extension Persistence {
  /// Creates a storage whose journal persists records with an engine.
  package init(_ makeEngine: @escaping @Sendable () -> any PersistenceEngine) {
    self.init(makeEngine, makeSource: { Journal($0) })
  }
}
