import RelayStore

/// A task that waits in a gate or for a clock. It holds its request until it goes on.
final class HeldTask: Sendable {
  private let promise = Promise<Void>()
  /// The hold of the request that waits.
  private let hold = RequestHold.current

  /// Begins the hold of the current task's request.
  init() { hold?.begin() }

  /// Lets the task go on. Not called under a lock.
  func resume(with result: Result<Void, any Error> = .success(())) {
    hold?.end()
    promise.fulfill(result)
  }

  /// Waits until the task goes on.
  ///
  /// - Parameter remove: Removes the task from those that are resumed, and returns whether it was
  ///   among them. Called when the task is cancelled.
  /// - Throws: `CancellationError` when the task is cancelled before it goes on.
  func wait(removing remove: @Sendable () -> Bool) async throws {
    try await withTaskCancellationHandler {
      try await promise.value
    } onCancel: {
      if remove() { resume(with: .failure(CancellationError())) }
    }
  }
}
