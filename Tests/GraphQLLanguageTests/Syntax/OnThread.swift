import Foundation

/// Runs `work` on a thread with a given stack size, and waits for its result.
func onThread(stackSize: Int, _ work: @escaping @Sendable () -> Bool) -> Bool {
  let result = ThreadResult()
  let thread = Thread { result.set(work()) }
  thread.stackSize = stackSize
  thread.start()
  return result.wait()
}

/// The result of another thread.
///
/// `@unchecked Sendable`: `value` is written before the semaphore is signalled, and read after
/// waiting for it.
private final class ThreadResult: @unchecked Sendable {
  private let isSet = DispatchSemaphore(value: 0)
  private var value = false

  func set(_ value: Bool) {
    self.value = value
    isSet.signal()
  }

  func wait() -> Bool {
    isSet.wait()
    return value
  }
}
