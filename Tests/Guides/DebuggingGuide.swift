import Foundation
import RelayInspector
import RelayNetwork
import RelayRecording
import RelayStore

// The Swift code of Docs/Debugging.md; a test compares them.

/// Creates an environment that prints the events of its store and its transport, and records a
/// timeline.
func debugEnvironment(
  _ transport: some Transport, print: @escaping @Sendable (String) -> Void
) -> RelayEnvironment {
  let configuration = RecordStore.Configuration(
    timeline: TimelineOptions(), log: { event in print("\(event)") })
  return RelayEnvironment(
    store: RecordStore(configuration: configuration),
    transport: transport.logging { (entry: RequestLog) in
      print("\(entry.kind) \(entry.operationName): \(entry.failure?.description ?? "a response")")
    })
}

/// Returns the reasons why a todo is not shown.
func missingReport(
  of todo: FragmentRef<TodoRow_todo>, _ id: DataID, in environment: RelayEnvironment
) throws -> [String] {
  let row = environment.read(todo)
  var lines = try environment.explain(.missing(todo)).map(\.description)
  lines += [
    "missing: \(row.missing), deleted: \(row.isDeleted), errors: \(row.errors.map(\.message))",
    "may come with: \(environment.pendingOperations(affecting: todo).map(\.name))",
    "retained by: \(environment.store.explain(id))",
    environment.store.dump(.visible),
  ]
  return lines
}

/// Prints the cause of each snapshot of a todo.
func printCauses(
  of todo: FragmentRef<TodoRow_todo>, in environment: RelayEnvironment,
  print: @Sendable (String) -> Void
) async {
  for await snapshot in environment.observe(todo) {
    print(snapshot.cause?.description ?? "the first snapshot")
  }
}

/// Returns the snapshots of a todo with their causes, then the changes without a snapshot.
func deliveryReport(
  of todo: FragmentRef<TodoRow_todo>, in environment: RelayEnvironment
) throws -> [String] {
  var lines = try environment.explain(.delivered(todo)).map(\.description)
  lines += try environment.explain(.notDelivered(todo)).map(\.description)
  return lines
}

/// Writes the inspector's page to a file.
func saveInspection(of environment: RelayEnvironment, to file: URL) throws {
  try Inspector.write(environment.timeline(), to: file)
}

#if DEBUG
  /// Serves the inspector's page until the server is stopped or released.
  func serveInspector(of environment: RelayEnvironment) throws -> InspectorServer {
    let server = try InspectorServer(environment)
    print("The inspector is at \(server.url)")
    return server
  }
#endif

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
