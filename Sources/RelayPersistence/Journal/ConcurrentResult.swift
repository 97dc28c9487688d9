import Dispatch
import RelayStore

/// A value computed on another thread.
///
/// `@unchecked Sendable`: the value is written before the group is left and read after that.
final class ConcurrentResult<Value>: @unchecked Sendable {
  private let group = DispatchGroup()
  private var result: Value?

  /// Starts computing a value.
  init(_ body: @escaping @Sendable () -> sending Value) {
    DispatchQueue.global(qos: .userInitiated).async(group: group) { self.result = body() }
  }

  /// Waits for the value.
  func wait() -> Value? {
    group.wait()
    return result
  }
}
