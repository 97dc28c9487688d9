import RelayStore
import RelayStoreTesting

/// A recorder of the events that a transport passes on.
final class Payloads: Sendable {
  private let recorded = Locked<[TransportEvent]>([])

  /// The responses as JSON strings.
  var texts: [String] { responses.map(\.description) }

  /// The responses as JSON.
  var responses: [JSONValue] {
    recorded.withLock { $0 }.compactMap { event in
      guard case .response(let response) = event else { return nil }
      return try? JSONValue(parsing: response.body)
    }
  }

  /// The events other than responses.
  var states: [String] {
    recorded.withLock { $0 }.compactMap { event in
      switch event {
      case .response: nil
      case .connection(let state): "\(state)"
      case .gap: "gap"
      }
    }
  }

  @Sendable func receive(_ event: TransportEvent) { recorded.withLock { $0.append(event) } }
}

extension Library {
  /// Returns the payloads of a document whose request allows incremental delivery.
  static func payloads(
    _ document: String, _ variables: JSONObject = [:], format: IncrementalFormat = .payloads2023,
    resolvers: [String: FieldResolver] = [:],
    beforePart: @escaping @Sendable (IncrementalPart) async throws -> Void = { _ in }
  ) async throws -> [String] {
    let server = try server(resolvers, format: format, beforePart: beforePart)
    let payloads = Payloads()
    try await server.stream(request(document, variables), payloads.receive)
    return payloads.texts
  }

  /// Returns a request that allows incremental delivery.
  static func request(_ document: String, _ variables: JSONObject = [:]) -> GraphQLRequest {
    var request = GraphQLRequest(
      operationName: "", kind: .query, text: document, variables: variables)
    request.allowsIncrementalDelivery = true
    return request
  }
}
