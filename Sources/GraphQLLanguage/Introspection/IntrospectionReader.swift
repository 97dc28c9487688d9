/// A reader that converts an introspection result to type system definitions.
struct IntrospectionReader {
  let symbols: SymbolTable
  let source: SourceID
  private(set) var definitions: [Definition] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The maximum number of errors reported.
  private static let diagnosticLimit = 100
  private static let standardDirectives: Set<Symbol> = [
    .skip, .include, .deprecated, .specifiedBy, .oneOf,
  ]

  /// Reads an introspection result from JSON.
  mutating func read(_ bytes: ContiguousArray<UInt8>) {
    do throws(JSONReader.Failure) {
      let root = try JSONReader.read(bytes)
      guard let schema = (root["data"] ?? root)["__schema"], case .object = schema else {
        return report(
          "The JSON has no \"__schema\": it is not an introspection result."
            + (root.items("errors").first?.text("message").map {
              " The server says: \($0)" + ($0.hasSuffix(".") ? "" : ".")
            } ?? ""))
      }
      read(schema)
    } catch {
      let offset = UInt32(clamping: error.offset)
      diagnostics.append(
        Diagnostic(
          rule: "introspection", message: error.message,
          at: Span(start: offset, end: offset, source: source)))
    }
  }

  private mutating func report(_ message: String) {
    guard diagnostics.count < Self.diagnosticLimit else { return }
    diagnostics.append(
      Diagnostic(
        rule: "introspection", message: message, at: Span(start: 0, end: 0, source: source)))
  }

  private mutating func read(_ schema: InputValue) {
    readRoots(of: schema)
    for type in schema.items("types") {
      guard let name = name(of: type, "A type"), !symbols.hasReservedPrefix(name.symbol),
        !Schema.isStandardName(name.symbol)
      else { continue }
      readType(type, name: name)
    }
    for directive in schema.items("directives") {
      guard let name = name(of: directive, "A directive"),
        !Self.standardDirectives.contains(name.symbol)
      else { continue }
      readDirective(directive, name: name)
    }
  }

  /// Adds a `schema` definition if a root type has a non-default name or the schema has a
  /// description. Also adds one if a type has a default root name but is not that root.
  private mutating func readRoots(of schema: InputValue) {
    let usual: [(OperationType, String, Symbol)] = [
      (.query, "queryType", .queryType), (.mutation, "mutationType", .mutationType),
      (.subscription, "subscriptionType", .subscriptionType),
    ]
    let typeNames = Set(schema.items("types").compactMap { $0.text("name") })
    var roots: [OperationTypeDefinition] = []
    var isUsual = true
    for (operation, member, usualName) in usual {
      if let root = schema[member], root != .null, let name = name(of: root, "A root type") {
        roots.append(OperationTypeDefinition(operation: operation, type: name))
        if name.symbol != usualName { isUsual = false }
      } else if typeNames.contains(symbols[usualName]) {
        isUsual = false
      }
    }
    let description = description(of: schema)
    guard !isUsual || description != nil else { return }
    guard !roots.isEmpty else { return report("The schema has no root type.") }
    definitions.append(
      .schema(SchemaDefinition(description: description, operationTypes: roots)))
  }

  private mutating func readType(_ type: InputValue, name: Name) {
    guard let kind = kind(named: type.text("kind")) else {
      return report(
        "Type \"\(symbols[name.symbol])\" has an unknown kind, \"\(type.text("kind") ?? "")\".")
    }
    var definition = TypeDefinition(kind: kind, description: description(of: type), name: name)
    switch kind {
    case .scalar:
      if let url = type.text("specifiedByURL") {
        definition.directives = [directive(.specifiedBy, argument: .url, text: url)]
      }
    case .object, .interface:
      definition.interfaces = names(in: type, "interfaces")
      definition.fields = type.items("fields").compactMap { field($0) }
    case .union: definition.memberTypes = names(in: type, "possibleTypes")
    case .enum:
      definition.enumValues = type.items("enumValues").compactMap { enumValue($0) }
    case .inputObject:
      definition.inputFields = type.items("inputFields").compactMap { inputValue($0) }
      if type["isOneOf"] == .boolean(true) {
        definition.directives = [Directive(name: Name(.oneOf))]
      }
    }
    definitions.append(.type(definition))
  }

  /// Returns the type kind named `name`. Kinds are spelled like the directive locations.
  private func kind(named name: String?) -> TypeDefinition.Kind? {
    TypeDefinition.Kind.allCases.first { symbols[$0.directiveLocation.symbol] == name }
  }

  private mutating func readDirective(_ directive: InputValue, name: Name) {
    var locations: [DirectiveLocation] = []
    for item in directive.items("locations") {
      guard case .string(let text) = item, let symbol = symbols.find(text),
        let location = DirectiveLocation(symbol)
      else {
        report("Directive \"@\(symbols[name.symbol])\" has an unknown location, \(item).")
        continue
      }
      locations.append(location)
    }
    guard !locations.isEmpty else {
      return report("Directive \"@\(symbols[name.symbol])\" has no location.")
    }
    definitions.append(
      .directive(
        DirectiveDefinition(
          description: description(of: directive), name: name,
          arguments: directive.items("args").compactMap { inputValue($0) },
          isRepeatable: directive["isRepeatable"] == .boolean(true), locations: locations)))
  }
}

