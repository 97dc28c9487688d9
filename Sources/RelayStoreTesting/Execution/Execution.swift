import GraphQLLanguage
import RelayStore

/// The execution of one operation, or of one part of its response.
///
/// Source: GraphQL specification, section 6; for `@defer` and `@stream` its draft.
final class Execution {
  let context: ExecutionContext
  /// The field errors recorded so far, in the order of their occurrence.
  private(set) var errors: [ExecutionError] = []
  /// The work for later parts, an object before those inside it. It has no work below an object
  /// that a propagated null has removed.
  private(set) var deferred: [DeferredWork] = []

  private var schema: Schema { context.schema }

  init(_ context: ExecutionContext) { self.context = context }

  /// An error that propagates null from a non-null position to the nearest nullable field or list
  /// item. Its field error has been recorded.
  private struct NullPropagation: Error {}

  /// Executes the operation and returns `data`, which is null when a null propagated to the root.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, and nothing else.
  func run() async throws -> JSONValue {
    let root = ResponseObject(
      type: context.request.rootType, value: context.sourceValue ?? .object([:]), path: [])
    let set = SelectedSet(set: context.request.operation.selectionSet, usage: nil)
    return try await part { try await self.execute([set], on: root, in: DeferScope()) }.data
      ?? .null
  }

  /// Executes the fields of deferred fragments.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, and nothing else.
  func run(_ group: DeferredGroup) async throws -> PartResult {
    try await part {
      switch group.content {
      case .selections(let set):
        try await self.execute([set], on: group.object, in: group.scope)
      case .fields(let fields):
        try await self.execute(fields, on: group.object, in: group.scope)
      }
    }
  }

  /// Executes an item of a list.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, and nothing else.
  func run(_ list: StreamedList, itemAt index: Int) async throws -> PartResult {
    try await part {
      try await self.item(
        list.items[index], as: list.itemType, of: list.field,
        at: list.path.appending(.index(index)), in: DeferScope())
    }
  }

