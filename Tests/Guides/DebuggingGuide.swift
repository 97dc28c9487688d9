import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

// The Swift code of Docs/Debugging.md; a test compares them.

/// Returns the store's information about a todo that is not shown.
func report(
  of todo: FragmentRef<TodoRow_todo>, _ id: DataID, in environment: RelayEnvironment
) -> [String] {
  let row = environment.read(todo)
  return [
    "missing: \(row.missing), deleted: \(row.isDeleted), errors: \(row.errors.map(\.message))",
    "may come with: \(environment.pendingOperations(affecting: todo).map(\.name))",
    "kept for: \(environment.store.explain(id))",
    environment.store.dump(.visible),
  ]
}

/// Creates an environment that prints the events of its store and its transport.
func tracedEnvironment(
  _ transport: some Transport, print: @escaping @Sendable (String) -> Void
) -> RelayEnvironment {
  let configuration = RecordStore.Configuration(log: { event in print("\(event)") })
  return RelayEnvironment(
    store: RecordStore(configuration: configuration),
    transport: transport.logging { (entry: RequestLog) in
      print("\(entry.kind) \(entry.operationName): \(entry.failure?.description ?? "a response")")
    })
}

@Suite("The guide to debugging", .timeLimit(.minutes(1)))
struct DebuggingGuide {
  private let server = MockTransport()

  @Test("why a row is missing: its fields, its operations, what keeps it, and the records")
  func missing() async throws {
    let environment = RelayEnvironment(transport: server)
    let retention = environment.retain(FeedQuery(first: 10))
    try environment.commitPayload(FeedQuery(first: 10), data: ["feed": []])
    try environment.commitUpdate { store in
      let todo = try store.create("1", type: "Todo")
      try todo.setValue("Feed the cat", for: "text")
      try store.root.setLinkedRecords([todo], for: "feed", arguments: ["first": 10])
    }
    let todo = FragmentRef<TodoRow_todo>(id: "1")
    #expect(
      report(of: todo, "1", in: environment) == [
        #"missing: [id, isComplete], deleted: false, errors: []"#,
        #"may come with: []"#,
        #"kept for: [RelayStore.RetentionReason.retained(operation: "FeedQuery", count: 1)]"#,
        """
        {
          "1":{"__id":"1","__typename":"Todo","text":"Feed the cat"},
          "client:root":{"__id":"client:root","__typename":"__Root","feed(first:10)":{"__refs":["1"]}}
        }
        """,
      ])
    #expect(
      "\(environment.check(FeedQuery(first: 10)))".contains(
        #"feed[0].id: record "1" of type Todo is missing id"#))
    retention.release()
  }

  @Test("why a row is delivered: the events of one fetch, and of an update that misspells a field")
  func log() async throws {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let environment = tracedEnvironment(server) { continuation.yield($0) }
    let rows = StreamRecorder(environment.observe(FragmentRef<TodoRow_todo>(id: "1")))
    _ = await rows.elements(1)
    let task = Task { try await environment.fetch(FeedQuery(first: 10)) }
    try await server.next().resolve(data: ["feed": [["id": "1", "text": "a", "isComplete": false]]])
    let feed = try await task.value
    let row = await rows.elements(2)
    #expect(row.map(\.revision) == [0, 1] && feed.revision == 1)
    try environment.commitUpdate { try $0["1"]?.setValue(true, for: "isDone") }
    rows.cancel()
    try await environment.settle()
    continuation.finish()
    var all: [String] = []
    for await line in lines { all.append(line) }
    #expect(
      all == [
        "read TodoRow_todo, with missing data",
        "TodoRow_todo is missing (root)",
        "query FeedQuery: a response",
        "published changes of 2 records",
        "delivered snapshots to 1 observer",
        "read FeedQuery",
        "an updater wrote Todo.isDone, but no definition selects it",
        "published changes of 1 record",
        "delivered snapshots to 0 observers",
      ])
  }
}
