import RelayStore

/// A transport that forwards requests to `next`, and shows each request and response on the
/// timeline.
struct LoggingTransport: Transport {
  let next: any Transport
  let timeline: Timeline

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    await timeline.network("→ \(request.operationName)")
    let response = try await next.execute(request)
    await timeline.network("← \(request.operationName), \(response.body.count.counted("byte"))")
    return response
  }
}
