import GraphQLLanguage
import RelayStore

/// The reason why a value cannot be coerced to the type of a variable or argument.
struct CoercionFailure: Error {
  var message: String
}

/// The coercion of variables, arguments and literals to the types of a schema.
///
/// Source: GraphQL specification, sections 3 (input coercion), 6.1.2 and 6.4.1.
struct InputCoercion {
  let schema: Schema

  /// Coerces the variables of an operation. The result omits variables with neither a value nor a
  /// default.
  ///
  /// - Throws: ``RequestFailure`` that lists the variables that cannot be coerced.
  func variables(_ definitions: [VariableDefinition], given: JSONObject) throws -> [Symbol:
    JSONValue]
  {
    var values: [Symbol: JSONValue] = [:]
    var errors: [ExecutionError] = []
    for definition in definitions {
      let name = schema.symbols[definition.name.symbol]
      do {
        values[definition.name.symbol] = try variable(definition, given: given[name])
      } catch let failure as CoercionFailure {
        errors.append(
          ExecutionError(
            message: "Variable \"$\(name)\": \(failure.message)", span: definition.span))
      }
    }
    guard errors.isEmpty else { throw RequestFailure(errors) }
    return values
  }

  private func variable(_ definition: VariableDefinition, given: JSONValue?) throws -> JSONValue? {
    guard let type = schema.resolve(definition.type), schema[type.named].isInput else {
      let name = schema.symbols[definition.type.name.symbol]
      throw CoercionFailure(message: "\"\(name)\" is not an input type.")
    }
    if let given { return try coerce(given, to: type, at: "value") }
    if let value = definition.defaultValue { return try coerce(value, to: type, variables: [:]) }
    guard !type.isNonNull else {
      throw CoercionFailure(message: "a value of type \"\(schema.text(of: type))\" is required.")
    }
    return nil
  }

  /// Coerces the arguments of a field or directive.
  ///
  /// - Throws: ``CoercionFailure`` if a required argument is missing or a value cannot be coerced.
  func arguments(
    _ given: [Argument], of definitions: NamedList<SchemaInputValue>,
    variables: [Symbol: JSONValue]
  ) throws -> JSONObject {
    var values = JSONObject()
    for definition in definitions {
      let argument = given.first { $0.name.symbol == definition.symbol }
      let name = schema.symbols[definition.symbol]
      do {
        values[name] = try member(definition, given: argument?.value, variables: variables)
      } catch let failure as CoercionFailure {
        throw CoercionFailure(message: "Argument \"\(name)\": \(failure.message)")
      }
    }
    return values
  }

  /// Coerces the given value of an argument or input field, or its default; returns `nil` without
  /// either.
  private func member(
    _ definition: SchemaInputValue, given: Value?, variables: [Symbol: JSONValue]
  ) throws -> JSONValue? {
    if let given, !isAbsentVariable(given, variables) {
      return try coerce(given, to: definition.type, variables: variables)
    }
    return try missing(definition)
  }

  /// Returns the default of an omitted argument or input field; `nil` without one.
  ///
  /// - Throws: ``CoercionFailure`` if a value is required.
  private func missing(_ definition: SchemaInputValue) throws -> JSONValue? {
    if let value = definition.defaultValue {
      return try coerce(value, to: definition.type, variables: [:])
    }
    guard !definition.type.isNonNull else {
      throw CoercionFailure(
        message: "a value of type \"\(schema.text(of: definition.type))\" is required.")
    }
    return nil
  }

  private func isAbsentVariable(_ value: Value, _ variables: [Symbol: JSONValue]) -> Bool {
    if case .variable(let symbol) = value.kind { variables[symbol] == nil } else { false }
  }

  /// Returns null if the type is nullable.
  private func null(_ type: ResolvedType) throws -> JSONValue {
    guard !type.isNonNull else {
      throw CoercionFailure(message: "expected \"\(schema.text(of: type))\", found null.")
    }
    return .null
  }
}

// MARK: - Values in documents

extension InputCoercion {
  /// Coerces a value in the document.
  func coerce(_ value: Value, to type: ResolvedType, variables: [Symbol: JSONValue]) throws
    -> JSONValue
  {
    switch value.kind {
    case .null: return try null(type)
    case .variable(let symbol):
      guard let value = variables[symbol], !value.isNull else { return try null(type) }
      // Validation has not compared the variable's declared type with this type, so its value is
      // coerced again.
      return try coerce(value, to: type, at: "value")
    case .list(let values):
      guard let item = type.item else { return try leaf(value, type, variables: variables) }
      return .array(try values.map { try coerce($0, to: item, variables: variables) })
    default: break
    }
    if let item = type.item { return .array([try coerce(value, to: item, variables: variables)]) }
    let named = schema[type.named]
    if named.kind == .inputObject, case .object(let fields) = value.kind {
      return try object(fields, of: named, variables: variables)
    }
    return try leaf(value, type, variables: variables)
  }

