import Dispatch

extension DispatchQueue {
  /// Runs a closure on the queue and awaits its result without blocking the thread.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      async { continuation.resume(with: Result { try body() }) }
    }
  }
}
