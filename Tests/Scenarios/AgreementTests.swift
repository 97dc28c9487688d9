import RelayStore
import Testing

/// Both servers respond equally, so a scenario's result with one of them holds for the other too.
@Suite(
  "Agreement of the two servers",
  .enabled(
    if: ScenarioServer.available.count == 2, "the real server needs .venv, which make test creates"),
  .timeLimit(.minutes(1)))
struct AgreementTests {
  @Test(
    "both servers return the same data, and errors with the same messages and paths",
    arguments: AgreementRequest.all)
  func agree(request: AgreementRequest) async throws {
    var responses: [JSONValue] = []
    for server in ScenarioServer.allCases {
      let sent = GraphQLRequest(
        operationName: "Q", kind: .query, text: request.text, variables: request.variables)
      let body = try await server.transport().execute(sent).body
      responses.append(try JSONValue(parsing: body))
    }
    #expect(responses[0]["data"]?.description == responses[1]["data"]?.description)
    #expect(errors(responses[0]) == errors(responses[1]))
    #expect(responses[0]["data"] != nil, "\(responses[0])")
  }

  @Test(
    "both servers refuse the same documents and variables",
    arguments: [
      ("query Q { nothing }", [:]), ("query Q { viewer", [:]), ("query Q { viewer { ...A } }", [:]),
      (
        "query Q ($s: TaskStatus!) { tasks(filter: {status: $s}) { edges { cursor } } }",
        ["s": "NO"]
      ),
      ("query Q ($s: TaskStatus!) { tasks(filter: {status: [$s]}) { edges { cursor } } }", [:]),
      (
        "mutation Q ($i: UpdateTaskInput!) { updateTask(input: $i) { warning } }",
        ["i": ["title": "x"]]
      ),
      (
        "mutation Q ($i: UpdateTaskInput!) { updateTask(input: $i) { warning } }",
        ["i": ["id": "x", "nope": 1]]
      ),
      ("query Q ($n: Int!) { tasks(first: $n) { edges { cursor } } }", ["n": "1"]),
    ] as [(String, JSONObject)])
  func refuse(text: String, variables: JSONObject) async throws {
    for server in ScenarioServer.allCases {
      let sent = GraphQLRequest(operationName: "Q", kind: .query, text: text, variables: variables)
      let response = try JSONValue(parsing: await server.transport().execute(sent).body)
      #expect(response["data"] == nil || response["data"] == .null, "\(server): \(response)")
      #expect(response["errors"]?.array?.isEmpty == false, "\(server): \(response)")
    }
  }

  private func errors(_ response: JSONValue) -> [String] {
    (response["errors"]?.array ?? []).map {
      "\($0["path"] ?? nil): \($0["message"]?.string ?? "?")"
    }
  }
}
