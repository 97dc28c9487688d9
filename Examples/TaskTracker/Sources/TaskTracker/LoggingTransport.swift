import RelayStore

/// Passes operations on and puts them on the time line.
struct LoggingTransport: Transport {
  let next: any Transport
  let timeline: Timeline

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    await timeline.network("→ \(request.operationName)")
    let response = try await next.execute(request)
    await timeline.network("← \(request.operationName), \(response.body.count) bytes")
    return response
  }
}
