/// A value of a mailbox: one state of a changing value.
package protocol MailboxItem: Sendable {
  /// The revision of the state. It increases with every change.
  var revision: UInt64 { get }
  /// Returns whether a consumer that has received `other` must receive this value.
  func isDifferent(from other: Self) -> Bool
  /// Returns the value for a consumer that did not receive `skipped`.
  func replacing(_ skipped: Self?) -> Self
}

extension MailboxItem {
  package func replacing(_ skipped: Self?) -> Self { self }
}

extension RowSnapshot: MailboxItem {}

/// A buffer for the newest snapshot, between the store or a query's load and one consumer.
///
/// A newer snapshot replaces a pending one; an older one never does.
package final class Mailbox<Item: MailboxItem>: Sendable {
  private struct State {
    var pending: Item?
    /// The last snapshot that the consumer received.
    var lastReceived: Item?
    var newest: UInt64?
    /// The suspended tasks, in the order of their calls.
    var waiters: [CheckedContinuation<HandedOver?, Never>] = []
    var isClosed = false
    /// Whether the consumer is a recorder, which always calls ``next(isolation:)`` again.
    var isRecorder = false
    /// The value that a recorder has received, until it calls ``next(isolation:)`` again.
    var received: PendingDelivery?
  }

  /// A value for a waiting task, in flight until the task has it.
  private struct HandedOver: Sendable {
    let item: Item
    let delivery: PendingDelivery?
  }

  private let state = Locked(State(), rank: .consumer)
  private let deliveries: PendingDeliveries

  package init(_ deliveries: PendingDeliveries = PendingDeliveries()) {
    self.deliveries = deliveries
  }

  /// Stores a snapshot, or passes it to the waiting consumer.
  package func deliver(_ snapshot: Item) {
    let handOver = state.withLock { state -> (() -> Void)? in
      if state.isClosed || state.newest.map({ snapshot.revision <= $0 }) == true { return nil }
      state.newest = snapshot.revision
      // A change that was undone before the consumer received it is not delivered.
      let isNew = state.lastReceived.map(snapshot.isDifferent) ?? true
      if state.waiters.isEmpty || !isNew {
        state.pending = isNew ? snapshot.replacing(state.pending) : nil
        return nil
      }
      state.lastReceived = snapshot
      let delivery = deliveries.begin()
      if state.isRecorder { state.received = delivery }
      let value = HandedOver(item: snapshot, delivery: state.isRecorder ? nil : delivery)
      let waiter = state.waiters.removeFirst()
      return { waiter.resume(returning: value) }
    }
    handOver?()
  }

  /// Closes the mailbox: current and later calls of ``next(isolation:)`` return `nil`.
  package func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      state.received = nil
      state.pending = nil
      state.lastReceived = nil
      return state.waiters.drain()
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  /// Returns the newest snapshot that no call has returned yet, as soon as there is one; `nil` once
  /// closed.
  ///
  /// Cancelling the task closes the mailbox. Tasks that wait at the same time share the values.
  ///
  /// - Parameter isolation: The caller's actor, which the call does not leave. If a snapshot is
  ///   pending, the call returns it without suspending.
  package func next(isolation: isolated (any Actor)?) async -> Item? {
    let isRecorder = PendingDeliveries.isRecording
    if !Task.isCancelled, let item = state.withLock({ takePending(from: &$0, isRecorder) }) {
      return item
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let result = state.withLock { state -> HandedOver?? in
          if state.isClosed { return .some(nil) }
          if let pending = takePending(from: &state, isRecorder) {
            return HandedOver(item: pending, delivery: nil)
          }
          state.isRecorder = isRecorder
          state.received = nil
          state.waiters.append(continuation)
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }?.item
    } onCancel: {
      close()
    }
  }

  private func takePending(from state: inout State, _ isRecorder: Bool) -> Item? {
    guard let pending = state.pending else { return nil }
    state.pending = nil
    state.lastReceived = pending
    if isRecorder, state.received == nil { state.received = deliveries.begin() }
    return pending
  }
}
