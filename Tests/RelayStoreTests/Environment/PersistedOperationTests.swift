import RelayNetwork
import RelayStore
import Testing

@Suite("Persisted operations", .timeLimit(.minutes(1)))
struct PersistedOperationTests {
  private func request(text: String = "query Q{a}") -> GraphQLRequest {
    var request = GraphQLRequest(operationName: "Q", kind: .query, text: text, variables: ["n": 1])
    request.id = "ab12"
    request.includesText = false
    return request
  }

  @Test("a request with an id sends the id instead of the text")
  func documentID() {
    #expect(
      String(decoding: request().httpBody, as: UTF8.self)
        == #"{"documentId":"sha256:ab12","operationName":"Q","variables":{"n":1}}"#)
  }

  @Test(
    "an automatic persisted query is sent by its id, and with its text if the server does not have it"
  )
  func automatic() async throws {
    let sent = Locked<[String]>([])
    let transport = Recorder { request in
      sent.withLock { $0.append(String(decoding: request.httpBody, as: UTF8.self)) }
      let isKnown = request.includesText
      return GraphQLResponse(
        json: isKnown ? ["data": [:]] : ["errors": [["message": "PersistedQueryNotFound"]]])
    }.persistingQueries()
    let body = #""operationName":"Q","variables":{"n":1},"#
    let hash = #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab12"}}}"#
    _ = try await transport.execute(request())
    #expect(
      sent.withLock { $0 } == ["{" + body + hash, #"{"query":"query Q{a}","# + body + hash])
    _ = try await transport.execute(request(text: ""))
    #expect(sent.withLock { $0.count } == 3)
  }
}

private struct Recorder: Transport {
  let respond: @Sendable (GraphQLRequest) -> GraphQLResponse

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse { respond(request) }
}
