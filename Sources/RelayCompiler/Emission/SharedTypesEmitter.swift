import GraphQLLanguage

/// An emitter of the declarations that a module contains once: the format check, enums, input
/// types, scalars, and the table of possible types.
struct SharedTypesEmitter {
  /// The portion of the runtime that the declarations use.
  enum RuntimeUse {
    /// Not used: the module has no documents, and all its scalars are strings.
    case none
    /// The format of generated code, in a private declaration.
    case format
    /// The format, plus types in declarations with the module's access level.
    case types
  }

  let types: SwiftTypes

  private var schema: Schema { types.schema }
  private var access: String { types.access }

  var runtimeUse: RuntimeUse {
    let declared = (types.used.enums + types.used.inputObjects).filter(isOwn)
    if !declared.isEmpty || !types.used.abstractConditions.isEmpty || !types.used.named.isEmpty
      || !types.typedLeaves.isEmpty
    {
      return .types
    }
    return types.used.selected.isEmpty ? .none : .format
  }

  /// Returns whether the compiled module, and not another one, declares a type.
  private func isOwn(_ type: NamedType) -> Bool { types.modules.module(of: type.id) == nil }

  func emit(to printer: inout SwiftPrinter) {
    if runtimeUse != .none { emitFormatCheck(to: &printer) }
    let declared = types.used.enums + types.used.inputObjects
    for type in declared where !types.isInSchema(type.id) && isOwn(type) {
      printer.blankLine()
      emit(type, name: schema.name(of: type.id), to: &printer)
    }
    emitSchema(declared.filter { types.isInSchema($0.id) }, to: &printer)
  }

  /// Emits a declaration that compiles only with a runtime for this format. It is never called.
  private func emitFormatCheck(to printer: inout SwiftPrinter) {
    printer.line("private var __format: Void { GeneratedCodeFormat.\(CompilerVersion.format) }")
  }

  private func emitSchema(_ inner: [NamedType], to printer: inout SwiftPrinter) {
    let scalars = types.used.customScalars
    let abstract = types.used.sorted(types.used.abstractConditions)
    // Files in the target may still extend the enum after the last document that uses their scalars
    // is gone.
    let isExtended = !types.options.declaredScalars.isEmpty
    let named = types.used.sorted(types.used.named)
    let leaves = types.used.sorted(types.typedLeaves)
    if inner.isEmpty, scalars.isEmpty, abstract.isEmpty, named.isEmpty, leaves.isEmpty,
      !isExtended
    {
      return
    }
    for leaf in leaves where types.isHiddenInSchema(leaf.id) {
      let name = schema.name(of: leaf.id)
      printer.blankLine()
      printer.line("private typealias \(alias(of: name)) = \(name)")
    }
    printer.blankLine()
    printer.line("/// The schema's scalars, and the types whose names the platform has too.")
    printer.block("\(access)nonisolated enum \(types.options.schemaName)") { printer in
      for scalar in scalars where !types.declaredScalars.contains(scalar.id) {
        emitScalar(scalar, to: &printer)
      }
      for type in inner where !isOwn(type) { emitShared(type, to: &printer) }
      if !abstract.isEmpty {
        emitTable(of: abstract, to: &printer)
      }
      if !leaves.isEmpty { emitTable(ofLeaves: leaves, to: &printer) }
      for type in inner where isOwn(type) {
        printer.blankLine()
        emit(type, name: types.member(type.id), to: &printer)
      }
      if !named.isEmpty { emitObjectTypes(named, to: &printer) }
    }
  }

