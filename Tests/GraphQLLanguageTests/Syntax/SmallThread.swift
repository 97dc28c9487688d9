import Foundation

/// Runs work on a thread with a stack of a given size, and waits for its answer.
func onThread(stackSize: Int, _ work: @escaping @Sendable () -> Bool) -> Bool {
  let answer = Answer()
  let thread = Thread { answer.set(work()) }
  thread.stackSize = stackSize
  thread.start()
  return answer.wait()
}

/// `@unchecked Sendable`: the value is written before the semaphore is signalled and read after.
private final class Answer: @unchecked Sendable {
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
