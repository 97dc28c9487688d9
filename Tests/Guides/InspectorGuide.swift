import Foundation
import RelayInspector
import RelayRecording
import RelayStore
import RelayStoreTesting
import Testing

// The Swift code of Docs/Inspector.md; a test compares them.

/// Creates an environment that records a timeline.
func recordedEnvironment(_ transport: some Transport) -> RelayEnvironment {
  let configuration = RecordStore.Configuration(timeline: .init(eventLimit: 20_000))
  return RelayEnvironment(
    store: RecordStore(configuration: configuration), transport: transport)
}

/// Writes the inspector's page to a file.
func saveInspection(of environment: RelayEnvironment, to file: URL) throws {
  try Inspector.write(environment.timeline(), to: file)
}

#if DEBUG
  func serveInspector(of environment: RelayEnvironment) throws -> InspectorServer {
    let server = try InspectorServer(environment)
    print("The inspector is at \(server.url)")
    return server
  }
#endif

/// Returns the store's explanations of a todo.
func explanations(
  of todo: FragmentRef<TodoRow_todo>, _ id: DataID, in environment: RelayEnvironment
) throws -> [String] {
  var lines = try environment.explain(.missing(todo)).map(\.description)
  lines += try environment.explain(.retained(id)).map(\.description)
  lines += try environment.explain(.delivered(todo)).map(\.description)
  lines += try environment.explain(.notDelivered(todo)).map(\.description)
  return lines
}

/// Creates an environment that reports its spans.
func measuredEnvironment(
  _ transport: some Transport, report: @escaping @Sendable (String) -> Void
) -> RelayEnvironment {
  RelayEnvironment(
    transport: transport,
    telemetry: Telemetry { (span: OperationSpan) in
      report("\(span.name) \(span.outcome) cached: \(span.isCacheHit) \(span.context.traceID)")
    })
}

/// Fetches the feed within a caller's trace.
func fetchFeed(
  in environment: RelayEnvironment, for traceParent: String
) async throws -> Snapshot<FeedQuery.Data> {
  try await TraceContext.withCurrent(TraceContext(traceParent: traceParent)) {
    try await environment.fetch(FeedQuery(first: 10))
  }
}

@Suite("The guide to the inspector", .timeLimit(.minutes(1)))
struct InspectorGuide {
  private let server = MockTransport()

  @Test("a row explains what it lacks, what keeps it, and why it was delivered")
  func explaining() throws {
    let environment = recordedEnvironment(server)
    let retention = environment.retain(FeedQuery(first: 10))
    try environment.commitPayload(
      FeedQuery(first: 10), data: ["feed": [["id": "1", "text": "a", "isComplete": false]]])
    let todo = FragmentRef<TodoRow_todo>(id: "1")
    let observation = environment.observe(todo) { _ in }
    try environment.commitUpdate { try $0["1"]?.setValue("b", for: "text") }
    let lines = try explanations(of: todo, "1", in: environment)
    #expect(lines[0] == "retained by FeedQuery: client:root.feed(first:10)[0] → 1")
    #expect(lines.contains(#"local update (event 3): text: text of Todo "1""#))
    #expect(lines.last == "payload of FeedQuery (event 2): it had no observers")
    observation.cancel()
    retention.release()
  }

  @Test("a page is written, and a fetch in a trace is reported")
  func pageAndSpans() async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("inspection-\(UInt64.random(in: 0 ... .max)).html")
    defer { try? FileManager.default.removeItem(at: file) }
    try saveInspection(of: recordedEnvironment(server), to: file)
    #expect(try Data(contentsOf: file).count > 10_000)
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let environment = measuredEnvironment(server) { continuation.yield($0) }
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    let task = Task {
      try await fetchFeed(in: environment, for: "00-\(trace)-00f067aa0ba902b7-01")
    }
    let request = try await server.next()
    #expect(request.request.headers["traceparent"]?.hasPrefix("00-\(trace)-") == true)
    request.resolve(data: ["feed": []])
    _ = try await task.value
    continuation.finish()
    for await line in lines { #expect(line == "FeedQuery success cached: false \(trace)") }
  }
}
