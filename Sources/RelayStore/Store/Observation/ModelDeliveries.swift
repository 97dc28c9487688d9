import Dispatch

/// The deliveries to models, made on the main actor in turns.
///
/// A commit adds its snapshots while the store is locked, in one critical section. A turn takes all
/// earlier deliveries, also in one critical section. After it, all models have the changes of the
/// same commits:
///
/// - A commit on the main actor takes a turn before it returns.
/// - A commit on another thread schedules a turn. While the response of an execution is being
///   committed, scheduled turns wait, so that one turn changes the data and the loading state.
///
/// The events of subscriptions are delivered at the end of a turn: when a model receives an event,
/// all models have the event's changes to the store.
///
/// The lock guards the queue. It has the rank of a consumer, and is taken inside the store's lock
/// and around the lock of ``PendingDeliveries``. Receivers and closures are called after it is
/// released.
package final class ModelDeliveries: Sendable {
  private enum Item: Sendable {
    case snapshot(RowSnapshot, to: ObservationReceiver)
    case rows(ReplicaChanges, to: ReplicaModel)
    case call(@MainActor @Sendable () -> Void)
    case events(upTo: Int, to: EventReceiver)
  }

  private struct State {
    /// The pending deliveries, in insertion order.
    var items: [Item] = []
    /// Counts one value in flight while there are items.
    var delivery: PendingDelivery?
    /// Whether a turn is in the main queue.
    var isScheduled = false
    /// The number of executions that are committing.
    var holds = 0
    /// The number of calls of ``deferring(_:)`` that have not returned.
    var deferrals = 0

    /// Returns the snapshot that waits for a receiver. The receiver stores its position, possibly
    /// from an earlier turn.
    func snapshot(for receiver: ObservationReceiver) -> RowSnapshot? {
      guard receiver.waitingPosition < items.count,
        case .snapshot(let snapshot, let other) = items[receiver.waitingPosition],
        other === receiver
      else { return nil }
      return snapshot
    }
  }

  private let state = Locked(State(), rank: .consumer)
  private let pending: PendingDeliveries

  init(_ pending: PendingDeliveries = PendingDeliveries()) { self.pending = pending }

  // MARK: Adding

  /// Adds the snapshots for models. Call this with the store locked.
  ///
  /// - Returns: The other deliveries. A delivery that takes or schedules a turn precedes them if
  ///   deliveries to models are pending.
  func add(_ deliveries: [Delivery]) -> [Delivery] {
    var others = deliveries
    // The replaced snapshots are released after the lock.
    var replaced: [RowSnapshot] = []
    let isEmpty = state.withLock { state in
      others.removeAll { delivery in
        switch delivery {
        case .model(let snapshot, let receiver):
          if let old = add(snapshot, to: receiver, in: &state) { replaced.append(old) }
        case .modelReplica(let changes, let model): add(changes, to: model, in: &state)
        default: return false
        }
        return true
      }
      return state.items.isEmpty
    }
    return isEmpty ? others : [.models(self)] + others
  }

  /// Adds a snapshot, replacing the one that waits for the receiver.
  ///
  /// - Returns: The replaced snapshot, if there was one.
  private func add(
    _ snapshot: RowSnapshot, to receiver: ObservationReceiver, in state: inout State
  ) -> RowSnapshot? {
    let old = state.snapshot(for: receiver)
    if old == nil {
      receiver.waitingPosition = state.items.count
      append(.snapshot(snapshot, to: receiver), in: &state)
    } else {
      state.items[receiver.waitingPosition] = .snapshot(snapshot.replacing(old), to: receiver)
    }
    return old
  }

  /// Adds the changes of a replica to the changes that wait for the model.
  private func add(_ changes: ReplicaChanges, to model: ReplicaModel, in state: inout State) {
    let position = model.waitingPosition
    guard position < state.items.count, case .rows(var waiting, let other) = state.items[position],
      other === model
    else {
      model.waitingPosition = state.items.count
      return append(.rows(changes, to: model), in: &state)
    }
    // The item is emptied first, so that the changes are not copied.
    state.items[position] = .rows(ReplicaChanges(), to: model)
    waiting.formUnion(changes)
    state.items[position] = .rows(waiting, to: model)
  }

  private func append(_ item: Item, in state: inout State) {
    if state.items.isEmpty { state.delivery = pending.begin() }
    state.items.append(item)
  }

  /// Calls `body` on the main actor: immediately if the main queue is current, otherwise in the
  /// next turn.
  func onMainActor(_ body: @escaping @MainActor @Sendable () -> Void) {
    if changesModels { return MainActor.assumeIsolated { body() } }
    state.withLock { append(.call(body), in: &$0) }
    schedule()
  }

  /// Adds the events of a subscription up to an ordinal, for the end of the next turn. The turn is
  /// taken immediately if the main queue is current.
  func addEvents(upTo ordinal: Int, to receiver: EventReceiver) {
    state.withLock { state in
      let position = receiver.waitingPosition
      if position < state.items.count, case .events(let last, let other) = state.items[position],
        other === receiver
      {
        state.items[position] = .events(upTo: max(ordinal, last), to: receiver)
      } else {
        receiver.waitingPosition = state.items.count
        append(.events(upTo: ordinal, to: receiver), in: &state)
      }
    }
    DeliveryQueue.deliver([.models(self)])
  }

  // MARK: Turns

  /// Takes a turn if the main queue is current, otherwise schedules one.
  func deliver() {
    if !changesModels { return schedule() }
    let (items, delivery) = state.withLock { state in
      defer { (state.items, state.delivery) = ([], nil) }
      return (state.items, state.delivery)
    }
    if items.isEmpty { return }
    defer { withExtendedLifetime(delivery) {} }
    MainActor.assumeIsolated {
      for item in items {
        switch item {
        case .snapshot(let snapshot, let receiver): receiver.deliverInTurn(snapshot)
        case .rows(let changes, let model): model.apply(changes)
        case .call(let body): body()
        case .events: break
        }
      }
      for case .events(let ordinal, let receiver) in items { receiver.receive(ordinal) }
    }
  }

  /// Delivers the snapshot that waits for a receiver, if there is one, before its turn. The turn
  /// then ignores it.
  func deliverWaiting(of receiver: ObservationReceiver) {
    let snapshot = state.withLock { $0.snapshot(for: receiver) }
    if let snapshot { receiver.deliverInTurn(snapshot) }
  }

  /// Whether the calling thread may change models now.
  private var changesModels: Bool {
    // Comparing threads would not do, because on Linux the main queue may run on another thread.
    // Code on the main queue is isolated to the main actor, whose executor is that queue, so
    // `assumeIsolated` does not trap.
    DispatchQueue.getSpecific(key: mainQueueKey) == true && state.withLock { $0.deferrals == 0 }
  }

  /// Schedules a turn, unless one is scheduled or an execution is committing.
  private func schedule() {
    let starts = state.withLock { state in
      if state.items.isEmpty || state.isScheduled || state.holds > 0 { return false }
      state.isScheduled = true
      return true
    }
    guard starts else { return }
    // The main queue runs the turn before any main-actor job that is enqueued from now on, such as
    // the resumption of a caller's `await`. A task would not guarantee this order.
    DispatchQueue.main.async { [self] in
      let isHeld = state.withLock { state in
        state.isScheduled = false
        return state.holds > 0
      }
      if !isHeld { DeliveryQueue.deliver([.models(self)]) }
    }
  }

  /// Delays scheduled turns until ``release()``.
  func hold() { state.withLock { $0.holds += 1 } }

  /// Ends the delay of one call of ``hold()``.
  func release() {
    state.withLock { $0.holds -= 1 }
    schedule()
  }

  /// Runs a closure that may be called while a view is drawn: on the main actor, no model changes
  /// before it has returned.
  func deferring<Result>(_ body: () -> Result) -> Result {
    guard DispatchQueue.getSpecific(key: mainQueueKey) == true else { return body() }
    state.withLock { $0.deferrals += 1 }
    defer {
      state.withLock { $0.deferrals -= 1 }
      schedule()
    }
    return body()
  }
}

/// The receiver of a subscription's events in a model.
///
/// `@unchecked Sendable`: ``waitingPosition`` is accessed only under the lock of
/// ``ModelDeliveries``.
final class EventReceiver: @unchecked Sendable {
  /// Receives the events up to an ordinal. The events are still in their buffer.
  let receive: @MainActor @Sendable (_ ordinal: Int) -> Void
  /// The position of the events that wait for a turn.
  fileprivate var waitingPosition = 0

  init(_ receive: @escaping @MainActor @Sendable (_ ordinal: Int) -> Void) {
    self.receive = receive
  }
}

/// A key set only on the main queue.
private let mainQueueKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()
