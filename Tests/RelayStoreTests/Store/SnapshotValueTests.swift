import RelayStore
import Testing

@Suite("Snapshots as values", .timeLimit(.minutes(1)))
struct SnapshotValueTests {
  private let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: NoTransport())
  private let row = FragmentRef<TodoRow_todo>(id: "1", variables: ["first": 10])

  @Test("a snapshot prints its data, and its other properties only if they differ from the default")
  func complete() throws {
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    let snapshot = environment.read(row)
    let data = try #require(snapshot.data)
    #expect("\(snapshot)" == "data: \(data)" && !"\(snapshot)".contains("RowSnapshot"))
    #expect(String(reflecting: snapshot) == "\(snapshot)")
    var dumped = ""
    dump(snapshot, to: &dumped)
    #expect(dumped.contains("missing: 0 elements") && !dumped.contains("seen"))
    let update = try environment.applyUpdate {
      try $0["1"]?.setValue("b", for: "text")
      try $0["1"]?.removeValue("isComplete")
    }
    let shown = environment.read(row)
    #expect("\(shown)".hasSuffix(", missing: isComplete, isOptimistic"), "\(shown)")
    update.revert()
    try environment.commitUpdate { try $0["1"]?.invalidateRecord() }
    #expect("\(environment.read(row))" == "data: \(data), isStale")
    try environment.commitUpdate { try $0.delete("1") }
    #expect("\(environment.read(row))" == "data: nil, isDeleted")
  }

  @Test("missing data of the whole fragment is printed, and errors with their paths")
  func incomplete() throws {
    var snapshot = environment.read(row)
    #expect("\(snapshot)" == "data: nil, missing: (root)")
    snapshot.pending = [PendingPart(owner: "Feed", label: "rows")]
    #expect("\(snapshot)" == "data: nil, missing: (root), pending: Feed.rows")
    (snapshot.missing, snapshot.pending) = ([], [])
    snapshot.errors = [FieldError(kind: .server, message: "no", path: ["a", 1])]
    snapshot.responseErrors = [GraphQLError(message: "never")]
    snapshot.responseExtensions = ["cost": 1]
    #expect(
      "\(snapshot)"
        == #"data: nil, errors: a[1]: no, responseErrors: never, responseExtensions: {"cost":1}"#
    )
  }

  @Test("snapshots differ by data, missing fields, errors and deletion, and by nothing else")
  func equality() throws {
    try environment.commitPayload(TodoListQuery(), data: TodoListQuery.oneTodo("a"))
    let snapshot = environment.read(row)
    var other = snapshot
    (other.revision, other.isOptimistic, other.isStale) = (.max, true, true)
    #expect(other == snapshot)
    other.data = nil
    #expect(other != snapshot)
    other = snapshot
    other.missing = [["text"]]
    #expect(other != snapshot)
    other = snapshot
    other.errors = [FieldError(kind: .server, message: "no", path: ["a"])]
    #expect(other != snapshot)
    other = snapshot
    other.isDeleted = true
    #expect(other != snapshot)
  }

  @Test("a JSONObject prints as JSON")
  func json() {
    let object: JSONObject = ["a": [1, nil], "b": ["c": "d"]]
    #expect("\(object)" == #"{"a":[1,null],"b":{"c":"d"}}"#)
    #expect(String(reflecting: object) == "\(object)")
  }
}
