import Foundation
import RelayStore

/// A session with its own data on the real servers, and the control of its subscriptions.
struct LiveSession: Sendable {
  /// The path of a task whose changes are subscribed to.
  static let task = "VGFzazoy"
  static let taskKey = "2"

  /// The address of the server, or of a proxy before it.
  var url: URL
  /// The token that requests have; see ``requireToken(_:)``.
  var token: String?
  private let control: URL
  private let name = UUID().uuidString

  /// - Parameter proxy: The address of a proxy that everything but the control goes through.
  init(through proxy: URL? = nil) async throws {
    control = try await PythonServer.shared().url
    url = proxy ?? control
  }

  /// The header fields of the session.
  var headers: [String: String] {
    ["X-Session": name].merging(
      token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    ) { first, _ in first }
  }

  /// Returns a transport to one of the servers. It begins subscriptions again without a delay.
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

  /// Sends an event with a task to the subscriptions; an event with an error if there is no such
  /// task.
  func publish(task: String = taskKey) async throws { try await call("publish", "task", task) }

  /// Changes the title of the task, which is an event.
  func rename(_ title: String) async throws {
    let mutation = UpdateTaskMutation(input: .init(id: Self.task, title: .some(title)))
    var session = self
    session.url = control
    try await RelayEnvironment(transport: session.http()).commit(mutation)
  }

  /// Completes the subscriptions.
  func complete() async throws { try await call("publish", "end", "") }

  /// Ends the subscriptions with an error.
  func fail(_ message: String) async throws { try await call("publish", "error", message) }

  /// Makes the servers require a token from now on.
  func requireToken(_ token: String) async throws { try await call("token", "token", token) }

  /// Opens a gate.
  func open(_ gate: String) async throws {
    var session = self
    session.url = control
    try await RelayEnvironment(transport: session.http()).commit(OpenGateMutation(name: gate))
  }

  private func call(_ route: String, _ parameter: String, _ value: String) async throws {
    let url = control.appending(path: "live/\(route)")
      .appending(queryItems: [URLQueryItem(name: parameter, value: value)])
    let transport = HTTPTransport(url: url, headers: headers, timeout: .seconds(300))
    _ = try await transport.execute(
      GraphQLRequest(operationName: "Control", kind: .mutation, text: ""))
  }
}
