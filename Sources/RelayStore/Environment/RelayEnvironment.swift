/// A store and a transport: the object through which an app reads, observes and changes data.
///
/// Reads are synchronous and may be made from any thread. An app usually has one environment for as
/// long as its user is signed in.
public final class RelayEnvironment: Sendable {
  /// The records.
  public let store: RecordStore
  /// The transport that sends operations.
  public let transport: any Transport
  /// The executions of operations that have not ended.
  package let executions: ExecutionTable
  /// The mutations that survive the end of the process; `nil` without an outbox.
  package let persistentMutations: (any PersistentMutations)?
  /// The tracing of requests; `nil` without a timeline and telemetry.
  let tracing: RequestTracing?
  /// The values that other modules attach to the environment.
  package let attachments = Attachments()
  /// The plans that read the ends of connections' lists: their cursors, and whether more follows.
  let connectionEnds = ConnectionEndsPlans()

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - store: The records; a new, empty store by default.
  ///   - transport: The transport that sends operations.
  ///   - telemetry: The hook that is called with a span for each operation; `nil` for none.
  public convenience init(
    store: RecordStore = RecordStore(), transport: any Transport, telemetry: Telemetry? = nil
  ) {
    self.init(store: store, transport: transport, telemetry: telemetry) { _ in nil }
  }

  /// Creates an environment, with an outbox if `makePersistentMutations` returns one.
  ///
  /// - Parameter makePersistentMutations: Called with the tracing of the outbox's requests.
  package init(
    store: RecordStore, transport: any Transport, telemetry: Telemetry?,
    makePersistentMutations: (RequestTracing?) -> (any PersistentMutations)?
  ) {
    self.store = store
    self.transport = transport
    tracing = RequestTracing(store, telemetry)
    persistentMutations = makePersistentMutations(tracing)
    executions = ExecutionTable(store.deliveries, models: store.models, tracing: tracing)
  }

  /// The clock of time limits and polls.
  package var clock: any Clock<Duration> { store.configuration.clock }

  /// Removes all data, for example after a logout. The store is then like a new, empty one.
  ///
  /// Cancels every operation in flight; a response that still arrives is not written. Removes
  /// optimistic updates, retentions of operations and all records. Observers remain and receive one
  /// snapshot with everything missing. Models remain, without data or error. Loads of queries
  /// remain, without data; they have the error `cancelled` if a request was in flight, and retain
  /// their query again with their next request. When a call on the main actor returns, the models
  /// are already empty.
  ///
  /// A call inside an updater of this store takes effect after the updater ends. A call inside its
  /// log while a response is written takes effect after that.
  ///
  /// The call blocks until the persisted data is durably marked as wiped on the disk. That data is
  /// removed in the background, or when it is opened next. Use ``wipe()`` to wait for the removal.
  ///
  /// - Complexity: O(*n*) in the records of the store.
  public func reset() {
    store.afterUpdater { [executions, persistentMutations] store in
      store.reset { executions.reset() }
      if let persistentMutations { persistentMutations.reset() } else { store.markLeftOutbox() }
      store.collectGarbage()
    }
  }

  /// Removes all data, as ``reset()`` does, and the files of the store's storage, for example when
  /// a user signs out. The disk is not written to during the call, and after it only when there is
  /// new data.
  ///
  /// - Throws: ``RelayError`` with code `persistence` if the files could not be removed; they are
  ///   marked, and removed when they are opened next.
  public func wipe() async throws {
    reset()
    // The records are removed even if the outbox cannot be.
    await persistentMutations?.wait()
    try await store.wipe()
    if let persistentMutations {
      try await persistentMutations.waitForReset()
    } else {
      try await store.wipeLeftOutbox()
    }
  }
}
