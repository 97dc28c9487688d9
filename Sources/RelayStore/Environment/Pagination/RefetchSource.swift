/// The query of a refetchable fragment, and the rules that derive its variables from the variables
/// that the fragment was read with.
struct RefetchSource: Sendable {
  let operation: OperationPlan
  let fragment: SelectionPlan
  private let info: RefetchInfo
  private let provided: JSONObject

  init<Fragment: GraphQLRefetchable>(_ type: Fragment.Type) {
    operation = Fragment.RefetchQuery.__operation
    fragment = Fragment.__plan
    info = Fragment.__refetch
    provided = Fragment.__provided.json
  }

  /// Returns the request that refetches a reference's record.
  ///
  /// - Parameter changes: Values that override variables; `nil` omits a variable.
  /// - Throws: ``RelayError`` with code `request` for a reference without a record, and with code
  ///   `field` as below.
  func request(
    for target: SpreadReference, changing changes: [(String, JSONValue?)], in store: RecordStore
  ) throws -> OperationRequest {
    guard case .record(let id, let scope) = target else {
      throw RelayError(
        .request,
        "\"\(operation.name)\" cannot be sent for a value that was built by client code, or that is missing: it has no record. Use a reference that was read from the store.",
        operationName: operation.name)
    }
    return try request(for: id, scope, changing: changes, in: store)
  }

  /// Returns the request that refetches a record with the variables that its fragment was read
  /// with.
  ///
  /// - Parameter changes: Values that override variables; `nil` omits a variable.
  /// - Throws: ``RelayError`` with code `field` if the store does not have the field that the query
  ///   finds the record by.
  func request(
    for id: DataID, _ scope: VariableScope, changing changes: [(String, JSONValue?)],
    in store: RecordStore
  ) throws -> OperationRequest {
    var values: JSONObject = [:]
    let fragmentVariables = fragment.fragmentVariables.map(\.name)
    for name in operation.normalization.variables where !fragmentVariables.contains(name) {
      values[name] = scope.operation[name]
    }
    for name in fragmentVariables { values[name] = scope.arguments[name] }
    for member in provided.members { values[member.key] = member.value }
    if let field = info.id {
      let stored = store.scalar(field, of: id)
      // A record without an `id` is identified by its path, which no server knows.
      let isKey = stored == nil && field == "id" && !id.isClientID
      guard let value = isKey ? Optional(JSONValue.string(id.rawValue)) : stored else {
        throw RelayError(
          .field,
          "\"\(operation.name)\" needs \"\(field)\" of record \"\(id)\", but the store does not "
            + "have it.",
          operationName: operation.name)
      }
      values["id"] = value
    }
    for (name, value) in changes { values[name] = value }
    return OperationRequest(
      operation, variables: Variables(json: values), store: store, root: .root)
  }

  /// Returns the value for a variable that the query should not use: `nil`, which omits the
  /// variable, or null if the server would otherwise apply a non-null default value.
  func nothing(for variable: String) -> JSONValue? {
    guard let defaultValue = operation.variableDefaults[variable], !defaultValue.isNull else {
      return nil
    }
    return .null
  }

  /// Returns a reference to the fragment in the query's data, with the variables to read it with.
  func target(of request: OperationRequest, in store: RecordStore) -> SpreadReference {
    let values = request.scope.operation
    let scope = VariableScope(
      operation: values.only(fragment.used), arguments: fragment.arguments(from: values))
    guard let field = info.field else { return .record(.root, scope) }
    let slot = request.plan.plan.slots.firstIndex { $0.field?.name == field }
    guard let slot, let id = store.link(request.plan.keys[slot], of: .root) else { return .nothing }
    return .record(id, scope)
  }
}