  /// Returns the response with this execution's errors.
  func response(data: JSONValue, in workspace: Workspace) -> JSONValue {
    guard !errors.isEmpty else { return ["data": data] }
    return ["errors": .array(errors.map { $0.json(in: workspace) }), "data": data]
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
  private func execute(
    _ sets: [SelectedSet], on object: ResponseObject, in scope: DeferScope
  ) async throws -> JSONValue {
    var collector = FieldCollector(context: context, type: object.type)
    for set in sets {
      do {
        try collector.collect(set)
      } catch let failure as CoercionFailure {
        record(failure, at: set.set.span, path: object.path)
        throw NullPropagation()
      }
    }
    if collector.deferred.isEmpty, scope.fragments.isEmpty {
      return try await execute(collector.groups, on: object, in: scope)
    }
    let division = FieldDivision(collector, on: object, in: scope)
    deferred += division.deferred.map { .group($0) }
    return try await execute(division.current, on: object, in: division.scope)
  }

  /// Executes collected fields on one object.
  private func execute(
    _ groups: [FieldGroup], on object: ResponseObject, in scope: DeferScope
  ) async throws -> JSONValue {
    var result = JSONObject()
    for group in groups {
      let name = schema.symbols[group.key]
      result[name] = try await execute(
        group.fields, on: object, path: object.path.appending(.field(name)), in: scope)
    }
    return .object(result)
  }

  /// Executes the fields with one response key on one object.
  private func execute(
    _ fields: [CollectedField], on object: ResponseObject, path: ResponsePath, in scope: DeferScope
  ) async throws -> JSONValue {
    let name = fields[0].field.name.symbol
    let type = object.type
    if name == .typename { return .string(schema.symbols[type.symbol]) }
    guard let definition = schema.field(named: name, on: type) else { return .null }
    let field = FieldExecution(type: type, fields: fields, definition: definition)
    let deferredCount = deferred.count
    do {
      try Task.checkCancellation()
      let value = try await resolve(field, parent: object.value, path: path)
      return try await complete(value, as: definition.type, of: field, at: path, in: scope)
    } catch {
      deferred.removeSubrange(deferredCount...)
      return try handle(error, in: definition.type, of: field, at: path)
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

  /// Records the error of a field or list item, and returns null when its type is nullable.
  ///
  /// - Throws: `NullPropagation` when the type is non-null; `CancellationError` when the task is
  ///   cancelled.
  private func handle(
    _ error: any Error, in type: ResolvedType, of field: FieldExecution, at path: ResponsePath
  ) throws -> JSONValue {
    if error is CancellationError, Task.isCancelled { throw error }
    if !(error is NullPropagation) { record(error, at: field.fields[0].field.span, path: path) }
    if type.isNonNull { throw NullPropagation() }
    return .null
  }

  private func record(_ error: any Error, at span: Span, path: ResponsePath) {
    errors.append(ExecutionError(error, at: span, path: path))
  }
}

/// A field being executed: the object's type, the fields with one response key, and the field
/// definition.
struct FieldExecution: Sendable {
  let type: NamedType
  /// The fields with the same response key, at least one. The first provides the arguments.
  let fields: [CollectedField]
  let definition: SchemaField
}

// MARK: - Completing values

extension Execution {
  /// Completes a resolved value according to its type.
  private func complete(
    _ value: JSONValue, as type: ResolvedType, of field: FieldExecution, at path: ResponsePath,
    in scope: DeferScope
  ) async throws -> JSONValue {
    if value.isNull {
      guard type.isNonNull else { return .null }
      throw GraphQLError(
        message: "Cannot return null for non-nullable field \(name(of: field)).")
    }
    if let item = type.item {
      return try await completeList(value, as: item, of: field, at: path, in: scope)
    }
    let named = schema[type.named]
    guard named.isComposite else { return try coerceLeaf(value, as: named, of: field) }
    let object = try objectType(of: value, as: named, in: field)
    let sets = field.fields.compactMap { collected in
      collected.field.selectionSet.map { SelectedSet(set: $0, usage: collected.usage) }
    }
    return try await execute(
      sets, on: ResponseObject(type: object, value: value, path: path), in: scope)
  }

  private func completeList(
    _ value: JSONValue, as item: ResolvedType, of field: FieldExecution, at path: ResponsePath,
    in scope: DeferScope
  ) async throws -> JSONValue {
    guard let values = value.array else {
      throw GraphQLError(message: "Expected a list for field \(name(of: field)).")
    }
    let streamed = try streamedList(values, of: item, in: field, at: path)
    var result: [JSONValue] = []
    let count = streamed?.start ?? values.count
    result.reserveCapacity(count)
    for (index, value) in values.prefix(count).enumerated() {
      result.append(
        try await self.item(
          value, as: item, of: field, at: path.appending(.index(index)), in: scope))
    }
    if let streamed { deferred.append(.list(streamed)) }
    return .array(result)
  }

  /// Completes an item of a list, or records its error.
  private func item(
    _ value: JSONValue, as type: ResolvedType, of field: FieldExecution, at path: ResponsePath,
    in scope: DeferScope
  ) async throws -> JSONValue {
    let deferredCount = deferred.count
    do {
      try Task.checkCancellation()
      return try await complete(value, as: type, of: field, at: path, in: scope)
    } catch {
      deferred.removeSubrange(deferredCount...)
      return try handle(error, in: type, of: field, at: path)
    }
  }

  /// Returns the items that a list leaves for later parts; `nil` when it has no `@stream`, or there
  /// are none. Of nested lists, `@stream` applies to the outermost.
  private func streamedList(
    _ values: [JSONValue], of item: ResolvedType, in field: FieldExecution, at path: ResponsePath
  ) throws -> StreamedList? {
    guard context.strategy != nil, case .field? = path.components.last,
      let symbol = schema.symbols.find("stream"),
      let directive = field.fields[0].field.directives[named: symbol],
      let arguments = try context.arguments(of: directive), arguments["if"]?.bool != false
    else { return nil }
    let start = (arguments["initialCount"] ?? arguments["initial_count"])?.int ?? 0
    guard start >= 0 else {
      throw GraphQLError(message: "\"initialCount\" must not be negative.")
    }
    guard start < values.count else { return nil }
    // The fields of an item are in no deferred fragment, because the items are parts themselves.
    let fields = field.fields.map { CollectedField(field: $0.field, usage: nil) }
    return StreamedList(
      label: arguments["label"]?.string, path: path, items: values, start: start, itemType: item,
      field: FieldExecution(type: field.type, fields: fields, definition: field.definition))
  }

  /// Returns the object type of a value: the type named by its `__typename`, or `type` if that is
  /// an object type.
  private func objectType(
    of value: JSONValue, as type: NamedType, in field: FieldExecution
  ) throws -> NamedType {
    let fieldName = name(of: field)
    guard value.object != nil else {
      throw GraphQLError(message: "Expected an object for field \(fieldName).")
    }
    guard let typename = value["__typename"]?.string else {
      if type.kind == .object { return type }
      throw GraphQLError(
        message:
          "The object for field \(fieldName) does not say its type; give it a \"__typename\".")
    }
    guard let object = schema.type(named: typename), object.kind == .object,
      schema.isSubtype(object.id, of: type.id)
    else {
      let expected = schema.symbols[type.symbol]
      throw GraphQLError(
        message:
          "The object for field \(fieldName) says it is a \"\(typename)\", expected \"\(expected)\"."
      )
    }
    return object
  }

  private func coerceLeaf(
    _ value: JSONValue, as type: NamedType, of field: FieldExecution
  ) throws -> JSONValue {
    if schema.accepts(value, as: type) {
      guard type.symbol == .id, case .number(let number) = value else { return value }
      return .string(number.digits)
    }
    let expected = schema.symbols[type.symbol]
    throw GraphQLError(
      message: "The value for field \(name(of: field)) is not of type \"\(expected)\".")
  }

  private func name(of field: FieldExecution) -> String {
    "\(schema.symbols[field.type.symbol]).\(schema.symbols[field.definition.symbol])"
  }
}
