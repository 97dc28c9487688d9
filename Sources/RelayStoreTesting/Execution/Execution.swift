import GraphQLLanguage
import RelayStore

/// The execution of one operation.
///
/// Source: GraphQL specification, section 6.
final class Execution {
  let request: PreparedRequest
  let variables: [Symbol: JSONValue]
  let resolvers: [TypeID: [Symbol: FieldResolver]]
  /// The generator of values for fields without a resolver; `nil` makes them null.
  let valueGeneration: ValueGeneration?
  /// The field errors recorded so far, in the order of their occurrence.
  private(set) var errors: [ExecutionError] = []

  var schema: Schema { request.schema }

  init(
    request: PreparedRequest, variables: [Symbol: JSONValue],
    resolvers: [TypeID: [Symbol: FieldResolver]], valueGeneration: ValueGeneration? = nil
  ) {
    self.valueGeneration = valueGeneration
    self.request = request
    self.variables = variables
    self.resolvers = resolvers
  }

  /// An error that propagates null from a non-null position to the nearest nullable field or list
  /// item. Its field error has been recorded.
  private struct NullPropagation: Error {}

  /// Executes the operation and returns `data`, which is null when a null propagated to the root.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, and nothing else.
  func run() async throws -> JSONValue {
    do {
      return try await execute(
        [request.operation.selectionSet], on: request.rootType, value: .object([:]), path: [])
    } catch is NullPropagation {
      return .null
    }
  }

  /// Executes selection sets on one object, in the order of the request.
  private func execute(
    _ sets: [SelectionSet], on type: NamedType, value: JSONValue, path: ResponsePath
  ) async throws -> JSONValue {
    var collector = FieldCollector(execution: self, type: type)
    for set in sets {
      do {
        try collector.collect(set)
      } catch let failure as CoercionFailure {
        record(failure, at: set.span, path: path)
        throw NullPropagation()
      }
    }
    var result = JSONObject()
    for (key, fields) in collector.groups {
      let name = schema.symbols[key]
      result[name] = try await execute(
        fields, on: type, parent: value, path: path.appending(.field(name)))
    }
    return .object(result)
  }

  /// Executes the fields with one response key on one object.
  private func execute(
    _ fields: [Field], on type: NamedType, parent: JSONValue, path: ResponsePath
  ) async throws -> JSONValue {
    let name = fields[0].name.symbol
    if name == .typename { return .string(schema.symbols[type.symbol]) }
    guard let definition = schema.field(named: name, on: type) else { return .null }
    let field = FieldExecution(type: type, fields: fields, definition: definition)
    do {
      try Task.checkCancellation()
      let value = try await resolve(field, parent: parent, path: path)
      return try await complete(value, as: definition.type, of: field, at: path)
    } catch {
      return try handle(error, in: definition.type, of: field, at: path)
    }
  }

  private func resolve(
    _ field: FieldExecution, parent: JSONValue, path: ResponsePath
  ) async throws -> JSONValue {
    let arguments = try InputCoercion(schema: schema).arguments(
      field.fields[0].arguments, of: field.definition.arguments, variables: variables)
    let name = schema.symbols[field.definition.symbol]
    let resolver = resolvers[field.type.id]?[field.definition.symbol]
    if resolver == nil {
      let responseKey = schema.symbols[field.fields[0].responseKey]
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
    if !(error is NullPropagation) { record(error, at: field.fields[0].span, path: path) }
    if type.isNonNull { throw NullPropagation() }
    return .null
  }

  private func record(_ error: any Error, at span: Span, path: ResponsePath) {
    var recorded =
      switch error {
      case let error as GraphQLError:
        ExecutionError(message: error.message, extensions: error.extensions)
      case let error as CoercionFailure: ExecutionError(message: error.message)
      default: ExecutionError(message: "\(error)")
      }
    recorded.span = span
    recorded.path = path
    errors.append(recorded)
  }
}

/// A field being executed: the object's type, the fields with one response key, and the field
/// definition.
struct FieldExecution {
  let type: NamedType
  /// The fields with the same response key, at least one. The first provides the arguments.
  let fields: [Field]
  let definition: SchemaField
}

// MARK: - Completing values

extension Execution {
  /// Completes a resolved value according to its type.
  private func complete(
    _ value: JSONValue, as type: ResolvedType, of field: FieldExecution, at path: ResponsePath
  ) async throws -> JSONValue {
    if value.isNull {
      guard type.isNonNull else { return .null }
      throw GraphQLError(
        message: "Cannot return null for non-nullable field \(name(of: field)).")
    }
    if let item = type.item { return try await completeList(value, as: item, of: field, at: path) }
    let named = schema[type.named]
    guard named.isComposite else { return try coerceLeaf(value, as: named, of: field) }
    let object = try objectType(of: value, as: named, in: field)
    return try await execute(
      field.fields.compactMap(\.selectionSet), on: object, value: value, path: path)
  }

  private func completeList(
    _ value: JSONValue, as item: ResolvedType, of field: FieldExecution, at path: ResponsePath
  ) async throws -> JSONValue {
    guard let values = value.array else {
      throw GraphQLError(message: "Expected a list for field \(name(of: field)).")
    }
    var result: [JSONValue] = []
    result.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      let path = path.appending(.index(index))
      do {
        try Task.checkCancellation()
        result.append(try await complete(value, as: item, of: field, at: path))
      } catch {
        result.append(try handle(error, in: item, of: field, at: path))
      }
    }
    return .array(result)
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
