import Testing

@testable import RelayPersistence
@testable import InvariantChecks
@testable import RelayStore

/// A transport for tests that must not fetch.
struct NoTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(.transport, "This test must not send a request.")
  }
}

/// A store in a directory, opened as a new process would.
struct PersistedStore {
  let store: RecordStore
  let environment: RelayEnvironment
  let events: Events

  /// The events of a store.
  final class Events: Sendable {
    private let all = Locked<[StoreEvent]>([])
    func append(_ event: StoreEvent) { all.withLock { $0.append(event) } }
    var list: [StoreEvent] { all.withLock { $0 } }
    var problems: [StoreEvent] { list.filter(\.isProblem) }
  }

  init(
    _ persistence: Persistence,
    configuration: RecordStore.Configuration = .init(
      garbageCollection: .manual)
  ) {
    let events = Events()
    var configuration = configuration
    configuration.persistence = persistence
    configuration.log = { events.append($0) }
    self.events = events
    store = RecordStore(configuration: configuration)
    environment = RelayEnvironment(store: store, transport: NoTransport())
  }

  init(_ directory: TemporaryDirectory) {
    self.init(.sqlite(directory: directory.path, library: testedLibrary))
  }

  /// Returns the first five lines of the base's dump that differ from another dump.
  func differences(from dump: String) -> [String] {
    let (own, other) = (store.dump(.base).split(separator: "\n"), dump.split(separator: "\n"))
    return own.difference(from: other).prefix(5).map { change in
      switch change {
      case .insert(_, let line, _): "+ \(line.prefix(150))"
      case .remove(_, let line, _): "- \(line.prefix(150))"
      }
    }
  }

  /// Closes the database, as the end of the process would, with all changes persisted.
  func close() async throws { try await store.suspend() }

  /// Checks the invariants of the store.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    let violation = store.violatedInvariant
    #expect(violation == nil, sourceLocation: sourceLocation)
  }

  /// Writes a response of an operation, as a fetch would.
  func receive(
    _ data: JSONValue, of operation: OperationPlan, _ variables: JSONObject = [:]
  ) throws {
    let request = OperationRequest(
      operation, variables: Variables(json: variables), store: store, root: .root)
    try store.publish(
      [.commit(try request.payload(data.jsonBytes), root: .root)], of: request.written)
  }
}

extension RecordStore {
  /// The store's first violated invariant; `nil` if all hold.
  var violatedInvariant: String? { checkInvariants() }
}
