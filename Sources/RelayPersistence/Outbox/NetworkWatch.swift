#if canImport(Network)
  import RelayStore
  import Dispatch
  import Network

  /// A network monitor that calls a closure when the device regains a network or changes networks.
  final class NetworkWatch: Sendable {
    private let monitor = NWPathMonitor()

    init(_ queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
      let isStarting = Locked(true, rank: .leaf)
      monitor.pathUpdateHandler = { path in
        // The first report is the initial state, not a change.
        let isFirst = isStarting.withLock { isStarting in
          defer { isStarting = false }
          return isStarting
        }
        if !isFirst, path.status == .satisfied { body() }
      }
      monitor.start(queue: queue)
    }

    deinit { monitor.cancel() }
  }
#endif