  private func object(
    _ given: [ObjectField], of type: NamedType, variables: [Symbol: JSONValue]
  ) throws -> JSONValue {
    var values = JSONObject()
    for field in given where type.inputFields[named: field.name.symbol] == nil {
      throw unknownFieldError(schema.symbols[field.name.symbol], type)
    }
    for definition in type.inputFields {
      let value = given.first { $0.name.symbol == definition.symbol }?.value
      values[schema.symbols[definition.symbol]] = try member(
        definition, given: value, variables: variables)
    }
    return try checkedOneOf(values, type)
  }

  private func leaf(
    _ value: Value, _ type: ResolvedType, variables: [Symbol: JSONValue] = [:]
  ) throws -> JSONValue {
    let named = schema[type.named]
    if named.kind == .enum {
      guard case .enumValue(let symbol) = value.kind, named.enumValues[named: symbol] != nil else {
        throw mismatchError(named)
      }
      return .string(schema.symbols[symbol])
    }
    switch value.kind {
    case .enumValue where named.isBuiltIn: throw mismatchError(named)
    // The literal 1.0 is not an Int. As a variable's value, it is the same JSON number as 1.
    case .float where named.symbol == .int: throw mismatchError(named)
    default: break
    }
    return try scalar(json(value, variables), named)
  }

  /// Converts a literal to JSON, for custom scalars. The name of an enum value becomes a string. A
  /// variable without a value is omitted from an object and is null in a list.
  private func json(_ value: Value, _ variables: [Symbol: JSONValue]) -> JSONValue {
    switch value.kind {
    case .null: .null
    case .boolean(let value): .bool(value)
    case .int(let digits), .float(let digits):
      .number(JSONNumber(digits: schema.symbols[digits]))
    case .string(let text, _): .string(text)
    case .enumValue(let name): .string(schema.symbols[name])
    case .variable(let name): variables[name] ?? .null
    case .list(let values): .array(values.map { json($0, variables) })
    case .object(let fields):
      .object(
        JSONObject(
          fields.filter { !isAbsentVariable($0.value, variables) }
            .map { (schema.symbols[$0.name.symbol], json($0.value, variables)) }))
    }
  }
}

// MARK: - Values of variables

extension InputCoercion {
  /// Coerces the value of a variable.
  private func coerce(_ value: JSONValue, to type: ResolvedType, at path: String) throws
    -> JSONValue
  {
    do {
      if value.isNull { return try null(type) }
      if let item = type.item { return try list(value, of: item, at: path) }
      let named = schema[type.named]
      return named.kind == .inputObject
        ? try object(value, of: named, at: path) : try scalar(value, named)
    } catch let failure as CoercionFailure where !failure.message.hasPrefix("value") {
      throw CoercionFailure(message: "\(path): \(failure.message)")
    }
  }

  private func list(_ value: JSONValue, of item: ResolvedType, at path: String) throws -> JSONValue
  {
    guard let values = value.array else {
      return .array([try coerce(value, to: item, at: path)])
    }
    return .array(
      try values.enumerated().map { try coerce($1, to: item, at: "\(path)[\($0)]") })
  }

  private func object(_ value: JSONValue, of type: NamedType, at path: String) throws -> JSONValue {
    guard let given = value.object else { throw mismatchError(type) }
    for key in given.keys {
      guard let symbol = schema.symbols.find(key), type.inputFields[named: symbol] != nil else {
        throw unknownFieldError(key, type)
      }
    }
    var values = JSONObject()
    for definition in type.inputFields {
      let name = schema.symbols[definition.symbol]
      if let value = given[name] {
        values[name] = try coerce(value, to: definition.type, at: "\(path).\(name)")
      } else {
        do { values[name] = try missing(definition) } catch let failure as CoercionFailure {
          throw CoercionFailure(message: "\(path).\(name): \(failure.message)")
        }
      }
    }
    return try checkedOneOf(values, type)
  }
}

// MARK: - Both

extension InputCoercion {
  /// Returns a value of a scalar or enum type; the built-in scalars are checked and coerced.
  private func scalar(_ value: JSONValue, _ type: NamedType) throws -> JSONValue {
    guard let coerced = schema.coerce(value, to: type) else { throw mismatchError(type) }
    return coerced
  }

  private func checkedOneOf(_ values: JSONObject, _ type: NamedType) throws -> JSONValue {
    if type.isOneOf {
      guard values.count == 1, values.members.allSatisfy({ !$0.value.isNull }) else {
        let name = schema.symbols[type.symbol]
        throw CoercionFailure(message: "exactly one field of \"\(name)\" must be given, not null.")
      }
    }
    return .object(values)
  }

  private func mismatchError(_ type: NamedType) -> CoercionFailure {
    CoercionFailure(message: "not a value of type \"\(schema.symbols[type.symbol])\".")
  }

  private func unknownFieldError(_ name: String, _ type: NamedType) -> CoercionFailure {
    CoercionFailure(
      message: "field \"\(name)\" is not defined by type \"\(schema.symbols[type.symbol])\".")
  }
}
