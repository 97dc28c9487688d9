import GraphQLLanguage
import RelayStore

/// A check of overrides against a schema. Each must name a type or field of the schema and have a
/// possible value, because an override without effect would mislead a test.
struct OverrideCheck {
  let schema: Schema
  /// The problems found, one sentence each.
  private(set) var problems: [String] = []

  init(_ schema: Schema) { self.schema = schema }

  /// Checks the value of `Type.field` or of a type.
  mutating func check(_ name: String, value: JSONValue) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, let type = parts.first.flatMap({ schema.type(named: $0) }) else {
      return addUnknown(name)
    }
    if parts.count == 2 {
      guard let field = schema.symbols.find(parts[1]).flatMap({ type.field(named: $0) }) else {
        return addUnknown(name)
      }
      add(mismatch(value, field.type), for: name)
    } else {
      add(mismatch(value, of: type), for: name)
    }
  }

  /// Checks the type of an overriding struct.
  ///
  /// - Parameter concreteType: The type in its `__typename`, if its fragment is on an abstract
  ///   type.
  mutating func check(structOf name: String, concreteType: String?) {
    guard let type = schema.type(named: name) else { return addUnknown(name) }
    guard type.isAbstract else { return }
    add(impossible(concreteType ?? "", type), for: name)
  }

  private mutating func addUnknown(_ name: String) {
    problems.append(
      "There is a value for \"\(name)\", but the schema does not have it. Name it \"Type\" or "
        + "\"Type.field\"."
    )
  }

  private mutating func add(_ reason: String?, for name: String) {
    if let reason { problems.append("The value for \"\(name)\" has no effect: \(reason).") }
  }

  /// Returns why a named type cannot have a value; `nil` if it can.
  private func mismatch(_ value: JSONValue, of type: NamedType) -> String? {
    let name = schema.symbols[type.symbol]
    switch type.kind {
    case .inputObject: return "\"\(name)\" is an input type and never part of a response"
    case .scalar, .enum:
      return schema.coerce(value, to: type) != nil && !value.isNull
        ? nil : "it is not a value of type \"\(name)\""
    case .object:
      guard let object = value.object else {
        return "it is not an object with fields of \"\(name)\""
      }
      return impossible(object["__typename"]?.string ?? name, type)
        ?? mismatch(fields: object, of: type)
    case .interface, .union:
      let object = value.object ?? [:]
      guard let typeName = value.string ?? object["__typename"]?.string else {
        return "it is neither the name of a possible type nor an object with \"__typename\""
      }
      if let reason = impossible(typeName, type) { return reason }
      return schema.type(named: typeName).flatMap { mismatch(fields: object, of: $0) }
    }
  }

  /// Returns why a field of a type cannot have a value; `nil` if it can.
  private func mismatch(_ value: JSONValue, _ type: ResolvedType) -> String? {
    if value.isNull {
      return type.isNonNull ? "it is null for the type \"\(schema.text(of: type))\"" : nil
    }
    if let item = type.item {
      guard let elements = value.array else {
        return "it is not a list, as \"\(schema.text(of: type))\" is"
      }
      return elements.lazy.compactMap { mismatch($0, item) }.first
    }
    let named = schema[type.named]
    // The concrete type of an object without `__typename` is chosen when the object is generated.
    if named.isAbstract, let object = value.object, object["__typename"] == nil { return nil }
    if named.isAbstract, value.object == nil {
      return "it is not an object, as \"\(schema.text(of: type))\" is"
    }
    return mismatch(value, of: named)
  }

  private func mismatch(fields: JSONObject, of type: NamedType) -> String? {
    for member in fields.members where member.key != "__typename" {
      let key = member.key
      guard let field = schema.symbols.find(key).flatMap({ type.field(named: $0) }) else {
        return "\"\(schema.symbols[type.symbol])\" has no field \"\(key)\""
      }
      if let reason = mismatch(member.value, field.type) { return "in field \"\(key)\" \(reason)" }
    }
    return nil
  }

  private func impossible(_ name: String, _ type: NamedType) -> String? {
    schema.objectType(named: name, of: type.id) == nil
      ? "\"\(name)\" is not a possible type of \"\(schema.symbols[type.symbol])\"" : nil
  }
}
