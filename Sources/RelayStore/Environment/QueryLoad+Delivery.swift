/// Delivery of the load's states.
extension QueryLoad: StateSource {
  /// The current state.
  var current: LoadState {
    updateFromStore()
    return state.withLock { loadState($0) }
  }

  var deliveries: PendingDeliveries { environment.store.deliveries }

  func deliver() {
    let (receivers, shown) = state.withLock { state in
      (state.receivers.beginDelivery(), loadState(state))
    }
    for receive in receivers { receive(shown) }
  }

  func subscribe(
    _ receiver: @escaping StateReceivers<LoadState>.Receiver
  ) -> (id: UInt64, current: LoadState) {
    updateFromStore()
    let (id, current, isEnded) = state.withLock { state in
      (state.receivers.add(receiver), loadState(state), state.isEnded)
    }
    if isEnded { receiver(nil) }
    return (id, current)
  }

  func unsubscribe(_ id: UInt64) { _ = state.withLock { $0.receivers.remove(id) } }

  /// Delivers the row that is waiting for the main actor, if this is a model's load.
  private func updateFromStore() {
    if kind == .model { state.withLock { $0.observation }?.deliverWaiting() }
  }
}
