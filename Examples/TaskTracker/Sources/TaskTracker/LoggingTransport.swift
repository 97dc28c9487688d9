import RelayStore

/// A transport that forwards requests to `next`, and shows each request and response on the
/// timeline.
struct LoggingTransport: Transport {
  let next: any Transport
  let timeline: Timeline

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    await timeline.request(request.operationName)
    let response = try await next.execute(request)
    await show(response, to: request)
    return response
  }

  func stream(_ request: GraphQLRequest, _ receive: @escaping TransportReceiver) async throws {
    await timeline.request(request.operationName)
    do {
      try await next.stream(request) { event in
        if case .response(let response) = event { await show(response, to: request) }
        try await receive(event)
      }
    } catch {
      await timeline.network("× \(request.operationName) has ended")
      throw error
    }
  }

  private func show(_ response: GraphQLResponse, to request: GraphQLRequest) async {
    await timeline.network("← \(request.operationName), \(response.body.count.counted("byte"))")
  }
}
