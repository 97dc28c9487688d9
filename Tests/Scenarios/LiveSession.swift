import Foundation
import RelayNetwork
import RelayStore

/// A session with its own data on the real servers, and control over its subscriptions.
struct LiveSession: Sendable {
  /// The id of a task that the session changes.
  static let task = "VGFzazoy"
  /// The key of that task on the server.
  static let taskKey = "2"

  /// The address of the server, or of a proxy in front of it.
  var url: URL
  /// The token in requests; see ``requireToken(_:)``.
  var token: String?
  private let name = UUID().uuidString
  /// The transport for requests that bypass the proxy.
  private let direct: HTTPTransport

  init() async throws { self.init(at: try await PythonServer.shared().url) }

  /// Creates a session on a server that another process started.
  init(at url: URL) {
    self.url = url
    direct = HTTPTransport(url: url, timeout: .seconds(300))
  }

  /// Returns this session with transports that connect to a proxy.
  func through(_ proxy: LiveProxy) -> LiveSession {
    var session = self
    session.url = proxy.url
    return session
  }

  /// The header fields of the session.
  var headers: [String: String] {
    ["X-Session": name].merging(
      token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    ) { first, _ in first }
  }

  /// Returns a transport to one of the servers. It restarts subscriptions without a delay.
  func http(_ path: String = "graphql") -> HTTPTransport {
    var transport = HTTPTransport(
      url: url.appending(path: path), headers: headers, timeout: .seconds(30))
    transport.reconnection = RetryPolicy(delay: .zero)
    return transport
  }

  /// The address of one of the servers for WebSockets.
  func socketURL(_ path: String) -> URL {
    var parts = URLComponents(url: url.appending(path: path), resolvingAgainstBaseURL: false)
    parts?.scheme = "ws"
    return parts?.url ?? url
  }

  // MARK: Control

  /// Waits until the session has a number of subscriptions on the server.
  func waitForSubscriptions(_ count: Int) async throws {
    try await call("count", "is", "\(count)")
  }

  /// Sends an event with a task to the subscriptions; an event with an error if the task does not
  /// exist.
  func publish(task: String = taskKey) async throws { try await call("publish", "task", task) }

  /// Changes the title of the task, which causes an event.
  func rename(_ title: String) async throws {
    let mutation = UpdateTaskMutation(input: .init(id: Self.task, title: .some(title)))
    try await RelayEnvironment(transport: control("graphql")).commit(mutation)
  }

  /// Completes the subscriptions.
  func complete() async throws { try await call("publish", "end", "") }

  /// Ends the subscriptions with an error.
  func fail(_ message: String) async throws { try await call("publish", "error", message) }

  /// Makes the servers require a token from now on.
  func requireToken(_ token: String) async throws { try await call("token", "token", token) }

  /// Opens a gate.
  func open(_ gate: String) async throws {
    try await RelayEnvironment(transport: control("graphql")).commit(OpenGateMutation(name: gate))
  }

  private func call(_ route: String, _ parameter: String, _ value: String) async throws {
    var transport = control("live/\(route)")
    transport.url.append(queryItems: [URLQueryItem(name: parameter, value: value)])
    _ = try await transport.execute(
      GraphQLRequest(operationName: "Control", kind: .mutation, text: ""))
  }

  private func control(_ path: String) -> HTTPTransport {
    var transport = direct
    transport.url.append(path: path)
    transport.headers = headers
    return transport
  }
}
