#if canImport(Network)
  import Dispatch
  import Network

  /// A monitor of the device's network, which calls a closure whenever there is one again.
  final class NetworkWatch: Sendable {
    private let monitor = NWPathMonitor()

    init(_ queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
      monitor.pathUpdateHandler = { if $0.status == .satisfied { body() } }
      monitor.start(queue: queue)
    }

    deinit { monitor.cancel() }
  }
#endif
