import Testing

@testable import RelayStore

@Suite("What an error says of the answer", .timeLimit(.minutes(10)))
struct AnswerErrorTests {
  private func error(status: Int?, _ body: String) async -> RelayError? {
    let server = StubTransport { _, _ in
      var response = GraphQLResponse(body: Array(body.utf8))
      response.status = status
      return response
    }
    let environment = RelayEnvironment(transport: server)
    return await #expect(throws: RelayError.self) { try await environment.fetch(TodoListQuery()) }
  }

  @Test("a page in place of a response is told with its status and how it begins, without values")
  func captivePortal() async {
    let page = "<html><body>Please sign in as \"ann@example.org\" token=abc123</body></html>"
    let error = await error(status: 200, page)
    #expect(error?.code == .response && error?.status == 200 && error?.isRetryable == false)
    #expect(error?.excerpt == "Please sign in as …")
  }

  @Test("errors without data have the status, and say whether it may pass")
  func refusal() async {
    let body = #"{"errors":[{"message":"no","path":["todos"]}]}"#
    let refused = await error(status: 400, body)
    #expect(refused?.code == .graphQL && refused?.status == 400 && refused?.isRetryable == false)
    #expect(refused?.errors.map(\.message) == ["no"] && refused?.excerpt == nil)
    let busy = await error(status: 503, body)
    #expect(busy?.code == .graphQL && busy?.status == 503 && busy?.isRetryable == true)
    #expect(await error(status: nil, body)?.status == nil)
  }

  @Test(
    "an answer without data and errors is no response",
    arguments: [#"{"data":null}"#, #"{"data":null,"errors":[]}"#, "{}"])
  func nothing(_ body: String) async {
    let error = await error(status: 200, body)
    #expect(error?.code == .response && error?.status == 200 && error?.errors.isEmpty == true)
    #expect(error?.message.contains("neither data nor errors") == true)
  }
}
