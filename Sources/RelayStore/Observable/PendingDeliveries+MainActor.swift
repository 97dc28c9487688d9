import Dispatch

extension PendingDeliveries {
  /// Calls a closure on the main actor: at once where the main queue runs this, else soon, and counted until then.
  func onMainActor(_ body: @escaping @MainActor @Sendable () -> Void) {
    // The main thread tells nothing: on Linux the main queue may leave it.
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

/// What the main queue alone has a value for.
private let mainQueueKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()
