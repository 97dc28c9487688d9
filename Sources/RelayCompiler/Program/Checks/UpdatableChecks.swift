import GraphQLLanguage

/// Checks `@updatable` and `@assignable` definitions.
struct UpdatableChecks {
  private let schema: Schema
  private let fragments: [Symbol: FragmentDefinition]
  private let updatable: Symbol
  private let assignable: Symbol
  private var diagnostics: [Diagnostic] = []

  /// Checks the documents of one compilation.
  static func diagnostics(for documents: [Document], schema: Schema) -> [Diagnostic] {
    var fragments: [Symbol: FragmentDefinition] = [:]
    for case .fragment(let fragment) in documents.lazy.flatMap(\.definitions) {
      fragments[fragment.name.symbol] = fragment
    }
    var checks = UpdatableChecks(schema: schema, fragments: fragments)
    for definition in documents.lazy.flatMap(\.definitions) {
      switch definition {
      case .fragment(let fragment): checks.check(fragment)
      case .operation(let operation): checks.check(operation)
      default: continue
      }
    }
    return checks.diagnostics
  }

  private init(schema: Schema, fragments: [Symbol: FragmentDefinition]) {
    self.schema = schema
    self.fragments = fragments
    updatable = schema.symbols.intern("updatable")
    assignable = schema.symbols.intern("assignable")
  }

  private mutating func check(_ operation: OperationDefinition) {
    guard operation.directives[named: updatable] != nil else { return }
    allow(
      ["updatable"], among: operation.directives, in: "an @updatable query",
      rule: "updatable-definitions")
    check(operation.selectionSet, on: schema.rootType(of: operation.operation), isTop: true)
  }

  private mutating func check(_ fragment: FragmentDefinition) {
    let isAssignable = fragment.directives[named: assignable] != nil
    if isAssignable { checkAssignable(fragment) }
    guard fragment.directives[named: updatable] != nil, !isAssignable else { return }
    allow(
      ["updatable", "argumentDefinitions"], among: fragment.directives,
      in: "an @updatable fragment",
      rule: "updatable-definitions")
    let type = schema.type(named: fragment.typeCondition.symbol)
    check(fragment.selectionSet, on: type, isTop: true)
  }

  // MARK: Assignable fragments

  private mutating func checkAssignable(_ fragment: FragmentDefinition) {
    allow(
      ["assignable"], among: fragment.directives, in: "an @assignable fragment",
      rule: "assignable-fragments")
    let name = schema.symbols[fragment.name.symbol]
    for selection in fragment.selectionSet.selections {
      if case .field(let field) = selection, field.name.symbol == .typename, field.alias == nil,
        field.directives.isEmpty
      {
        continue
      }
      diagnostics.report(
        rule: "assignable-fragments",
        message: "The @assignable fragment \"\(name)\" selects more than __typename.",
        at: selection.span,
        help: "Select only __typename: the fragment says what may be linked, not what is read.")
    }
  }

  // MARK: Selections

  private mutating func check(_ set: SelectionSet, on type: NamedType?, isTop: Bool) {
    for selection in set.selections {
      allow(
        [], among: selection.directives, in: "an @updatable definition",
        rule: "updatable-definitions")
      switch selection {
      case .field(let field):
        guard let inner = field.selectionSet else { continue }
        let definition = type.flatMap { schema.field(named: field.name.symbol, on: $0) }
        checkLists(definition, at: field)
        check(inner, on: definition.map { schema[$0.type.named] }, isTop: false)
      case .inlineFragment(let fragment):
        let inner = fragment.typeCondition.flatMap { schema.type(named: $0.symbol) } ?? type
        check(fragment.selectionSet, on: inner, isTop: isTop)
      case .fragmentSpread(let spread): check(spread, on: type, isTop: isTop)
      }
    }
  }

  /// Reports a field that is a list of lists of objects, which a link cannot hold.
  private mutating func checkLists(_ definition: SchemaField?, at field: Field) {
    guard let definition, definition.type.shape.listDepth > 1 else { return }
    diagnostics.report(
      rule: "updatable-definitions",
      message:
        "Field \"\(schema.symbols[field.name.symbol])\" is a list of lists of objects, which cannot be "
        + "updated.", at: field.name.span, help: "Use an updater with record proxies.")
  }

  private mutating func check(_ spread: FragmentSpread, on type: NamedType?, isTop: Bool) {
    guard let fragment = fragments[spread.name.symbol] else { return }
    let name = schema.symbols[spread.name.symbol]
    guard fragment.directives[named: assignable] != nil else {
      diagnostics.report(
        rule: "updatable-definitions",
        message:
          "Fragment \"\(name)\" is not @assignable and cannot be spread in an @updatable definition.",
        at: spread.span, label: .init(fragment.name.span, "defined here"),
        help: "Add @assignable to it, or select its fields here.")
      return
    }
    if isTop {
      diagnostics.report(
        rule: "updatable-definitions",
        message:
          "The @assignable fragment \"\(name)\" is spread where there is no field to assign.",
        at: spread.span, help: "Spread it inside a field that links to an object.")
    }
    guard let type, let own = schema.type(named: fragment.typeCondition.symbol),
      !schema.isSubtype(own.id, of: type.id)
    else { return }
    let (ownName, typeName) = (schema.name(of: own.id), schema.name(of: type.id))
    diagnostics.report(
      rule: "updatable-definitions",
      message:
        "The @assignable fragment \"\(name)\" on \"\(ownName)\" cannot be assigned to a field of type "
        + "\"\(typeName)\": not every \(ownName) is one.", at: spread.span,
      label: .init(fragment.typeCondition.span, "\"\(ownName)\" here"),
      help: "Define the fragment on \"\(typeName)\" or a type of it.")
  }

  // MARK: Directives

  /// Reports the directives that are not among `names`.
  private mutating func allow(
    _ names: Set<String>, among directives: [Directive], in owner: String, rule: String
  ) {
    for directive in directives {
      let name = schema.symbols[directive.name.symbol]
      if names.contains(name) { continue }
      diagnostics.report(
        rule: rule, message: "@\(name) is not allowed in \(owner).", at: directive.span,
        help: "Remove it.")
    }
  }
}
