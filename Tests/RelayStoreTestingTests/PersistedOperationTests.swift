import RelayStore
import RelayStoreTesting
import Testing

@Suite("Persisted operations of the schema server", .timeLimit(.minutes(1)))
struct PersistedOperationTests {
  private let sdl = "type Query { a: String } type Subscription { b: Int }"

  private func server(_ manifest: String?) throws -> SchemaServer {
    try SchemaServer(
      schema: sdl, resolvers: ["Query.a": { _ in "A" }],
      subscriptions: ["Subscription.b": { _ in SourceStream([1]) }],
      persistedOperations: manifest)
  }

  private func request(
    _ name: String, id: String?, text: String = "", _ kind: OperationKind = .query
  ) -> GraphQLRequest {
    var request = GraphQLRequest(operationName: name, kind: kind, text: text)
    request.id = id
    request.includesText = false
    return request
  }

  @Test(
    "an operation without its text is found in the manifest, in either format",
    arguments: [
      #"{"ab": "query Q { a }", "cd": "subscription S { b }"}"#,
      #"""
      {"format": "apollo-persisted-query-manifest", "version": 1, "operations": [
        {"id": "ab", "name": "Q", "type": "query", "body": "query Q { a }"},
        {"id": "cd", "name": "S", "type": "subscription", "body": "subscription S { b }"}]}
      """#,
    ])
  func manifest(text: String) async throws {
    let server = try server(text)
    let response = try await server.execute(request("Q", id: "ab"))
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"a":"A"}}"#)
    let payloads = Payloads()
    try await server.stream(request("S", id: "cd", .subscription), payloads.receive)
    #expect(payloads.texts == [#"{"data":{"b":1}}"#])
  }

  @Test("an operation that has its text needs no manifest", arguments: [nil, "{}"])
  func ownText(manifest: String?) async throws {
    let request = request("Q", id: "ab", text: "query Q { a }")
    let response = try await server(manifest).execute(request)
    #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"a":"A"}}"#)
  }

  @Test("an operation that is not found has an error that says what to do")
  func unknown() async throws {
    for (manifest, message) in [
      (
        nil,
        "The request has the id \"ab\" of a persisted operation instead of its document. Pass the "
          + "manifest of \"relay-compiler operations\" to "
          + "SchemaServer(schema:persistedOperations:)."
      ),
      (
        "{}",
        "The manifest has no operation with the id \"ab\". Run \"relay-compiler operations\"."
      ),
    ] {
      let response = try await server(manifest).execute(request("Q", id: "ab"))
      #expect(try JSONValue(parsing: response.body)["errors"] == [["message": .string(message)]])
    }
  }

  @Test(
    "a manifest that cannot be read is an error when the server is made",
    arguments: ["", "[]", "{", #"{"ab": 1}"#, #"{"operations": [{"id": "ab"}]}"#])
  func unreadable(manifest: String) {
    let failure = #expect(throws: SchemaServerFailure.self) { try server(manifest) }
    #expect(
      failure?.problems == [
        "The manifest of persisted operations is not one that \"relay-compiler operations\" writes."
      ])
  }
}
