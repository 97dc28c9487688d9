import GraphQLLanguage
import RelayStore

/// A generator of values for the types of a schema.
struct ValueGeneration: Sendable {
  private let values: GeneratedValues
  /// The overriding values by object type and field, including fields of interfaces.
  private let fieldValues: [String: JSONValue]

  /// Creates a generator.
  ///
  /// - Throws: ``SchemaServerFailure`` that lists the overrides without any possible effect.
  init(_ values: GeneratedValues, schema: Schema) throws {
    self.values = values
    var check = OverrideCheck(schema)
    for (name, value) in values.values.sorted(by: { $0.key < $1.key }) {
      check.check(name, value: value)
    }
    for object in values.objects {
      check.check(
        structOf: object.type, concreteType: object.fields["__typename"]?.string)
    }
    guard check.problems.isEmpty else { throw SchemaServerFailure(problems: check.problems) }
    fieldValues = Self.fieldValues(values.values, in: schema)
  }

  /// Returns the values of fields. The value of an interface's field applies to every object type
  /// without its own value.
  private static func fieldValues(
    _ values: [String: JSONValue], in schema: Schema
  ) -> [String: JSONValue] {
    var result = values.filter { $0.key.contains(".") }
    for type in schema.types where type.kind == .object {
      let typeName = schema.symbols[type.symbol]
      for interface in type.interfaces.map({ schema.symbols[schema[$0].symbol] }) {
        for (name, value) in values where name.hasPrefix(interface + ".") {
          let own = typeName + name.dropFirst(interface.utf8.count)
          if result[own] == nil { result[own] = value }
        }
      }
    }
    return result
  }

  /// Returns the generated value of a field.
  func value(of call: FieldCall, _ type: ResolvedType, in schema: Schema) -> JSONValue {
    let value =
      fieldValues["\(call.typeName).\(call.fieldName)"] ?? rootMember(of: call)
      ?? generatedValue(
        of: type, for: call.fieldName, on: call.typeName, at: call.path, in: schema)
    guard case .object(var object) = value, let id = call.arguments["id"], !id.isNull else {
      return completing(value, type, at: call.path, in: schema)
    }
    // An object requested by id has that id.
    object["id"] = id
    if schema[type.named].isAbstract, let named = id.string?.prefix(while: { $0 != ":" }),
      schema.objectType(named: String(named), of: type.named) != nil
    {
      object["__typename"] = .string(String(named))
    }
    return completing(.object(object), type, at: call.path, in: schema)
  }

  /// Returns the value of a field of the operation's root object. `completing` does not apply
  /// overrides to this object.
  private func rootMember(of call: FieldCall) -> JSONValue? {
    guard call.path.components.count == 1,
      case .field(let responseKey)? = call.path.components.first
    else { return nil }
    for override in values.objects.reversed()
    where override.type == call.typeName && override.path?.isEmpty != false {
      let member =
        override.fields[call.fieldName] ?? override.fields[ConnectionMember.key(for: responseKey)]
      if let member { return member }
    }
    return values.values[call.typeName]?[call.fieldName]
  }

  private func generatedValue(
    of type: ResolvedType, for field: String, on owner: String, at path: ResponsePath,
    in schema: Schema
  ) -> JSONValue {
    if let item = type.item {
      return .array(
        (0..<values.listCount).map {
          generatedValue(
            of: item, for: field, on: owner, at: path.appending(.index($0)), in: schema)
        })
    }
    let named = schema[type.named]
    let name = schema.symbols[named.symbol]
    if !named.isComposite, let value = values.values[name] { return value }
    switch named.symbol {
    case .int: return 42
    case .float: return 4.5
    case .boolean: return false
    case .id where field == "id":
      return .string("\(owner):" + Self.text(ResponsePath(path.components.dropLast())))
    case .string, .id: return .string("<\(owner).\(field)>")
    default: break
    }
    if named.kind == .enum {
      return named.enumValues.first.map { .string(schema.symbols[$0.symbol]) } ?? .null
    }
    return named.isComposite ? [:] : .string("<\(name)>")
  }

  /// Completes the objects in a value with their `__typename` and with the overrides.
  func completing(
    _ value: JSONValue, _ type: ResolvedType, at path: ResponsePath, in schema: Schema
  ) -> JSONValue {
    if let item = type.item, case .array(let elements) = value {
      return .array(
        elements.enumerated().map {
          completing($1, item, at: path.appending(.index($0)), in: schema)
        })
    }
    let named = schema[type.named]
    guard named.isComposite, case .object(var object) = value else { return value }
    let typeName =
      object["__typename"]?.string ?? concreteType(of: named, at: path, in: schema)
    object["__typename"] = .string(typeName)
    var added = values.values[typeName]?.object ?? [:]
    if named.isAbstract, let override = values.values[schema.symbols[named.symbol]]?.object,
      override["__typename"]?.string == typeName
    {
      for member in override.members { added[member.key] = member.value }
    }
    let pathText = Self.text(path)
    for override in values.objects {
      let applies =
        switch override.path {
        case nil: override.fields["__typename"]?.string ?? override.type == typeName
        case let path?: path == pathText && isType(typeName, subtypeOf: override.type, in: schema)
        }
      guard applies else { continue }
      for member in override.fields.members { added[member.key] = member.value }
    }
    // A member from the resolver takes precedence over an override, and so does a requested id.
    for member in added.members where object[member.key] == nil {
      object[member.key] = member.value
    }
    return .object(object)
  }

  private func isType(_ name: String, subtypeOf other: String, in schema: Schema) -> Bool {
    guard let type = schema.type(named: name), let other = schema.type(named: other) else {
      return false
    }
    return schema.isSubtype(type.id, of: other.id)
  }

  private func concreteType(of type: NamedType, at path: ResponsePath, in schema: Schema) -> String
  {
    let name = schema.symbols[type.symbol]
    if !type.isAbstract { return name }
    let requestedTypeName =
      values.objects.last { $0.path == Self.text(path) }?.fields["__typename"]?.string
      ?? values.objects.last { $0.path == Self.text(path) }?.type
      ?? values.values[name]?.string ?? values.values[name]?["__typename"]?.string
    if let requestedTypeName, let requested = schema.type(named: requestedTypeName),
      !requested.isAbstract
    {
      return requestedTypeName
    }
    let first = schema.types.first { $0.kind == .object && schema.isSubtype($0.id, of: type.id) }
    return first.map { schema.symbols[$0.symbol] } ?? name
  }

  /// Returns a path in the form `viewer.todos.0`.
  private static func text(_ path: ResponsePath) -> String {
    path.components.map { component in
      switch component {
      case .field(let name): name
      case .index(let index): String(index)
      }
    }.joined(separator: ".")
  }
}
