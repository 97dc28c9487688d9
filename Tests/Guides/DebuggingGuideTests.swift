import Foundation
import RelayRecording
import RelayStore
import RelayStoreTesting
import Testing

@Suite("The program of the guide to debugging", .timeLimit(.minutes(1)))
struct DebuggingGuideTests {
  private let server = MockTransport()
  private let todo = FragmentRef<TodoRow_todo>(id: "1")

  @Test("why a row is missing: its fields, its operations, what retains it, and the records")
  func missing() throws {
    let environment = debugEnvironment(server) { _ in }
    let retention = environment.retain(FeedQuery(first: 10))
    try environment.commitPayload(FeedQuery(first: 10), data: ["feed": []])
    try environment.commitUpdate { store in
      let todo = try store.create("1", type: "Todo")
      try todo.setValue("Feed the cat", for: "text")
      try store.root.setLinkedRecords([todo], for: "feed", arguments: ["first": 10])
    }
    #expect(
      try missingReport(of: todo, "1", in: environment) == [
        #"id: record "1" of type Todo is missing id; FeedQuery selects it at feed[0], and its response did not have it, or it was removed since"#,
        #"isComplete: record "1" of type Todo is missing isComplete; FeedQuery selects it at feed[0], and its response did not have it, or it was removed since"#,
        "missing: [id, isComplete], deleted: false, errors: []",
        "may come with: []",
        #"retained by: [RelayStore.RetentionReason.retained(operation: "FeedQuery", count: 1)]"#,
        """
        {
          "1":{"__id":"1","__typename":"Todo","text":"Feed the cat"},
          "client:root":{"__id":"client:root","__typename":"__Root","feed(first:10)":{"__refs":["1"]}}
        }
        """,
      ])
    #expect(
      try environment.explain(.retained("1")).map(\.description)
        == ["retained by FeedQuery: client:root.feed(first:10)[0] → 1"])
    #expect(
      "\(environment.check(FeedQuery(first: 10)))".contains(
        #"feed[0].id: record "1" of type Todo is missing id"#))
    retention.release()
  }

  @Test("the log has one fetch, and an update that misspells a field")
  func log() async throws {
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let environment = debugEnvironment(server) { continuation.yield($0) }
    let rows = StreamRecorder(environment.observe(todo))
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

  @Test("each snapshot has its cause, and each change without a snapshot has a reason")
  func causes() async throws {
    let environment = debugEnvironment(server) { _ in }
    let retention = environment.retain(FeedQuery(first: 10))
    try environment.commitPayload(
      FeedQuery(first: 10), data: ["feed": [["id": "1", "text": "a", "isComplete": false]]])
    let (lines, continuation) = AsyncStream<String>.makeStream()
    var causes = lines.makeAsyncIterator()
    let task = Task { [todo] in
      await printCauses(of: todo, in: environment) { continuation.yield($0) }
    }
    let first = await causes.next()
    #expect(first == "the first snapshot")
    try environment.commitUpdate { try $0["1"]?.setValue("b", for: "text") }
    let second = await causes.next()
    #expect(second == #"local update (event 3): text: text of Todo "1""#)
    try environment.commitUpdate { try $0["1"]?.setValue(true, for: "isDone") }
    #expect(
      try deliveryReport(of: todo, in: environment) == [
        #"local update (event 3): text: text of Todo "1""#,
        #"local update (event 6): it was read again, and its value is equal; Todo "1" changed: isDone"#,
        "payload of FeedQuery (event 2): it had no observers",
      ])
    task.cancel()
    await task.value
    retention.release()
  }

  @Test("a page is written and served, and a fetch in a trace is reported")
  func pageAndSpans() async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("inspection-\(UInt64.random(in: 0 ... .max)).html")
    defer { try? FileManager.default.removeItem(at: file) }
    let recorded = debugEnvironment(server) { _ in }
    try saveInspection(of: recorded, to: file)
    #expect(try Data(contentsOf: file).count > 10_000)
    #if DEBUG
      let inspector = try serveInspector(of: recorded)
      #expect(inspector.url.hasPrefix("http://127.0.0.1:"))
      inspector.stop()
    #endif
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let environment = measuredEnvironment(server) { continuation.yield($0) }
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    let task = Task {
      try await TraceContext.withCurrent(
        TraceContext(traceParent: "00-\(trace)-00f067aa0ba902b7-01")
      ) {
        try await environment.fetch(FeedQuery(first: 10))
      }
    }
    let request = try await server.next()
    #expect(request.request.headers["traceparent"]?.hasPrefix("00-\(trace)-") == true)
    request.resolve(data: ["feed": []])
    _ = try await task.value
    continuation.finish()
    for await line in lines { #expect(line == "FeedQuery success cached: false \(trace)") }
  }
}
