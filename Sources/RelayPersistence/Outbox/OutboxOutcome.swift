public import RelayStore

/// The response to a mutation of the outbox.
public struct OutboxOutcome: Sendable {
  /// The server's id of each object that the mutation has created under a ``/RelayStore/ClientID``.
  public let ids: [DataID: DataID]
  private let operationName: String
  private let variables: JSONObject
  /// The body of the response; `nil` if it is not known anymore.
  private let body: [UInt8]?

  /// The outcome of an entry that is not in the outbox anymore.
  init() { (ids, operationName, variables, body) = ([:], "", [:], nil) }

  /// The outcome of an entry with a response.
  init(of record: OutboxRecord) {
    ids = Dictionary(
      ServerIDs(of: record).ids.map { (DataID($0.key), DataID($0.value)) }
    ) { $1 }
    operationName = record.entry.operationName
    (variables, body) = (record.variables, record.response)
  }

  /// Returns the response's data, without derived fields.
  ///
  /// - Parameter type: The mutation of the entry.
  /// - Returns: `nil` if the entry ended in an earlier run of the program, or before the last
  ///   hundred that did.
  /// - Throws: ``/RelayStore/RelayError`` with code `request` if the entry is of another mutation.
  public func data<Mutation: GraphQLMutation>(as type: Mutation.Type) throws -> Mutation.Data? {
    guard let body else { return nil }
    let (store, operation) = (RecordStore(), Mutation.__operation)
    if operation.name != operationName {
      throw RelayError(
        .request, "The response is of \"\(operationName)\", not \"\(operation.name)\".",
        operationName: operation.name)
    }
    let root = DataID("client:local:\(store.makeID())")
    let variables = Variables(json: variables)
    let request = OperationRequest(operation, variables: variables, store: store, root: root)
    let payload = try request.reader().response(body).payload
    try store.publish([.commit(payload, root: root)])
    let scope = VariableScope(operation: variables.json)
    return Snapshot<Mutation.Data>(store.read(.record(root, operation.reader, in: scope))).data
  }
}

/// The last outcomes of this run of the program.
struct RecentOutcomes {
  private var outcomes: [OutboxEntry.ID: OutboxOutcome] = [:]
  /// The ids of the entries, oldest first.
  private var order: [OutboxEntry.ID] = []
  private static let limit = 100

  subscript(id: OutboxEntry.ID) -> OutboxOutcome { outcomes[id] ?? OutboxOutcome() }

  mutating func insert(_ outcome: OutboxOutcome, of id: OutboxEntry.ID) {
    if outcomes.updateValue(outcome, forKey: id) == nil { order.append(id) }
    if order.count > Self.limit { outcomes[order.removeFirst()] = nil }
  }
}
