#if canImport(Network)
  import RelayStore
  import Dispatch
  import Network

  /// A monitor of the device's network, which calls a closure when there is a network again, or a new
  /// one.
  final class NetworkWatch: Sendable {
    private let monitor = NWPathMonitor()

    init(_ queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
      let isStarting = Locked(true, rank: .leaf)
      monitor.pathUpdateHandler = { path in
        // The first report has the state at the start, which is no change.
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
