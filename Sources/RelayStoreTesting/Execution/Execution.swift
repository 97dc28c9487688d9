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
  let generated: ValueGeneration?
  /// The field errors recorded so far, in the order of their occurrence.
  private(set) var errors: [ExecutionError] = []

  var schema: Schema { request.schema }

  init(
    request: PreparedRequest, variables: [Symbol: JSONValue],
    resolvers: [TypeID: [Symbol: FieldResolver]], generated: ValueGeneration? = nil
  ) {
    self.generated = generated
    self.request = request
    self.variables = variables
    self.resolvers = resolvers
  }

  /// An error that propagates null from a non-null position to the nearest nullable field or list
  /// item. Its field error has been recorded.
  private struct Nulled: Error {}

  /// Executes the operation and returns `data`, which is null when a null propagated to the root.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, and nothing else.
  func run() async throws -> JSONValue {
    do {
      return try await selections(
        [request.operation.selectionSet], on: request.rootType, value: .object([:]), path: [])
    } catch is Nulled {
      return .null
    }
  }

  /// Executes selection sets on one object, in the order of the request.
  private func selections(
    _ sets: [SelectionSet], on type: NamedType, value: JSONValue, path: ResponsePath
  ) async throws -> JSONValue {
    var collector = FieldCollector(execution: self, type: type)
    for set in sets {
      do {
        try collector.collect(set)
      } catch let failure as CoercionFailure {
        record(failure, at: set.span, path)
        throw Nulled()
      }
    }
    var result = JSONObject()
    for (key, fields) in collector.groups {
      let name = schema.symbols[key]
      result[name] = try await field(
        fields, on: type, parent: value, path: path.appending(.field(name)))
    }
    return .object(result)
  }

  private func field(
    _ fields: [Field], on type: NamedType, parent: JSONValue, path: ResponsePath
  ) async throws -> JSONValue {
    let field = fields[0]
    if field.name.symbol == .typename { return .string(schema.symbols[type.symbol]) }
    guard let definition = schema.field(named: field.name.symbol, on: type) else { return .null }
    let position = Position(type: type, fields: fields, definition: definition)
    do {
      try Task.checkCancellation()
      let value = try await resolve(position, parent: parent, path: path)
      return try await complete(value, definition.type, position, path)
    } catch {
      return try handle(error, definition.type, position, path)
    }
  }

  private func resolve(_ position: Position, parent: JSONValue, path: ResponsePath) async throws
    -> JSONValue
  {
    let arguments = try InputCoercion(schema: schema).arguments(
      position.fields[0].arguments, of: position.definition.arguments, variables: variables)
    let name = schema.symbols[position.definition.symbol]
    let resolver = resolvers[position.type.id]?[position.definition.symbol]
    if resolver == nil, let known = parent[name] { return known }
    let call = FieldCall(
      parent: parent, typeName: schema.symbols[position.type.symbol], fieldName: name,
      arguments: arguments, path: path)
    guard let resolver else {
      return generated?.value(of: call, position.definition.type, in: schema) ?? .null
    }
    let value = try await resolver(call) ?? .null
    return generated?.completing(value, position.definition.type, at: path, in: schema) ?? value
  }

  /// Records the error of a field or list item, and returns null when its type is nullable.
  ///
  /// - Throws: `Nulled` when the type is non-null; `CancellationError` when the task is cancelled.
  private func handle(
    _ error: any Error, _ type: ResolvedType, _ position: Position, _ path: ResponsePath
  ) throws -> JSONValue {
    if error is CancellationError, Task.isCancelled { throw error }
    if !(error is Nulled) { record(error, at: position.fields[0].span, path) }
    if type.isNonNull { throw Nulled() }
    return .null
  }

  private func record(_ error: any Error, at span: Span, _ path: ResponsePath) {
    let shown =
      switch error {
      case let error as GraphQLError:
        ExecutionError(message: error.message, extensions: error.extensions)
      case let error as CoercionFailure: ExecutionError(message: error.message)
      default: ExecutionError(message: "\(error)")
      }
    var recorded = shown
    recorded.span = span
    recorded.path = path
    errors.append(recorded)
  }
}

/// A field being executed: the object's type, the fields with one response key, and the field
/// definition.
struct Position {
  let type: NamedType
  /// The fields with the same response key, at least one. The first provides the arguments.
  let fields: [Field]
  let definition: SchemaField
}

// MARK: - Completing values

extension Execution {
  /// Completes a resolved value according to its type.
  private func complete(
    _ value: JSONValue, _ type: ResolvedType, _ position: Position, _ path: ResponsePath
  ) async throws -> JSONValue {
    if value.isNull {
      guard type.isNonNull else { return .null }
      throw GraphQLError(
        message: "Cannot return null for non-nullable field \(name(of: position)).")
    }
    if let item = type.item { return try await list(value, of: item, position, path) }
    let named = schema[type.named]
    guard named.isComposite else { return try leaf(value, named, position) }
    let object = try objectType(of: value, as: named, position)
    return try await selections(
      position.fields.compactMap(\.selectionSet), on: object, value: value, path: path)
  }

  private func list(
    _ value: JSONValue, of item: ResolvedType, _ position: Position, _ path: ResponsePath
  ) async throws -> JSONValue {
    guard let values = value.array else {
      throw GraphQLError(message: "Expected a list for field \(name(of: position)).")
    }
    var result: [JSONValue] = []
    result.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      let path = path.appending(.index(index))
      do {
        try Task.checkCancellation()
        result.append(try await complete(value, item, position, path))
      } catch {
        result.append(try handle(error, item, position, path))
      }
    }
    return .array(result)
  }

  /// Returns the object type of a value: the type named by its `__typename`, or `type` if that is
  /// an object type.
  private func objectType(of value: JSONValue, as type: NamedType, _ position: Position) throws
    -> NamedType
  {
    let place = name(of: position)
    guard value.object != nil else {
      throw GraphQLError(message: "Expected an object for field \(place).")
    }
    guard let typename = value["__typename"]?.string else {
      if type.kind == .object { return type }
      throw GraphQLError(
        message: "The object for field \(place) does not say its type; give it a \"__typename\".")
    }
    guard let object = schema.type(named: typename), object.kind == .object,
      schema.isSubtype(object.id, of: type.id)
    else {
      let expected = schema.symbols[type.symbol]
      throw GraphQLError(
        message:
          "The object for field \(place) says it is a \"\(typename)\", expected \"\(expected)\".")
    }
    return object
  }

  private func leaf(_ value: JSONValue, _ type: NamedType, _ position: Position) throws -> JSONValue
  {
    switch (type.symbol, value) {
    case (.int, .number(let number)) where ScalarRules.isInt(number): return value
    case (.float, .number(let number)) where number.double != nil: return value
    case (.string, .string), (.boolean, .bool), (.id, .string): return value
    case (.id, .number(let number)) where Int(number.digits) != nil: return .string(number.digits)
    case (.int, _), (.float, _), (.string, _), (.boolean, _), (.id, _): break
    case (_, .string(let name)) where type.kind == .enum:
      if let symbol = schema.symbols.find(name), type.enumValues[named: symbol] != nil {
        return value
      }
    case _ where type.kind == .scalar: return value
    default: break
    }
    let expected = schema.symbols[type.symbol]
    throw GraphQLError(
      message: "The value for field \(name(of: position)) is not of type \"\(expected)\".")
  }

  private func name(of position: Position) -> String {
    "\(schema.symbols[position.type.symbol]).\(schema.symbols[position.definition.symbol])"
  }
}
