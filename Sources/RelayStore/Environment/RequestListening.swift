/// Calls a closure whenever a request has begun or ended, or everything was reset, until it is dropped.
final class RequestListening: Sendable {
  private let requests: RequestTable
  private let number: UInt64

  /// - Parameter body: Called while the store is free.
  init(
    to event: RequestTable.Event, in environment: RelayEnvironment,
    _ body: @escaping @Sendable () -> Void
  ) {
    requests = environment.requests
    number = requests.listen(to: event) { [weak store = environment.store] in
      store?.afterUpdater { _ in body() }
    }
  }

  deinit { requests.stopListening(number) }
}
