import Dispatch
import RelayStore

/// A value that another thread computes.
///
/// `@unchecked Sendable`: the value is written before the group is left, and read after that.
final class ConcurrentResult<Value>: @unchecked Sendable {
  private let group = DispatchGroup()
  private var result: Value?

  /// Begins to compute a value.
  init(_ body: @escaping @Sendable () -> sending Value) {
    DispatchQueue.global(qos: .userInitiated).async(group: group) { self.result = body() }
  }

  /// Waits for the value.
  func wait() -> Value? {
    group.wait()
    return result
  }
}
