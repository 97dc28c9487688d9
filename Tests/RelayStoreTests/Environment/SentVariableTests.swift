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
}
