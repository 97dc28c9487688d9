/// A normalized cache of GraphQL objects: records by id, links between them, and who is watching.
///
/// What can be seen is the base, which holds what servers and local updates have settled, under
/// the optimistic updates that are live. A store is used through a ``RelayEnvironment``; it may be
/// used from any thread, and every read is synchronous.
public final class RecordStore: Sendable {
  /// What a garbage collection did.
  public struct GarbageCollectionReport: Sendable, Hashable {
    /// Records that are gone.
    public let collected: Int
    /// Records that were kept.
    public let kept: Int
  }

  /// How this store behaves.
  public let configuration: Configuration
  let state: Locked<StoreState>
  /// The values on their way to consumers.
  package let deliveries = PendingDeliveries()
  /// What updaters have let go of, to be done once the store is free.
  private let waiting = Locked<[@Sendable (RecordStore) -> Void]>([], rank: .consumer)

  public init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
    state = Locked(StoreState(configuration), rank: .store)
  }

  /// A store with the records of a dump, of either layer, as its base.
  ///
  /// Any dump can be restored, also one written by hand: links may lead to records that are not in it.
  /// What a dump does not say is lost: when operations were fetched, and which are retained.
  ///
  /// - Throws: ``RelayError`` with code `dump` and the place when the text is not of a dump's shape.
  public init(dump: String, configuration: Configuration = Configuration()) throws {
    self.configuration = configuration
    var restored = StoreState(configuration)
    restored.source = try DumpReader(dump, into: restored.source).source
    // There is nobody to be told yet.
    _ = restored.source.takeChanges(lifted: [:])
    state = Locked(restored, rank: .store)
  }

  // MARK: Publishing

  /// Publishes changes and delivers what they changed; inside a callback of an observer, the deliveries wait until that
  /// has returned, see ``DeliveryQueue``.
  ///
  /// - Throws: The first error of an updater; or ``RelayError`` with code `update` when called
  ///   from inside one.
  ///
  /// - Parameter operation: That whose response is written, so that the store knows when it was.
  package func publish(_ changes: [Change], of operation: WrittenOperation? = nil) throws {
    try publish({ (changes, operation) }) { _ in }
  }

  /// Publishes the changes of a response and reads what they have led to, in one critical section.
  ///
  /// - Parameter decide: Returns the changes, and the operation whose fetch is recorded. Called with the
  ///   store locked, so that no other change comes between its decision and the write.
  /// - Throws: The error of `decide`, and then nothing is published; or as ``publish(_:of:)``.
  package func publish(
    thenRead id: DataID, _ plan: SelectionPlan, in scope: VariableScope,
    _ decide: () throws -> (changes: [Change], operation: WrittenOperation?)
  ) throws -> RowSnapshot {
    try publish(decide) { $0.read(id, plan, scope) }
  }

  private func publish<Result: Sendable>(
    _ decide: () throws -> (changes: [Change], operation: WrittenOperation?),
    then finish: (inout StoreState) -> Result
  ) throws -> Result {
    try checkIsFree()
    // The closures of optimistic updates that have ended are released here, after the lock.
    let outcome = withState { state in
      Swift.Result { () throws -> (StoreState.Published, Result) in
        let (changes, operation) = try decide()
        return (state.publish(changes.map(\.change), of: operation), finish(&state))
      }
    }
    let (published, result) = try outcome.get()
    DeliveryQueue.deliver(published.deliveries)
    runDeferred()
    collectIfDue()
    if let error = published.error { throw error }
    return result
  }

  /// Runs a closure and delivers only then, once, what changed in it.
  package func batch<Result>(_ body: () throws -> Result) throws -> Result {
    try checkIsFree()
    state.withLock { $0.openBatch() }
    defer { DeliveryQueue.deliver(withState { $0.closeBatch() }) }
    return try body()
  }

  /// - Throws: ``RelayError`` with code `update` inside an updater of this store.
  package func checkIsFree() throws {
    if state.isHeldByThisThread {
      throw RelayError(.update, "An update was started inside an updater; use its proxy instead.")
    }
  }

  /// Removes every record, retention and optimistic update, and notifies the observers.
  ///
  /// - Parameter body: Called with the store locked. The closure that it returns is called after the
  ///   observers were notified.
  package func reset(_ body: () -> @Sendable () -> Void = { {} }) {
    // The closures of optimistic updates that have ended are released here, after the lock.
    let (published, finish) = withState { ($0.reset(), body()) }
    DeliveryQueue.deliver(published.deliveries)
    finish()
  }

  /// Takes an optimistic update away.
  package func revert(_ number: UInt64) {
    afterUpdater { try? $0.publish([.revert(number)]) }
  }

  /// Does something with the state, then reports what is to be logged of it, unlocked.
  func withState<Result>(_ body: (inout StoreState) -> sending Result) -> sending Result {
    guard let log = configuration.log else { return state.withLock(body) }
    let result = state.withLock(body)
    for event in state.withLock({ $0.events.take() }) { log(event) }
    return result
  }

  /// Does something now; or, when an updater on this thread holds the store, once its publish is done: an updater may let
  /// go of the last reference to an iterator or a retention.
  func afterUpdater(_ body: @escaping @Sendable (RecordStore) -> Void) {
    guard state.isHeldByThisThread else { return body(self) }
    waiting.withLock { $0.append(body) }
    // For what holds the store otherwise than to publish: a derived function, a handler.
    Task.detached { [self] in runDeferred() }
  }

  private func runDeferred() {
    let bodies = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for body in bodies { body(self) }
  }

  /// One step of a publish.
  package struct Change {
    let change: StoreState.Change

    /// Writes a response, then runs its updater.
    package static func commit(
      _ payload: RecordPayload? = nil, root: DataID? = nil, updater: StoreUpdater? = nil
    ) -> Change { Change(change: .commit(payload, root: root, updater)) }

    /// Shows a response or an updater's changes until they are reverted.
    package static func apply(
      _ number: UInt64, _ payload: RecordPayload? = nil, root: DataID? = nil,
      updater: StoreUpdater? = nil
    ) -> Change {
      Change(
        change: .apply(
          .init(id: number, payload: payload, payloadRoot: root, updater: updater)))
    }

    /// Shows an updater's changes, over all others, in place of those of an update that is shown.
    package static func replace(_ number: UInt64, updater: @escaping StoreUpdater) -> Change {
      Change(change: .replace(.init(id: number, updater: updater)))
    }

    /// Takes an optimistic update away.
    package static func revert(_ number: UInt64) -> Change { Change(change: .revert(number)) }
  }

  /// A number for an optimistic update, or for the root of a response.
  package func makeNumber() -> UInt64 { state.withLock { $0.makeNumber() } }

  // MARK: Reading

  /// An operation's plan with this store's storage keys.
  package func bind(_ plan: SelectionPlan, _ variables: JSONObject) -> BoundPlan {
    state.withLock { $0.bind(plan, VariableScope(operation: variables), isRoot: true) }
  }

  package func read(_ id: DataID, _ plan: SelectionPlan, _ scope: VariableScope) -> RowSnapshot {
    withState { $0.read(id, plan, scope) }
  }

  /// Reads, and has later changes delivered until the subscription is dropped.
  package func subscribe(_ id: DataID, _ plan: SelectionPlan, _ scope: VariableScope)
    -> SnapshotSubscription
  {
    let mailbox = Mailbox<RowSnapshot>(deliveries)
    let (number, snapshot) = withState { $0.observe(id, plan, scope, .mailbox(mailbox)) }
    mailbox.deliver(snapshot)
    return SnapshotSubscription(mailbox: mailbox) { [self] in
      afterUpdater { store in
        store.state.withLock { $0.stopObserving(number) }
        store.collectIfDue()
      }
    }
  }

  /// Has later changes delivered to a closure until the observation is cancelled or dropped.
  package func observe(
    _ id: DataID, _ plan: SelectionPlan, _ scope: VariableScope,
    onChange: @escaping @Sendable (RowSnapshot) -> Void
  ) -> ObservationHandle {
    let receiver = ObservationReceiver(onChange)
    let number = withState { state in
      let (number, snapshot) = state.observe(id, plan, scope, .closure(receiver))
      receiver.start(with: snapshot)
      return number
    }
    return ObservationHandle(receiver: receiver) { [self] in
      afterUpdater { store in
        store.state.withLock { $0.stopObserving(number) }
        store.collectIfDue()
      }
    }
  }

  /// Sets the function of a derived field.
  package func derive(
    _ field: String, from fragment: SelectionPlan, _ function: @escaping Derivations.Function
  ) {
    afterUpdater { store in
      let derivations = store.state.withLock { state in
        let derivations = state.source.derivations ?? Derivations()
        state.source.derivations = derivations
        return derivations
      }
      derivations.register(field, of: fragment, function)
    }
  }

  // MARK: Retaining

  /// Keeps the records of an operation until what is returned is released or dropped.
  package func retain(_ identity: RequestIdentity, _ plan: BoundPlan, root: DataID) -> Retention {
    let generation = state.withLock { $0.retain(identity, plan, root: root) }
    return Retention { [self] in
      afterUpdater { store in
        store.state.withLock { $0.release(identity, of: generation) }
        store.collectIfDue()
      }
    }
  }

  /// Forgets every record that no retained operation, optimistic update or live observer needs.
  ///
  /// - Complexity: O(*n*) in the records of the store, which is held meanwhile.
  @discardableResult
  public func collectGarbage() -> GarbageCollectionReport {
    withState { $0.collectGarbage() }
  }

  /// Whether an operation's plan leads from the root to a record.
  package func reaches(_ id: DataID, _ plan: BoundPlan) -> Bool {
    state.withLock { state in
      var marked = RecordSet()
      Reachability.mark(from: state.index(of: .root), plan, in: state.source, into: &marked)
      return marked.contains(state.index(of: id))
    }
  }

  /// Whether an optimistic update that is shown has written a record that a plan reads.
  package func isWritten(
    byUpdate number: UInt64, _ id: DataID, _ plan: SelectionPlan, _ scope: VariableScope
  ) -> Bool {
    state.withLock { state in
      let written = state.written(byUpdate: number)
      if written.isEmpty { return false }
      let bound = state.bind(plan, scope)
      let seen = RecordReader.read(state.index(of: id), bound, from: state.source).seen
      return seen.contains { written.contains($0) }
    }
  }

  // MARK: Looking inside

  /// How many observers, retained operations and optimistic updates there are; all are 0 when
  /// everything was let go.
  public var statistics: Statistics {
    state.withLock {
      Statistics(
        observers: $0.observers.count + $0.replicas.count,
        retainedOperations: $0.retention.retainedCount,
        optimisticUpdates: $0.optimisticCount)
    }
  }

  /// What is held of a store.
  public struct Statistics: Sendable, Hashable {
    public var observers: Int
    public var retainedOperations: Int
    public var optimisticUpdates: Int

    /// Whether nothing is held.
    public var isEmpty: Bool { observers == 0 && retainedOperations == 0 && optimisticUpdates == 0 }
  }

  /// Which records a dump shows.
  public enum Layer: Sendable {
    /// What servers and local updates have settled.
    case base
    /// The base under the live optimistic updates.
    case visible
  }

  /// The records as deterministic JSON in relay-runtime's shape, for tests and debugging.
  ///
  /// One object; ids and fields in the order of their bytes; a link is `{"__ref": id}`, a list of
  /// links `{"__refs": […]}`, a deleted record `null`.
  public func dump(_ layer: Layer = .visible) -> String {
    state.withLock { StoreDump(source: $0.source, layer: layer).text }
  }
}