extension IntrospectionReader {
  private mutating func field(_ field: InputValue) -> FieldDefinition? {
    guard let name = name(of: field, "A field"), let type = type(field["type"], of: name) else {
      return nil
    }
    return FieldDefinition(
      description: description(of: field), name: name,
      arguments: field.items("args").compactMap { inputValue($0) }, type: type,
      directives: deprecation(of: field))
  }

  private mutating func enumValue(_ value: InputValue) -> EnumValueDefinition? {
    guard let name = name(of: value, "An enum value") else { return nil }
    let text = symbols[name.symbol]
    guard text != "true", text != "false", text != "null" else {
      report("An enum value has a name that GraphQL does not allow: \(JSONString.quote(text)).")
      return nil
    }
    return EnumValueDefinition(
      description: description(of: value), name: name, directives: deprecation(of: value))
  }

  private mutating func inputValue(_ value: InputValue) -> InputValueDefinition? {
    guard let name = name(of: value, "An argument or input field"),
      let type = type(value["type"], of: name)
    else { return nil }
    var defaultValue: Value?
    if let text = value.text("defaultValue") {
      defaultValue = Value.parse(text, in: symbols)
      if defaultValue == nil {
        report("The default value of \"\(symbols[name.symbol])\" is not a GraphQL value: \(text).")
      }
    }
    return InputValueDefinition(
      description: description(of: value), name: name, type: type, defaultValue: defaultValue,
      directives: deprecation(of: value))
  }

  private mutating func type(_ type: InputValue?, of owner: Name) -> TypeReference? {
    var marks: [Bool] = []
    var current = type
    while let type = current, let kind = type.text("kind"), kind == "LIST" || kind == "NON_NULL" {
      marks.append(kind == "LIST")
      current = type["ofType"]
    }
    guard let current, current != .null else {
      report(
        "\"\(symbols[owner.symbol])\" has no complete type; ask for more levels of \"ofType\".")
      return nil
    }
    guard let name = name(of: current, "A type") else { return nil }
    var shape = TypeShape.named
    for isList in marks.reversed() {
      guard let outer = isList ? shape.list : shape.nonNull else {
        report("The type of \"\(symbols[owner.symbol])\" nests too many lists.")
        return nil
      }
      shape = outer
    }
    return TypeReference(name, shape: shape)
  }

  /// Returns the name of a schema element; reports a missing or ungrammatical name.
  private mutating func name(of value: InputValue, _ subject: String) -> Name? {
    guard let text = value.text("name") else {
      report("\(subject) has no name.")
      return nil
    }
    guard text.isGraphQLName else {
      report("\(subject) has a name that GraphQL does not allow: \(JSONString.quote(text)).")
      return nil
    }
    return Name(symbols.intern(text))
  }

  private mutating func names(in type: InputValue, _ member: String) -> [Name] {
    type.items(member).compactMap { name(of: $0, "A type") }
  }

  private func description(of value: InputValue) -> Description? {
    value.text("description").map { Description($0, isBlock: $0.isBlockString) }
  }

  private func deprecation(of value: InputValue) -> [Directive] {
    guard value["isDeprecated"] == .boolean(true) else { return [] }
    let reason = value.text("deprecationReason") ?? "No longer supported"
    if reason == "No longer supported" { return [Directive(name: Name(.deprecated))] }
    return [directive(.deprecated, argument: .reason, text: reason)]
  }

  private func directive(_ name: Symbol, argument: Symbol, text: String) -> Directive {
    let value = Value(.string(text, isBlock: false))
    return Directive(name: Name(name), arguments: [Argument(name: Name(argument), value: value)])
  }
}

extension InputValue {
  /// Returns the items of a list member; empty if the member is missing or not a list.
  fileprivate func items(_ name: String) -> [InputValue] {
    guard case .list(let items)? = self[name] else { return [] }
    return items
  }

  /// Returns the value of a string member.
  fileprivate func text(_ name: String) -> String? {
    guard case .string(let text)? = self[name] else { return nil }
    return text
  }
}

extension String {
  /// Whether the string survives being written as a block string. It must have no control
  /// characters and no blank first or last line, and its nonblank lines after the first must not
  /// all be indented.
  fileprivate var isBlockString: Bool {
    let isPlain = unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || $0.value >= 0x20 }
    let lines = utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    func isBlank(_ line: Substring.UTF8View) -> Bool { line.allSatisfy(isSpace) }
    guard isPlain, let first = lines.first, let last = lines.last, !isBlank(first), !isBlank(last)
    else { return false }
    let rest = lines.dropFirst().filter { !isBlank($0) }
    return rest.isEmpty || rest.contains { !($0.first.map(isSpace) ?? false) }
  }
}
