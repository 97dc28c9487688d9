import GraphQLLanguage

/// The Swift expressions for variables' default values.
struct InputLiterals {
  let types: SwiftTypes

  /// Returns whether a constant of the type has a Swift literal. Custom scalars mapped to a Swift
  /// type do not. Neither do deprecated choices of a `@oneOf` input, because naming one would warn.
  func isExpressible(_ value: Value, of type: ResolvedType) -> Bool {
    let named = types.schema[type.named]
    switch value.kind {
    case .null: return true
    case .list(let values): return values.allSatisfy { isExpressible($0, of: type) }
    case .object(let fields) where named.kind == .inputObject:
      return fields.allSatisfy { field in
        guard let definition = named.inputFields.first(where: { $0.symbol == field.name.symbol })
        else { return true }
        if named.isOneOf, definition.deprecationReason != nil { return false }
        return isExpressible(field.value, of: definition.type)
      }
    default: return types.swiftType(ofScalar: type.named) == nil
    }
  }

  /// Returns the expression for a constant where a value of `type` is expected.
  func expression(_ value: Value, of type: ResolvedType) -> String {
    if case .null = value.kind { return type.isNonNull ? "nil" : ".null" }
    let inner = element(value, of: type.nonNull)
    return type.isNonNull ? inner : ".some(\(inner))"
  }

  private func element(_ value: Value, of type: ResolvedType) -> String {
    if case .null = value.kind { return "nil" }
    if let item = type.item {
      guard case .list(let values) = value.kind else { return "[\(element(value, of: item))]" }
      return "[" + values.map { element($0, of: item) }.joined(separator: ", ") + "]"
    }
    return namedValue(value, of: types.schema[type.named])
  }

  private func namedValue(_ value: Value, of type: NamedType) -> String {
    let name = types.schema.name(of: type.id)
    let isCustom = type.kind == .scalar && SwiftTypes.builtIn[name] == nil
    switch value.kind {
    case .int(let text), .float(let text):
      let digits = types.text(text)
      return name == "ID" || (isCustom && isString(name)) ? SwiftEscaping.literal(digits) : digits
    case .string(let text, _): return SwiftEscaping.literal(text)
    case .boolean(let value):
      let text = value ? "true" : "false"
      return isCustom && isString(name) ? SwiftEscaping.literal(text) : text
    case .enumValue(let symbol):
      if type.enumValues.contains(where: { $0.symbol == symbol && $0.deprecationReason != nil }) {
        return ".init(rawValue: \(SwiftEscaping.literal(types.text(symbol))))"
      }
      return "." + EnumCases(type, symbols: types.schema.symbols).escaped(symbol)
    case .object(let fields): return object(fields, of: type)
    case .list(let values):
      return "[" + values.map { namedValue($0, of: type) }.joined(separator: ", ") + "]"
    case .null: return "nil"
    case .variable: return ".none"
    }
  }

  private func isString(_ scalar: String) -> Bool {
    types.options.customScalarTypes[scalar].map { $0 == "String" } ?? true
  }

  private func object(_ fields: [ObjectField], of type: NamedType) -> String {
    let values = Dictionary(
      fields.map { ($0.name.symbol, $0.value) }, uniquingKeysWith: { first, _ in first })
    let arguments = InputFields(type, types: types).fields.compactMap { field -> String? in
      guard let value = values[field.definition.symbol] else { return nil }
      if type.isOneOf {
        return ".\(field.property)(\(expression(value, of: field.definition.type.nonNull)))"
      }
      return "\(SwiftName.label(field.property)): " + expression(value, of: field.definition.type)
    }
    return type.isOneOf ? arguments.joined() : ".init(\(arguments.joined(separator: ", ")))"
  }
}
