extension RecordStore {
  /// Creates a store whose base has the records of a dump, of either layer.
  ///
  /// Any dump can be restored, even a handmade one: its links may lead to records that are not in
  /// it. A dump contains neither fetch times nor retentions of operations. The store ignores the
  /// storage of the configuration.
  ///
  /// - Throws: ``RelayError`` with code `dump` and the path of the problem if the string is not a
  ///   dump.
  public convenience init(
    dump: String, configuration: Configuration = Configuration()
  ) throws {
    var restored = StoreState(configuration)
    restored.source = try DumpReader(dump, into: restored.source).source
    // There are no observers to notify yet.
    _ = restored.source.drainChanges(previousOverlay: [:])
    restored.source.replaced?.removeAll()
    self.init(restored, configuration: configuration)
  }

  /// The layer of the store that a dump contains.
  public enum Layer: Sendable {
    /// Server data and local updates.
    case base
    /// The base with the live optimistic updates applied.
    case visible
  }

  /// Returns the records as deterministic JSON in relay-runtime's shape, for tests and debugging.
  ///
  /// The result is one object with ids and fields sorted by their bytes. A link is `{"__ref": id}`,
  /// a list of links `{"__refs": […]}`, a deleted record `null`.
  public func dump(_ layer: Layer = .visible) -> String {
    state.withLock { StoreDump(source: $0.source, layer: layer).text }
  }
}