  /// Emits the names of object types for optimistic responses whose documents leave the type open.
  private func emitObjectTypes(_ objects: [NamedType], to printer: inout SwiftPrinter) {
    let string = builtIn("String")
    printer.blankLine()
    printer.line("/// The name of an object type, for optimistic responses.")
    printer.block("\(access)struct ObjectType: GraphQLObjectType") { printer in
      printer.line("\(access)let __name: \(string)")
      printer.line("\(access)init(__name: \(string)) { self.__name = __name }")
      var taken = SwiftName.enumMembers
      for type in objects {
        let name = schema.name(of: type.id)
        let property = SwiftName.free(SwiftName.lowerFirst(name), taken: taken)
        taken.insert(property)
        printer.member {
          $0 += "\(access)static var \(SwiftName.escaped(property)): ObjectType"
        } body: {
          $0 += "ObjectType(__name: \(SwiftEscaping.literal(name)))"
        }
      }
    }
  }

  /// Emits a type alias for a type from another module.
  private func emitShared(_ type: NamedType, to printer: inout SwiftPrinter) {
    guard let module = types.modules.module(of: type.id) else { return }
    let name = types.member(type.id)
    printer.line("\(access)typealias \(name) = \(module).\(types.options.schemaName).\(name)")
  }

  private func emitScalar(_ scalar: NamedType, to printer: inout SwiftPrinter) {
    if !isOwn(scalar) { return emitShared(scalar, to: &printer) }
    printer.documentation(scalar.description)
    let type =
      types.options.customScalarTypes[schema.name(of: scalar.id)].map(outside) ?? builtIn("String")
    printer.line("\(access)typealias \(types.member(scalar.id)) = \(type)")
  }

  /// Returns a type's name for code inside `enum Schema`. If the enum declares a type of the same
  /// name, the module's name is prepended, when it is known.
  private func outside(_ type: String) -> String {
    let isHidden = types.used.customScalars.contains { types.member($0.id) == type }
    guard isHidden, let module = types.options.module else { return type }
    return module + "." + type
  }

  /// Emits the table with the Swift types of custom scalars and enums.
  private func emitTable(ofLeaves leaves: [NamedType], to printer: inout SwiftPrinter) {
    let entries = leaves.map { leaf in
      let name = schema.name(of: leaf.id)
      let type =
        types.isInSchema(leaf.id)
        ? types.member(leaf.id) : types.isHiddenInSchema(leaf.id) ? alias(of: name) : name
      return "\(SwiftEscaping.literal(name)): \(type).self"
    }
    printer.line(
      "\(access)static let __leaves: [\(builtIn("String")): any GraphQLInput.Type] = "
        + "[\(entries.joined(separator: ", "))]")
  }

  /// Returns the alias in `enum Schema` for a module-scope type that a member of the enum hides.
  private func alias(of name: String) -> String { "__" + name }

  /// Emits the table with the possible types of each abstract type.
  ///
  /// The entry `*` lists the object types that the module's fields can return but no other entry
  /// lists. If a type is in the table but not in an abstract type's entry, the runtime can rely on
  /// it not being a possible type of that abstract type.
  private func emitTable(of abstract: [NamedType], to printer: inout SwiftPrinter) {
    let possible = abstract.map { type in (type, Set(schema.possibleTypes(of: type))) }
    let listed = possible.reduce(into: Set<TypeID>()) { $0.formUnion($1.1) }
    let returned = types.used.selected.reduce(into: Set<TypeID>()) {
      $0.formUnion(schema.possibleTypes(of: schema[$1]))
    }
    let others = returned.subtracting(listed)
    var entries = possible.map { entry(schema.name(of: $0.0.id), $0.1) }
    if !others.isEmpty { entries.append(entry("*", others)) }
    let text = entries.joined(separator: ";")
    printer.line(access, "static let __types = AbstractTypes(", SwiftEscaping.literal(text), ")")
  }

  private func entry(_ name: String, _ types: some Sequence<TypeID>) -> String {
    let names = types.map(schema.name(of:)).sorted(byText: \.self)
    return name + "=" + names.joined(separator: "|")
  }

  private func emit(_ type: NamedType, name: String, to printer: inout SwiftPrinter) {
    printer.documentation(type.description)
    if type.kind == .enum {
      emitEnum(type, name: name, to: &printer)
    } else if type.isOneOf {
      emitOneOf(type, name: name, to: &printer)
    } else {
      emitInput(type, name: name, to: &printer)
    }
  }

