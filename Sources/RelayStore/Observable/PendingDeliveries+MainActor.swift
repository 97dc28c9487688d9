import Dispatch

extension PendingDeliveries {
  /// Calls a closure on the main actor: immediately if the main queue is current, otherwise
  /// asynchronously. The call counts as in flight until it has returned.
  func onMainActor(_ body: @escaping @MainActor @Sendable () -> Void) {
    // Comparing threads would not do, because on Linux the main queue may run on another thread.
    // Code on the main queue is isolated to the main actor, whose executor is that queue, so
    // `assumeIsolated` does not trap.
    if DispatchQueue.getSpecific(key: mainQueueKey) == true {
      MainActor.assumeIsolated { body() }
      return
    }
    begin()
    Task { @MainActor in
      body()
      end()
    }
  }
}

/// A key for which only the main queue has a value.
private let mainQueueKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()
