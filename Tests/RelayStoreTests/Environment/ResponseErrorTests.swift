import Foundation
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Errors of responses", .timeLimit(.minutes(1)))
struct ResponseErrorTests {
  private func error(status: Int?, _ body: String) async -> RelayError? {
    let server = StubTransport { _, _ in
      var response = GraphQLResponse(body: Array(body.utf8))
      response.status = status
      return response
    }
    let environment = RelayEnvironment(transport: server)
    return await #expect(throws: RelayError.self) { try await environment.fetch(TodoListQuery()) }
  }

  private static let refusal =
    #"{"errors":[{"message":"Sign in first.","extensions":{"code":"UNAUTHENTICATED"}}]}"#

  @Test(
    "GraphQL errors are reported whatever the status and media type of the response",
    arguments: [400, 401, 422, 429, 500, 503],
    [
      nil, "application/json", "application/json; charset=utf-8",
      "application/graphql-response+json", "text/plain",
    ])
  func refusedOverHTTP(_ status: Int, _ type: String?) async throws {
    // A server's stack trace can be this long.
    let trace = String(repeating: " at server.js", count: 10_000)
    let long = Self.refusal.replacingOccurrences(of: "\"}}", with: "\",\"trace\":\"\(trace)\"}}")
    for body in [Self.refusal, "\n" + Self.refusal + "\n", long] {
      let server = try RawServer { exchange in
        let fields = ["Retry-After: 7"] + (type.map { ["Content-Type: \($0)"] } ?? [])
        exchange.send(Wire.response(fields, body, status: "\(status) No"))
        return true
      }
      defer { server.stop() }
      for kind in ClientKind.allCases {
        let environment = RelayEnvironment(transport: kind.transport(server))
        let error = await #expect(throws: RelayError.self) {
          try await environment.fetch(TodoListQuery())
        }
        #expect(error?.errors.map(\.message) == ["Sign in first."])
        #expect(error?.message.hasSuffix(": Sign in first.") == true, "\(error?.message ?? "")")
        #expect(error?.status == status && error?.retryAfter == .seconds(7))
        #expect(error?.isRetryable == (status > 422) && error?.operationName == "TodoListQuery")
        #expect(error.map { Result<_, any Error>.failure($0).isUnauthenticated } == true)
      }
    }
  }

  @Test("a response without GraphQL errors is reported by its status and an excerpt")
  func pageOverHTTP() async throws {
    for body in ["Bad gateway", "", "[]", #"{"error":"no"}"#, #"{"errors":{}}"#, #"{"errors":["#] {
      let server = try RawServer { exchange in
        exchange.send(Wire.response([], body, status: "502 Bad Gateway"))
        return true
      }
      defer { server.stop() }
      let environment = RelayEnvironment(transport: ClientKind.standard.transport(server))
      let error = await #expect(throws: RelayError.self) {
        try await environment.fetch(TodoListQuery())
      }
      #expect(error?.code == .transport && error?.status == 502 && error?.errors.isEmpty == true)
      let ending = body.hasPrefix("B") ? ", starting with: Bad gateway" : "."
      #expect(
        error?.message.hasSuffix("HTTP status 502 instead of a response\(ending)") == true,
        "\(error?.message ?? "")")
      #expect(error?.excerpt == (body.hasPrefix("B") ? body : body.isEmpty ? "" : "…"), "\(body)")
    }
  }

  @Test(
    "the error has status and retryAfter from an app's own transport",
    arguments: ["retry-after", "Retry-After"])
  func ownTransport(_ field: String) async throws {
    for (body, code) in [
      (Self.refusal, RelayError.Code.graphQL), ("<p>Busy</p>", .response),
      (#"{"data":1,"errors":[{"message":"Sign in first."}]}"#, .response),
    ] {
      let server = MockTransport()
      let environment = RelayEnvironment(transport: server)
      let fetch = Task { try await environment.fetch(TodoListQuery()) }
      var response = GraphQLResponse(body: Array(body.utf8))
      response.status = 503
      response.headers[field] = "7"
      try await server.next().resolve(response)
      let error = await #expect(throws: RelayError.self) { try await fetch.value }
      #expect(error?.code == code && error?.status == 503 && error?.isRetryable == true)
      #expect(error?.retryAfter == .seconds(7))
      let expected = body.contains("Sign") ? ["Sign in first."] : []
      #expect(error?.errors.map(\.message) == expected)
    }
  }

  @Test("the error of a mutation refused with data has status and retryAfter")
  @MainActor func refusedMutation() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let model = MutationModel(SetCompleteMutation.self, in: environment)
    let commit = Task { try await model.commit(SetCompleteMutation(id: "1", isComplete: true)) }
    var response = GraphQLResponse(json: [
      "data": ["setComplete": nil], "errors": [["message": "no", "path": ["setComplete"]]],
    ])
    response.status = 429
    response.headers["retry-after"] = "7"
    try await server.next().resolve(response)
    _ = try? await commit.value
    #expect(model.error?.status == 429 && model.error?.retryAfter == .seconds(7))
  }

  @Test(
    "a web page instead of a response is reported with its status and an excerpt without values")
  func captivePortal() async {
    let page = "<html><body>Please sign in as \"ann@example.org\" token=abc123</body></html>"
    let error = await error(status: 200, page)
    #expect(error?.code == .response && error?.status == 200 && error?.isRetryable == false)
    #expect(error?.excerpt == "Please sign in as …")
  }

  /// A response that is not a GraphQL response, and the description of its error without the name.
  struct Page: CustomTestStringConvertible {
    let status: Int
    var type: String?
    let body: String
    let description: String
    var testDescription: String { "\(status) \(type ?? "")" }
  }

  @Test(
    "the description of an error has the status, the media type and the first words of the body",
    arguments: [
      Page(
        status: 401, type: "application/json; charset=utf-8",
        body: #"{"error":"invalid_token","error_description":"The token of ann expired"}"#,
        description:
          "transport: \"TodoListQuery\" got HTTP status 401 instead of a response "
          + "(application/json)."
      ),
      Page(
        status: 502, type: "text/html",
        body: "<html><title>502 Bad Gateway</title><p>host db-7.example.org</p></html>",
        description:
          "transport: \"TodoListQuery\" got HTTP status 502 instead of a response (text/html), "
          + "starting with: 502 Bad Gateway host …"
      ),
      Page(
        status: 500, type: "text/plain", body: "",
        description:
          "transport: \"TodoListQuery\" got HTTP status 500 instead of a response (text/plain)."
      ),
      Page(
        status: 200, type: "Text/HTML", body: "<h1>Please sign in</h1>",
        description:
          "response: Response for \"TodoListQuery\" is not JSON: unexpected character at byte 0. "
          + "Its status is 200 (text/html), starting with: Please sign in"
      ),
      Page(
        status: 200, type: "token=abc", body: #"{"user":"ann"}"#,
        description:
          "response: Response for \"TodoListQuery\" has neither data nor errors. Its status is 200."
      ),
    ])
  func descriptions(_ page: Page) async throws {
    let server = try RawServer { exchange in
      exchange.send(
        Wire.response(
          page.type.map { ["Content-Type: \($0)"] } ?? [], page.body, status: "\(page.status) X"))
      return true
    }
    defer { server.stop() }
    for kind in ClientKind.allCases {
      let environment = RelayEnvironment(transport: kind.transport(server))
      let error = await #expect(throws: RelayError.self) {
        try await environment.fetch(TodoListQuery())
      }
      #expect(error?.description == page.description)
      #expect(error?.status == page.status && error?.excerpt != nil)
    }
  }

  @Test("errors without data are reported with the status and isRetryable")
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
    "a body with neither data nor errors is not a response",
    arguments: [#"{"data":null}"#, #"{"data":null,"errors":[]}"#, "{}"])
  func nothing(_ body: String) async {
    let error = await error(status: 200, body)
    #expect(error?.code == .response && error?.status == 200 && error?.errors.isEmpty == true)
    #expect(error?.message.contains("neither data nor errors") == true)
  }
}
