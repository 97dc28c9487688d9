import RelayStore

/// A store that tests write with plans and JSON, and read with plans, below the level of generated
/// code.
struct TestStore {
  let store: RecordStore
  let environment: RelayEnvironment

  init(releaseBufferSize: Int = 10) {
    self.init(.init(releaseBufferSize: releaseBufferSize, garbageCollection: .manual))
  }

  init(_ configuration: RecordStore.Configuration) {
    self.init(RecordStore(configuration: configuration))
  }

  init(_ store: RecordStore) {
    self.store = store
    environment = RelayEnvironment(store: store, transport: NoTransport())
  }

  /// Writes the data of a response to the base.
  func write(
    _ selection: TestSelection, _ data: JSONValue, errors: JSONValue = [],
    variables: JSONObject = [:]
  ) throws {
    try write(selection.normalization, data, errors: errors, variables: variables)
  }

  /// Reads a record.
  func read(_ selection: TestSelection, id: DataID = .root, variables: JSONObject = [:])
    -> RowSnapshot
  {
    read(selection.reader, id: id, variables: variables)
  }

  /// Reads a record as JSON.
  func json(_ selection: TestSelection, id: DataID = .root, variables: JSONObject = [:])
    -> JSONValue?
  {
    json(selection.reader, id: id, variables: variables)
  }

  /// Writes the data of a response to the base.
  func write(
    _ plan: SelectionPlan, _ data: JSONValue, errors: JSONValue = [], variables: JSONObject = [:]
  )
    throws
  {
    let body: JSONValue = ["data": data, "errors": errors]
    try write(plan, body: body.jsonBytes, variables: variables)
  }

  /// Writes a response to the base.
  func write(_ plan: SelectionPlan, body: [UInt8], variables: JSONObject = [:]) throws {
    let reader = ResponseReader(
      plan: store.bind(plan, variables: variables), root: .root, operationName: "TestQuery")
    try store.publish([.commit(reader.response(body).payload)])
  }

  /// Reads a record.
  func read(_ plan: SelectionPlan, id: DataID = .root, variables: JSONObject = [:]) -> RowSnapshot {
    store.read(.record(id, plan, in: VariableScope(operation: variables)))
  }

  /// Reads a record as JSON.
  func json(_ plan: SelectionPlan, id: DataID = .root, variables: JSONObject = [:]) -> JSONValue? {
    read(plan, id: id, variables: variables).row.map { .object($0.json) }
  }
}

/// A transport for tests that must not fetch.
struct NoTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(.transport, "This test must not send a request.")
  }
}
