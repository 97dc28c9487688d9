import GraphQLLanguage
import RelayStore

/// The execution of a subscription: each element of its source stream becomes a response.
///
/// Source: GraphQL specification, section 6.2.3.
struct SubscriptionExecution {
  let context: ExecutionContext
  let resolvers: [TypeID: [Symbol: SubscriptionResolver]]
  let workspace: Workspace
  let send: (JSONValue) async throws -> Void

  /// Executes the subscription until its source stream ends.
  ///
  /// - Throws: The error of `send`; a ``/RelayStore/RelayError`` that the source stream or its
  ///   resolver throws; `CancellationError` if the task is cancelled.
  func run() async throws {
    let stream: SourceStream
    do {
      stream = try await sourceStream()
    } catch let failure as RequestFailure {
      return try await send(failure.response(in: workspace))
    }
    do {
      try await stream.forEach { value in
        var context = context
        context.sourceValue = value
        let execution = Execution(context)
        let data = try await execution.run()
        try await send(execution.response(data: data, in: workspace))
      }
    } catch let failure as SourceFailure {
      try rethrow(failure.error)
      let failure = RequestFailure([ExecutionError(failure.error, at: .none, path: nil)])
      try await send(failure.response(in: workspace))
    }
  }

  /// Calls the resolver of the subscription's field.
  ///
  /// - Throws: ``RequestFailure`` with the error of the subscription's only response.
  private func sourceStream() async throws -> SourceStream {
    let operation = context.request.operation
    let (field, path) = try rootField()
    let typeName = context.schema.symbols[context.request.rootType.symbol]
    let fieldName = context.schema.symbols[field.definition.symbol]
    guard let resolver = resolvers[field.type.id]?[field.definition.symbol] else {
      throw RequestFailure(
        "The schema server has no subscription resolver for \"\(typeName).\(fieldName)\".",
        at: operation.span)
    }
    do {
      let call = FieldCall(
        parent: [:], typeName: typeName, fieldName: fieldName,
        arguments: try context.arguments(of: field), path: path)
      return try await resolver(call)
    } catch {
      try rethrow(error)
      throw RequestFailure([ExecutionError(error, at: field.fields[0].field.span, path: path)])
    }
  }

  /// Returns the only root field of the subscription.
  private func rootField() throws -> (FieldExecution, ResponsePath) {
    let (operation, type) = (context.request.operation, context.request.rootType)
    var collector = FieldCollector(context: context, type: type, path: [])
    do {
      try collector.collect(SelectedSet(set: operation.selectionSet, enclosing: nil))
    } catch let failure as CoercionFailure {
      throw RequestFailure(failure.message, at: operation.span)
    }
    guard collector.groups.count == 1, let group = collector.groups.first,
      let definition = context.schema.field(named: group.fields[0].field.name.symbol, on: type)
    else {
      throw RequestFailure("A subscription must select exactly one field.", at: operation.span)
    }
    return (
      FieldExecution(type: type, fields: group.fields, definition: definition),
      [.field(context.schema.symbols[group.key])]
    )
  }

  /// Rethrows errors that end the request rather than the subscription.
  private func rethrow(_ error: any Error) throws {
    if error is RelayError || error is CancellationError && Task.isCancelled { throw error }
  }
}
