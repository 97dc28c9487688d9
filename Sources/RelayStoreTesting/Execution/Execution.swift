import GraphQLLanguage
import RelayStore

/// The execution of one operation, or of one part of its response.
///
/// Source: GraphQL specification, section 6; for `@defer` and `@stream`, its draft.
final class Execution {
  let context: ExecutionContext
  /// The recorded field errors, in the order of their occurrence.
  private(set) var errors: [ExecutionError] = []
  /// The deferred work, with outer objects before inner ones. Excludes work below an object that a
  /// propagated null has removed.
  private(set) var deferred: [DeferredWork] = []

  var schema: Schema { context.schema }

  init(_ context: ExecutionContext) { self.context = context }

  /// An error that propagates null from a non-null position to the nearest nullable field or list
  /// item. The field error has already been recorded.
  private struct NullPropagation: Error {}

  /// Executes the operation and returns `data`, which is null if a null propagated to the root.
  ///
  /// - Throws: Only `CancellationError`, if the task is cancelled.
  func run() async throws -> JSONValue {
    let root = ResponseObject(
      type: context.request.rootType, value: context.sourceValue ?? .object([:]), path: [])
    let set = SelectedSet(set: context.request.operation.selectionSet, enclosing: nil)
    return try await part { try await self.execute([set], on: root, in: []) }.data
      ?? .null
  }

  /// Executes the fields of deferred fragments.
  ///
  /// - Throws: Only `CancellationError`, if the task is cancelled.
  func run(_ group: DeferredGroup) async throws -> PartResult {
    try await part {
      switch group.content {
      case .selections(let set):
        try await self.execute([set], on: group.object, in: group.fragments)
      case .fields(let fields):
        try await self.execute(fields, on: group.object, in: group.fragments)
      }
    }
  }

  /// Executes an item of a list.
  ///
  /// - Throws: Only `CancellationError`, if the task is cancelled.
  func run(_ list: StreamedList, itemAt index: Int) async throws -> PartResult {
    try await part {
      try await self.item(
        list.items[index], as: list.itemType, of: list.field,
        at: list.path.appending(.index(index)), in: [])
    }
  }

  /// Returns the response with this execution's errors.
  func response(data: JSONValue, in workspace: Workspace) -> JSONValue {
    guard !errors.isEmpty else { return ["data": data] }
    return ["errors": errors.json(in: workspace), "data": data]
  }

  private func part(_ body: () async throws -> JSONValue) async throws -> PartResult {
    do {
      return PartResult(data: try await body(), errors: errors, deferred: deferred)
    } catch is NullPropagation {
      deferred = []
      return PartResult(data: nil, errors: errors, deferred: [])
    }
  }

  /// Executes selection sets on one object, in the order of the request.
  func execute(
    _ sets: [SelectedSet], on object: ResponseObject, in fragments: [DeferredFragment]
  ) async throws -> JSONValue {
    var collector = FieldCollector(context: context, type: object.type, path: object.path)
    for set in sets {
      do {
        try collector.collect(set)
      } catch let failure as CoercionFailure {
        record(failure, at: set.set.span, path: object.path)
        throw NullPropagation()
      }
    }
    let division = FieldDivision(collector, on: object, in: fragments)
    deferred += division.deferred.map { .group($0) }
    return try await execute(division.current, on: object, in: fragments)
  }

  /// Executes collected fields on one object.
  private func execute(
    _ groups: [FieldGroup], on object: ResponseObject, in fragments: [DeferredFragment]
  ) async throws -> JSONValue {
    var result = JSONObject()
    for group in groups {
      let name = schema.symbols[group.key]
      result[name] = try await execute(
        group.fields, on: object, path: object.path.appending(.field(name)), in: fragments)
    }
    return .object(result)
  }

  /// Executes the fields with one response key on one object.
  private func execute(
    _ fields: [CollectedField], on object: ResponseObject, path: ResponsePath,
    in fragments: [DeferredFragment]
  ) async throws -> JSONValue {
    let name = fields[0].field.name.symbol
    let type = object.type
    if name == .typename { return .string(schema.symbols[type.symbol]) }
    guard let definition = schema.field(named: name, on: type) else { return .null }
    let field = FieldExecution(type: type, fields: fields, definition: definition)
    return try await handlingErrors(in: definition.type, of: field, at: path) {
      try Task.checkCancellation()
      let value = try await self.resolve(field, parent: object.value, path: path)
      return try await self.complete(value, as: definition.type, of: field, at: path, in: fragments)
    }
  }

  private func resolve(
    _ field: FieldExecution, parent: JSONValue, path: ResponsePath
  ) async throws -> JSONValue {
    let arguments = try context.arguments(of: field)
    let name = schema.symbols[field.definition.symbol]
    let resolver = context.resolvers[field.type.id]?[field.definition.symbol]
    let valueGeneration = context.valueGeneration
    if resolver == nil, path.components.count == 1, let value = context.sourceValue {
      return valueGeneration?.completing(value, field.definition.type, at: path, in: schema)
        ?? value
    }
    if resolver == nil {
      let responseKey = schema.symbols[field.fields[0].field.responseKey]
      let member = parent[name] ?? parent[ConnectionMember.key(for: responseKey)]
      if let member { return member }
    }
    let call = FieldCall(
      parent: parent, typeName: schema.symbols[field.type.symbol], fieldName: name,
      arguments: arguments, path: path)
    guard let resolver else {
      return valueGeneration?.value(of: call, field.definition.type, in: schema) ?? .null
    }
    let value = try await resolver(call) ?? .null
    return valueGeneration?.completing(value, field.definition.type, at: path, in: schema) ?? value
  }

  /// Executes a field or list item. If it fails, records the error, drops the deferred work found
  /// in it, and returns null.
  ///
  /// - Throws: `NullPropagation` if the type is non-null; `CancellationError` if the task is
  ///   cancelled.
  func handlingErrors(
    in type: ResolvedType, of field: FieldExecution, at path: ResponsePath,
    _ body: () async throws -> JSONValue
  ) async throws -> JSONValue {
    let deferredCount = deferred.count
    do {
      return try await body()
    } catch {
      deferred.removeSubrange(deferredCount...)
      if error is CancellationError, Task.isCancelled { throw error }
      if !(error is NullPropagation) {
        record(error, at: field.fields[0].field.span, path: path)
      }
      if type.isNonNull { throw NullPropagation() }
      return .null
    }
  }

  /// Defers work to a later part.
  func later(_ work: DeferredWork) { deferred.append(work) }

  private func record(_ error: any Error, at span: Span, path: ResponsePath) {
    errors.append(ExecutionError(error, at: span, path: path))
  }
}
