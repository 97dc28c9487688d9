import RelayStore

extension RecordStore {
  /// Creates a store with the records of a snapshot file. The configuration's storage is ignored.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`.
  convenience init(_ loaded: LoadedImage, configuration: Configuration) throws {
    var configuration = configuration
    configuration.persistence = nil
    var state = StoreState(configuration)
    // There are no observers to notify yet.
    _ = try state.replaceRecords(by: loaded)
    self.init(state, configuration: configuration)
  }

  /// Takes the records that operations reach.
  ///
  /// - Complexity: O(*n*) in the links followed, with the store locked.
  func exportedRecords(of operations: [WrittenOperation], layer: Layer) -> ExportedRecords {
    withState { ExportedRecords(of: operations, in: &$0, layer: layer) }
  }

  /// Takes the records that operations reach, and calls a closure when one of them changes later.
  func exportedRecords(
    of operations: [WrittenOperation], layer: Layer, onChange receiver: InvalidationReceiver
  ) -> (records: ExportedRecords, watch: UInt64) {
    withState { state in
      let records = ExportedRecords(of: operations, in: &state, layer: layer)
      return (records, state.exports.add(records.reached, receiver))
    }
  }

  /// Ends the calls to a closure.
  func stopWatching(_ watch: UInt64) {
    afterUpdater { store in store.state.withLock { $0.exports.remove(watch) } }
  }

  /// Replaces all records with the records of a snapshot file. Optimistic updates are preserved,
  /// and observers are notified of differences.
  ///
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`; the store is then unchanged.
  func replaceRecords(by loaded: LoadedImage) throws {
    try checkNotInUpdater()
    let published = withState { state in Result { try state.replaceRecords(by: loaded) } }
    DeliveryQueue.deliver(try published.get().deliveries)
    log(.loaded(records: loaded.recordCount))
  }
}

extension StoreState {
  /// Replaces the records of the base.
  ///
  /// - Returns: The notifications of observers.
  /// - Throws: ``PersistenceFailure`` of kind `corrupt`; the store is then unchanged.
  mutating func replaceRecords(by loaded: LoadedImage) throws -> Published {
    var loaded = loaded
    _ = loaded.internNames(in: source.keys, limit: .max)
    // The end of loading ends the hold.
    collector.hold()
    do {
      var indexed: IndexedIDs?
      let attached = try attach(
        loaded, &indexed, generation: retention.generation, format: PersistenceFormat(cipher: nil),
        replacesRecords: true)
      guard let attached else { throw PersistenceFailure(.corrupt, "Its ids are inconsistent.") }
      return attached.published
    } catch {
      collector.endHold()
      throw error
    }
  }
}