  private func builtIn(_ name: String) -> String {
    schema.type(named: name).map { types.reference($0.id) } ?? name
  }

  // MARK: Enums

  /// The maximum number of values for which `init(rawValue:)` uses a `switch`. The Swift compiler
  /// takes quadratic time for one: 0.8 s for 300 values, 11 s for 900.
  private static let mostValuesInSwitch = 32

  private func emitEnum(_ type: NamedType, name: String, to printer: inout SwiftPrinter) {
    let cases = EnumCases(type, symbols: schema.symbols)
    let all = enumValues(of: type, cases)
    let (values, deprecated) = (all.filter { !$0.isDeprecated }, all.filter(\.isDeprecated))
    let string = builtIn("String")
    let conformance = deprecated.isEmpty ? "GraphQLEnum" : "GraphQLDeprecatedCases"
    printer.block("\(access)nonisolated enum \(name): \(conformance)") { printer in
      for value in type.enumValues {
        printer.documentation(value.description)
        printer.deprecation(value.deprecationReason)
        printer.line("case ", cases.escaped(value.symbol))
      }
      printer.line("/// A value that the schema did not have when this was generated.")
      printer.line("case unrecognized(\(string))")
      printer.blankLine()
      emitInitializer(values, deprecated, of: name, to: &printer)
      printer.block("\(access)var rawValue: \(string)") { printer in
        printer.line("switch self {")
        for value in values { printer.line("case .\(value.name): \(value.literal)") }
        printer.line("case .unrecognized(let value): value")
        if !deprecated.isEmpty { printer.line("default: __nameOfDeprecated") }
        printer.line("}")
      }
      printer.list(
        "\(access)static let allCases: [\(name)] = [", items: values.map { "." + $0.name },
        closing: deprecated.isEmpty ? "]" : "] + __deprecatedCases")
      emitDeprecated(deprecated, of: name, to: &printer)
    }
  }

  /// Emits `init(rawValue:)`.
  private func emitInitializer(
    _ values: [EnumValue], _ deprecated: [EnumValue], of name: String,
    to printer: inout SwiftPrinter
  ) {
    let isLookedUp = values.count + deprecated.count > Self.mostValuesInSwitch
    if isLookedUp {
      printer.line("private static let __cases = GraphQLEnumTable<\(name)>(allCases)")
    }
    printer.block("\(access)init(rawValue: \(builtIn("String")))") { printer in
      if isLookedUp {
        printer.line("self = Self.__cases[rawValue] ?? .unrecognized(rawValue)")
        return
      }
      printer.line("switch rawValue {")
      for value in values { printer.line("case \(value.literal): self = .\(value.name)") }
      let deprecatedCase = deprecated.isEmpty ? "" : "Self.__deprecatedCase(rawValue) ?? "
      printer.line("default: self = \(deprecatedCase).unrecognized(rawValue)")
      printer.line("}")
    }
  }

  /// Emits the members that refer to deprecated cases. They are deprecated themselves, so that
  /// these references do not warn.
  private func emitDeprecated(
    _ values: [EnumValue], of name: String, to printer: inout SwiftPrinter
  ) {
    if values.isEmpty { return }
    let string = builtIn("String")
    printer.line("@available(*, deprecated)")
    printer.list(
      "\(access)static var __deprecated: [(\(string), \(name))] { [",
      items: values.map { "(\($0.literal), .\($0.name))" }, closing: "] }")
    emitDeprecatedSwitch(
      "__deprecatedName: \(string)", values.map { "case .\($0.name): \($0.literal)" },
      default: "\"\"", to: &printer)
  }

  /// Emits a deprecated property with a value for each deprecated case.
  private func emitDeprecatedSwitch(
    _ property: String, _ cases: [String], default other: String?, to printer: inout SwiftPrinter
  ) {
    printer.line("@available(*, deprecated)")
    printer.block("\(access)var \(property)") { printer in
      printer.line("switch self {")
      for item in cases { printer.line(item) }
      if let other { printer.line("default: ", other) }
      printer.line("}")
    }
  }

