/// The delivery of states to consumers and closures.
extension QueryLoad {
  /// The current state.
  var current: LoadState {
    if kind == .model { state.withLock { $0.observation }?.deliverWaiting() }
    return state.withLock { loadState($0) }
  }

  func deliver() {
    let (shown, consumers, closures) = state.withLock { state in
      state.version += 1
      return (
        loadState(state), Array(state.consumers.values),
        state.closures.isEmpty ? [] : state.closures.sorted { $0.key < $1.key }.map(\.value)
      )
    }
    for consumer in consumers { consumer.deliver(shown) }
    for closure in closures { closure(shown) }
  }

  /// Adds a consumer, with the current state in its mailbox.
  func subscribe() -> Mailbox<LoadState> {
    let mailbox = Mailbox<LoadState>(environment.store.deliveries)
    let (shown, isEnded) = state.withLock { state in
      if !state.isEnded { state.consumers[ObjectIdentifier(mailbox)] = mailbox }
      return (loadState(state), state.isEnded)
    }
    if isEnded { mailbox.close() } else { mailbox.deliver(shown) }
    return mailbox
  }

  func unsubscribe(_ mailbox: Mailbox<LoadState>) {
    mailbox.close()
    state.withLock { $0.consumers[ObjectIdentifier(mailbox)] = nil }
  }

  /// Calls a closure with every later state. Several threads may call it, so an older state can
  /// follow a newer one; compare their revisions.
  ///
  /// - Returns: The id to unsubscribe with, and the current state.
  func subscribe(
    _ closure: @escaping @Sendable (LoadState) -> Void
  ) -> (id: UInt64, current: LoadState) {
    if kind == .model { state.withLock { $0.observation }?.deliverWaiting() }
    return state.withLock { state in
      state.lastClosure += 1
      if !state.isEnded { state.closures[state.lastClosure] = closure }
      return (state.lastClosure, loadState(state))
    }
  }

  func unsubscribe(_ id: UInt64) {
    // The closure is returned so that it is released after unlocking.
    _ = state.withLock { $0.closures.removeValue(forKey: id) }
  }
}
