import Foundation
import RelayStore
import RelayStoreTesting

/// A transport whose connection the demonstration cuts and restores.
///
/// While the connection is cut, requests fail, and subscriptions wait without an open stream of the
/// next transport. When it is restored, each subscription starts a new stream and reports a gap.
struct InterruptibleTransport: Transport {
  let next: any Transport
  /// Open while the connection is cut.
  private let cutting = Gate()
  /// Open while the connection works.
  private let restoring = Gate(isOpen: true)

  init(next: any Transport) { self.next = next }

  /// Ends the streams of all subscriptions.
  func cut() {
    restoring.close()
    cutting.open()
  }

  /// Lets all subscriptions start a new stream.
  func restore() {
    cutting.close()
    restoring.open()
  }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try checkConnection(for: request)
    return try await next.execute(request)
  }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    guard request.kind == .subscription else {
      try checkConnection(for: request)
      return try await next.stream(request, receive)
    }
    try await restoring.wait()
    var end = try await passEvents(of: request, receive)
    while end == .cut {
      try await receive(
        .connection(.disconnected(retryAfter: .zero, reason: "The demo has cut it.")))
      try await restoring.wait()
      end = try await passEvents(of: request) { event in
        try await receive(event)
        if case .connection(.connected) = event { try await receive(.gap) }
      }
    }
  }

  /// The reason why a subscription's stream ended.
  private enum End { case completed, cut }

  /// Passes on a subscription's events until the server completes it or the connection is cut.
  private func passEvents(
    of request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws -> End {
    try await withThrowingTaskGroup(of: End.self) { group in
      group.addTask {
        try await next.stream(request, receive)
        return .completed
      }
      group.addTask {
        try await cutting.wait()
        return .cut
      }
      defer { group.cancelAll() }
      return try await group.next() ?? .completed
    }
  }

  private func checkConnection(for request: GraphQLRequest) throws {
    if restoring.isOpen { return }
    throw RelayError(
      .transport, "The connection is cut.", operationName: request.operationName,
      underlying: URLError(.notConnectedToInternet))
  }
}