  private struct EnumValue {
    let name: String
    let literal: String
    let isDeprecated: Bool
  }

  private func enumValues(of type: NamedType, _ cases: EnumCases) -> [EnumValue] {
    type.enumValues.map { value in
      EnumValue(
        name: cases.escaped(value.symbol), literal: SwiftEscaping.literal(types.text(value.symbol)),
        isDeprecated: value.deprecationReason != nil)
    }
  }

  // MARK: Inputs

  private func emitInput(_ type: NamedType, name: String, to printer: inout SwiftPrinter) {
    let fields = InputFields(type, types: types).fields
    printer.block("\(access)nonisolated struct \(name): GraphQLInputObject") { printer in
      for field in fields { emitInputField(field, to: &printer) }
      let parameters = fields.map {
        "\($0.property): \($0.type)" + ($0.defaultValue.map { " = " + $0 } ?? "")
      }
      printer.list("\(access)init(", items: parameters, closing: ") {")
      printer.indented { printer in
        for field in fields {
          let value = field.isRecursive ? "[\(field.property)]" : field.property
          printer.line("self.\(field.storage ?? field.property) = \(value)")
        }
      }
      printer.line("}")
      let values = fields.map {
        "\(SwiftEscaping.literal(types.text($0.definition.symbol))): \($0.sent)"
      }
      printer.list(
        "\(access)var __fields: Variables { [", items: values.isEmpty ? [":"] : values,
        closing: "] }")
    }
  }

  private func emitInputField(_ field: InputFields.Field, to printer: inout SwiftPrinter) {
    printer.documentation(field.definition.description)
    printer.deprecation(field.definition.deprecationReason)
    guard let storage = field.storage else {
      return printer.line("\(access)var \(field.property): \(field.type)")
    }
    printer.block("\(access)var \(field.property): \(field.type)") { printer in
      printer.line("get { \(field.stored) }")
      printer.line("set { \(storage) = \(field.isRecursive ? "[newValue]" : "newValue") }")
    }
    // An array breaks the cycle, because a struct cannot contain itself.
    printer.line("private var \(storage): \(field.isRecursive ? "[\(field.type)]" : field.type)")
  }

  private func emitOneOf(_ type: NamedType, name: String, to printer: inout SwiftPrinter) {
    let fields = InputFields(type, types: types).fields
    let deprecated = fields.filter { $0.definition.deprecationReason != nil }
    let keyword = fields.contains(where: \.isRecursive) ? "indirect enum" : "enum"
    let conformance = deprecated.isEmpty ? "GraphQLInputObject" : "GraphQLDeprecatedChoices"
    printer.block("\(access)nonisolated \(keyword) \(name): \(conformance)") { printer in
      for field in fields {
        printer.documentation(field.definition.description)
        printer.deprecation(field.definition.deprecationReason)
        printer.line("case \(field.property)(\(types.input(field.definition.type.nonNull)))")
      }
      printer.block("\(access)var __fields: Variables") { printer in
        printer.line("switch self {")
        for field in fields where field.definition.deprecationReason == nil {
          printer.line(choice(field))
        }
        if !deprecated.isEmpty { printer.line("default: __fieldsOfDeprecated") }
        printer.line("}")
      }
      if deprecated.isEmpty { return }
      emitDeprecatedSwitch(
        "__deprecatedFields: Variables", deprecated.map(choice),
        default: deprecated.count == fields.count ? nil : "[:]", to: &printer)
    }
  }

  /// Returns the `case` and the dictionary sent for one choice of a `@oneOf` input.
  private func choice(_ field: InputFields.Field) -> String {
    let key = SwiftEscaping.literal(types.text(field.definition.symbol))
    return "case .\(field.property)(let value): [\(key): value]"
  }
}
