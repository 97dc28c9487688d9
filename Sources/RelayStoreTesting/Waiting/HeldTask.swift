import RelayStore

/// A task that waits at a gate or for a clock. It holds its request until it resumes.
final class HeldTask: Sendable {
  private let promise = Promise<Void>()
  /// The hold of the waiting request.
  private let hold = RequestHold.current

  /// Starts to hold the current task's request.
  init() { hold?.begin() }

  /// Resumes the task. Not called under a lock.
  func resume(with result: Result<Void, any Error> = .success(())) {
    hold?.end()
    promise.fulfill(result)
  }

  /// Waits until the task is resumed.
  ///
  /// - Parameter remove: Removes the task from the suspended ones, and returns whether it was one
  ///   of them. Called when the task is cancelled.
  /// - Throws: `CancellationError` if the task is cancelled before it is resumed.
  func wait(removing remove: @Sendable () -> Bool) async throws {
    try await withTaskCancellationHandler {
      try await promise.value
    } onCancel: {
      if remove() { resume(with: .failure(CancellationError())) }
    }
  }
}
