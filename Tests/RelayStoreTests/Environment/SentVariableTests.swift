import RelayStoreTesting
import Testing

@testable import RelayStore

/// Variables left out of a request: servers reject variables that the document does not declare,
/// and some are private to the client, such as store ids.
@Suite("Sent variables", .timeLimit(.minutes(1)))
struct SentVariableTests {
  private let server = MockTransport()
  private let variables: Variables = [
    "name": "x", "file": Upload([1], fileName: "a.txt"), "lists": ["client:1:__list"],
    "other": Upload([2], fileName: "b.txt"),
  ]
  private let add = TestSelection(
    "mutation Add($name: String!, $file: Upload) { addPhoto(name: $name, file: $file) }")

  private func request(_ operation: OperationPlan) async throws -> GraphQLRequest {
    let request = OperationRequest(
      operation, variables: variables, store: RecordStore(), root: .root)
    let task = Task { [server] in
      try await request.response(
        over: server, kind: .mutation, context: nil,
        running: RunningRequest(hold: RequestHold(), trace: nil))
    }
    let sent = try await server.next()
    sent.resolve(data: [:])
    _ = try await task.value
    return sent.request
  }

  private func operation(_ text: String, id: String? = nil, variables: StaticString? = nil)
    -> OperationPlan
  {
    OperationPlan(
      name: "Add", id: id, text: text, variables: variables,
      reader: add.reader, normalization: add.normalization)
  }

  @Test("only the variables that the document declares are sent")
  func declared() async throws {
    let sent = try await request(
      operation("mutation Add($name:String!,$file:Upload){addPhoto(name:$name,file:$file)}"))
    #expect(sent.variables == ["name": "x", "file": nil])
    #expect(sent.uploads.map(\.path) == [["file"]])
  }

  @Test("the compiler provides the variable names of a persisted operation without text")
  func persisted() async throws {
    let sent = try await request(operation("", id: "ab12", variables: "name"))
    #expect(sent.variables == ["name": "x"] && sent.uploads.isEmpty)
    #expect(try await request(operation("", id: "ab12", variables: "")).variables.isEmpty)
    #expect(try await request(operation("", id: "ab12")).variables.count == 4)
  }

  @Test(
    "the declared variables are found in any document text",
    arguments: [
      ("query Q{a(b:$c)}", []), ("{a(b:$c)}", []), ("", nil),
      ("query Q($a:Int,$b:[Int!]!){a}", ["a", "b"]), ("query($a : Int = 1 $b:X){a}", ["a", "b"]),
      (#"mutation M($a:String=") $x",$b:I={c:[{d:"\""}]},$_1:F){a(b:$c)}"#, ["a", "b", "_1"]),
      (#"query Q($a:String="""$x "" \""" )""",$b:Int){a}"#, ["a", "b"]),
      ("# $x (\nquery Q( # $y )\n $a:Int @d(e: \"$z\")) @f(g:[1]) { a }", ["a"]),
      ("query Q($a:String=\"", ["a"]), ("fragment F on T{a} query Q($a:Int){a}", nil),
    ] as [(String, [String]?)])
  func heads(_ text: String, _ names: [String]?) {
    #expect(DeclaredVariables.names(in: text) == names)
  }

  /// A transport that refuses each request.
  private struct Refusing: Transport {
    let requests = Locked<[GraphQLRequest]>([])

    func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
      requests.withLock { $0.append(request) }
      throw RelayError(.transport, "refused")
    }
  }

  @Test("an id that the outbox adds while a request is made does not let a client's id pass")
  func addedMeanwhile() async throws {
    let (store, id, transport) = (RecordStore(), ClientID.unique(), Refusing())
    let selection = TestSelection("query Q($id: ID!) { node(id: $id) { id } }")
    let operation = OperationPlan(
      name: "Q", text: "query Q($id:ID!){node(id:$id){id}}", reader: selection.reader,
      normalization: selection.normalization)
    let request = OperationRequest(
      operation, variables: ["id": id], store: store, root: .root)
    store.serverIDs.expect()
    // The parent of the span is asked for while the request is made, after its variables.
    let telemetry = Telemetry(
      parent: {
        var added = ServerIDs()
        added.ids[id] = "7"
        store.serverIDs.insert(added)
        return nil
      }, onEnd: { _ in })
    let tracing = try #require(RequestTracing(store, telemetry))
    for sent in [[], [["id": "7"]]] as [[JSONObject]] {
      await #expect(throws: RelayError.self) {
        try await request.response(
          over: transport, kind: .query, context: nil,
          running: RunningRequest(hold: RequestHold(), trace: tracing.trace(request, .query)))
      }
      #expect(transport.requests.withLock { $0 }.map(\.variables) == sent)
      // The outbox adds it, if the request did not get that far.
      _ = telemetry.parent()
    }
  }
}
