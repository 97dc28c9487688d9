import Foundation
import RelayStoreTesting

@testable import RelayLive
@testable import RelayStore

/// A subscription whose events the test awaits.
final class ScriptedSubscriber: Sendable {
  /// A comparable event, or the end. The reasons of lost connections are stored separately.
  enum Event: Equatable, Sendable {
    case state(ConnectionState)
    case gap
    case data(String)
    case completed
    case failed(RelayError.Code, String)
    case cancelled

    static let connecting = Self.state(.connecting)
    static let connected = Self.state(.connected)
    static let suspended = Self.state(.suspended)
    static func disconnected(_ delay: Duration) -> Self {
      .state(.disconnected(retryAfter: delay, reason: ""))
    }
  }

  private let events: AsyncStream<Event>
  private let lostReasons = Locked<[String]>([])
  private let task: Task<Void, Never>

  /// Subscribes in a task.
  ///
  /// - Parameter gate: Awaited inside the receiver for each response.
  init(
    _ transport: any Transport, _ request: GraphQLRequest = .subscription,
    gate: @escaping @Sendable (Int) async throws -> Void = { _ in }
  ) {
    let (events, continuation) = AsyncStream<Event>.makeStream()
    self.events = events
    task = Task { [lostReasons] in
      let count = Locked(0)
      do {
        try await transport.stream(request) { event in
          switch event {
          case .connection(.disconnected(let delay, let reason)):
            lostReasons.withLock { $0.append(reason) }
            continuation.yield(.disconnected(delay))
          case .connection(let state): continuation.yield(.state(state))
          case .gap: continuation.yield(.gap)
          case .response(let response):
            continuation.yield(.data(String(decoding: response.body, as: UTF8.self)))
            let index = count.withLock { count in
              count += 1
              return count - 1
            }
            try await gate(index)
          }
        }
        continuation.yield(.completed)
      } catch let error as RelayError {
        continuation.yield(.failed(error.code, error.message))
      } catch {
        continuation.yield(.cancelled)
      }
      continuation.finish()
    }
  }

  deinit { task.cancel() }

  /// The reasons of the connections lost to date.
  var reasons: [String] { lostReasons.withLock { $0 } }

  /// Waits for the next event; `nil` after the end.
  func next() async -> Event? {
    for await event in events { return event }
    return nil
  }

  /// Waits for a number of events.
  func next(_ count: Int) async -> [Event] {
    var result: [Event] = []
    while result.count < count, let event = await next() { result.append(event) }
    return result
  }

  /// Waits for the connection, which may already be ready when the subscription starts.
  func connected() async -> Bool {
    while let event = await next() { if event == .connected { return true } }
    return false
  }

  func cancel() { task.cancel() }

  /// Waits until `stream` has returned.
  func end() async { await task.value }
}

/// A weak reference that shows when its object is released.
final class WeakReference: Sendable {
  private struct Reference: Sendable { weak var driver: SubscriptionDriver? }

  private let reference: Locked<Reference>

  init(_ driver: SubscriptionDriver?) { reference = Locked(Reference(driver: driver)) }

  var isReleased: Bool { reference.withLock { $0.driver == nil } }
}

extension GraphQLRequest {
  static let subscription = GraphQLRequest(
    operationName: "Clock", kind: .subscription, text: "subscription Clock { time }",
    variables: ["zone": "UTC"])
}

/// A transport over a scripted connector, on a virtual clock.
struct ScriptedTransport {
  let connector: ScriptedConnector
  let clock = VirtualClock()
  let transport: WebSocketTransport

  /// - Parameter random: The factor of each wait.
  init(
    _ connector: ScriptedConnector = ScriptedConnector(), random: Double = 1,
    options: WebSocketOptions = WebSocketOptions(),
    headers: @escaping @Sendable () async throws -> [String: String] = { [:] },
    parameters: @escaping @Sendable () async throws -> JSONObject? = { nil },
    refresh: (@Sendable () async throws -> Void)? = nil
  ) {
    self.connector = connector
    transport = WebSocketTransport(
      SubscriptionDriver.Configuration(
        url: Self.url, headers: headers, parameters: parameters, refresh: refresh,
        options: options.clamped, random: { random }), connector: connector, clock: clock)
  }

  private static let url: URL = {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.path) = ("wss", "example.com", "/graphql")
    return parts.url ?? URL(fileURLWithPath: "/")
  }()

  /// Waits until no connection or timer is left.
  func settle() async throws {
    try await eventually([0, 0]) { [connector.openCount, clock.sleeperCount] }
  }

  /// Subscribes, and waits for the first connection to be acknowledged.
  func begin() async -> (ScriptedSubscriber, ScriptedConnection) {
    let subscriber = ScriptedSubscriber(transport)
    let connection = await connector.nextReady()
    _ = await subscriber.next(2)
    return (subscriber, connection)
  }
}
