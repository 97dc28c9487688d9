import Foundation
import RelayStore
import Testing

@Suite("Locked values", .timeLimit(.minutes(1)))
struct LockedTests {
  @Test("a lock is held by the thread that is inside withLock, and only by that thread")
  func owner() {
    let lock = Locked(0)
    #expect(!lock.isHeldByThisThread)
    lock.withLock { _ in #expect(lock.isHeldByThisThread) }
    #expect(!lock.isHeldByThisThread)
  }

  #if !canImport(Darwin)
    @Test("isHeldByThisThread does not wait for another thread")
    func otherThread() {
      let lock = Locked(0)
      let (isLocked, mayUnlock) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let isUnlocked = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        lock.withLock { _ in
          isLocked.signal()
          // The limit makes the test fail instead of deadlocking.
          _ = mayUnlock.wait(timeout: .now() + 10)
        }
        isUnlocked.signal()
      }
      isLocked.wait()
      #expect(!lock.isHeldByThisThread)
      #expect(isUnlocked.wait(timeout: .now()) == .timedOut, "It has waited.")
      mayUnlock.signal()
    }
  #endif
}
