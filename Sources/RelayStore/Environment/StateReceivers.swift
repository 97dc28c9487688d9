/// The receivers of a load's states, in registration order.
///
/// Guarded by the load's lock; they are called after it is released.
struct StateReceivers<State: Sendable> {
  /// A closure that receives a state; `nil` after the last one. Several threads may call it, so an
  /// older state can arrive after a newer one; compare their revisions.
  typealias Receiver = @Sendable (State?) -> Void

  private var receivers: [(id: UInt64, receive: Receiver)] = []
  private var lastID: UInt64 = 0
  /// The revision of the next state.
  private(set) var revision: UInt64 = 0
  private(set) var isEnded = false

  /// Adds a receiver of the later states.
  mutating func add(_ receiver: @escaping Receiver) -> UInt64 {
    lastID += 1
    if !isEnded { receivers.append((lastID, receiver)) }
    return lastID
  }

  /// Removes a receiver and returns it, so that it is released after unlocking.
  mutating func remove(_ id: UInt64) -> Receiver? {
    let index = receivers.firstIndex { $0.id == id }
    return index.map { receivers.remove(at: $0).receive }
  }

  /// Starts the delivery of a state, and returns its receivers.
  mutating func beginDelivery() -> [Receiver] {
    revision += 1
    return receivers.map(\.receive)
  }

  /// Removes all receivers, and returns them.
  mutating func end() -> [Receiver] {
    isEnded = true
    defer { receivers = [] }
    return receivers.map(\.receive)
  }
}

/// A mailbox that receives a load's states until it is deallocated.
final class StateSubscription<State: MailboxItem>: Sendable {
  let mailbox: Mailbox<State>
  private let unsubscribe: @Sendable () -> Void

  /// - Parameter load: The load to subscribe to; the subscription retains it.
  init(_ load: some StateSource<State>) {
    mailbox = Mailbox(load.deliveries)
    let (id, current) = load.subscribe { [mailbox] state in
      if let state { mailbox.deliver(state) } else { mailbox.close() }
    }
    unsubscribe = { load.unsubscribe(id) }
    mailbox.deliver(current)
  }

  deinit {
    unsubscribe()
    mailbox.close()
  }
}

/// A load whose states can be received.
protocol StateSource<Received>: Sendable {
  /// A state as its receivers see it.
  associatedtype Received: Sendable

  /// The pending deliveries of the load's store.
  var deliveries: PendingDeliveries { get }

  /// Adds a receiver of the later states.
  ///
  /// - Returns: The id to unsubscribe with, and the current state.
  func subscribe(
    _ receiver: @escaping StateReceivers<Received>.Receiver
  ) -> (id: UInt64, current: Received)

  func unsubscribe(_ id: UInt64)
}
