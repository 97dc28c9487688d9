/// What a mailbox holds: a state of something that changes.
package protocol MailboxItem: Sendable {
  /// Counts the states; a later one has a larger number.
  var revision: UInt64 { get }
  /// Whether someone who knows the other has to be told of this.
  func isDifferent(from other: Self) -> Bool
}

extension RowSnapshot: MailboxItem {}

/// One place for the newest snapshot, between the store, or the load of a query, and one consumer.
///
/// A snapshot that was not taken is replaced by a newer one, never lost; an older one never
/// replaces it.
package final class Mailbox<Item: MailboxItem>: Sendable {
  private struct State {
    var pending: Item?
    /// What the consumer got last.
    var taken: Item?
    var newest: UInt64?
    /// Those who wait, the first come first.
    var waiters: [CheckedContinuation<Item?, Never>] = []
    var isClosed = false
    /// Whether the consumer is a recorder, which always comes back.
    var isRecorder = false
    /// Whether a recorder has not come back from the value that it got last.
    var isBusy = false
  }

  private let state = Locked(State(), rank: .consumer)
  private let deliveries: PendingDeliveries

  package init(_ deliveries: PendingDeliveries = PendingDeliveries()) {
    self.deliveries = deliveries
  }

  /// Puts a snapshot in, or hands it to the consumer that waits.
  package func deliver(_ snapshot: Item) {
    let waiter = state.withLock { state -> CheckedContinuation<Item?, Never>? in
      if state.isClosed || state.newest.map({ snapshot.revision <= $0 }) == true { return nil }
      state.newest = snapshot.revision
      // What changed and changed back before the consumer looked is no news.
      let isNews = state.taken.map(snapshot.isDifferent) ?? true
      if state.waiters.isEmpty || !isNews {
        state.pending = isNews ? snapshot : nil
        return nil
      }
      state.taken = snapshot
      state.isBusy = state.isRecorder
      deliveries.begin()
      return state.waiters.removeFirst()
    }
    waiter?.resume(returning: snapshot)
  }

  /// Ends the consumer's wait, now and for ever.
  package func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      end(&state)
      state.pending = nil
      state.taken = nil
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  /// Notes that a recorder has come back from the value that it got last.
  private func end(_ state: inout State) {
    guard state.isBusy else { return }
    state.isBusy = false
    deliveries.end()
  }

  /// The newest snapshot that was not taken yet, as soon as there is one; `nil` once closed.
  ///
  /// Cancelling the task closes the mailbox. Tasks that wait at the same time share what comes.
  package func take(isolation: isolated (any Actor)?) async -> Item? {
    await withTaskCancellationHandler {
      var isHandedOver = false
      let isRecorder = PendingDeliveries.isRecording
      let item = await withCheckedContinuation(isolation: isolation) { continuation in
        let result = state.withLock { state -> Item?? in
          if state.isClosed { return .some(nil) }
          if let pending = state.pending {
            state.pending = nil
            state.taken = pending
            if isRecorder, !state.isBusy {
              state.isBusy = true
              deliveries.begin()
            }
            return pending
          }
          state.isRecorder = isRecorder
          end(&state)
          state.waiters.append(continuation)
          return nil
        }
        isHandedOver = result == nil
        if let result { continuation.resume(returning: result) }
      }
      if isHandedOver, !isRecorder, item != nil { deliveries.end() }
      return item
    } onCancel: {
      close()
    }
  }
}
