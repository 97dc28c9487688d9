public import RelayStore

extension RelayEnvironment {
  /// Returns the store's recorded events and its contents: events with their causes, records,
  /// optimistic layers, observers and operations.
  ///
  ///     let store = RecordStore(configuration: .init(timeline: .init(eventLimit: 5_000)))
  ///     let environment = RelayEnvironment(store: store, transport: transport)
  ///     …
  ///     try JSONEncoder().encode(environment.timeline()).write(to: file)
  ///
  /// Without ``/RelayStore/RecordStore/Configuration/timeline`` the result has no events.
  ///
  /// - Parameters:
  ///   - redactingValues: Whether scalars, variables, responses, the arguments in storage keys and
  ///     the messages of errors are redacted. Ids of records and names are always included.
  ///   - recordLimit: The maximum number of base records.
  /// - Complexity: O(*n*) in the records of the store and the recorded changes. The store is locked
  ///   in the meantime.
  public func timeline(redactingValues: Bool = true, recordLimit: Int = 100_000) -> StoreTimeline {
    timeline(redacting: redactingValues ? .all : .none, recordLimit: recordLimit)
  }

  /// Returns the store's recorded events and its contents without some values.
  ///
  /// - Parameters:
  ///   - redaction: The values that are left out.
  ///   - recordLimit: The maximum number of base records.
  /// - Complexity: As of `timeline(redactingValues:recordLimit:)`.
  public func timeline(
    redacting redaction: StoreTimeline.Redaction, recordLimit: Int = 100_000
  ) -> StoreTimeline {
    var timeline = store.timeline(redacting: redaction, recordLimit: recordLimit)
    explainMissing(in: &timeline, redaction)
    return timeline
  }
}
