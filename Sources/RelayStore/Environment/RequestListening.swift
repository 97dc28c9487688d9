/// Calls a closure whenever an operation has begun or ended, until it is dropped.
final class RequestListening: Sendable {
  private let requests: RequestTable
  private let number: UInt64

  /// - Parameter body: Called while the store is free.
  init(_ environment: RelayEnvironment, _ body: @escaping @Sendable () -> Void) {
    requests = environment.requests
    number = requests.listen { [weak store = environment.store] in store?.whenFree { _ in body() } }
  }

  deinit { requests.stopListening(number) }
}
