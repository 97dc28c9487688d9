import GraphQLLanguage

/// The checks of `@updatable` and `@assignable` definitions.
struct UpdatableChecks {
  private let schema: Schema
  private let fragments: [Symbol: ExecutableDefinition]
  private var diagnostics: [Diagnostic] = []

  /// Checks the definitions of one compilation.
  static func diagnostics(
    for definitions: [ExecutableDefinition], schema: Schema
  ) -> [Diagnostic] {
    var checks = UpdatableChecks(schema: schema, fragments: definitions.fragments)
    for definition in definitions { checks.check(definition) }
    return checks.diagnostics
  }

  private mutating func check(_ definition: ExecutableDefinition) {
    if definition.directives[named: .assignable] != nil { return checkAssignable(definition) }
    guard definition.directives[named: .updatable] != nil else { return }
    let kind = definition.operation == nil ? "fragment" : "query"
    allow(
      [.updatable, .argumentDefinitions], among: definition.directives, in: "an @updatable \(kind)",
      rule: "updatable-definitions")
    check(definition.selectionSet, on: definition.type, isTop: true)
  }

  // MARK: Assignable fragments

  private mutating func checkAssignable(_ fragment: ExecutableDefinition) {
    allow(
      [.assignable], among: fragment.directives, in: "an @assignable fragment",
      rule: "assignable-fragments")
    let name = fragment.name.map { schema.symbols[$0.symbol] } ?? ""
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
        help:
          "Select only __typename: the fragment declares the objects to link, and reads no fields.")
    }
  }

  // MARK: Selections

  private mutating func check(_ set: SelectionSet, on type: NamedType, isTop: Bool) {
    for selection in set.selections {
      allow(
        [], among: selection.directives, in: "an @updatable definition",
        rule: "updatable-definitions")
      var isTop = isTop
      switch selection {
      case .field(let field):
        isTop = false
        checkLists(schema.field(named: field.name.symbol, on: type), at: field)
      case .inlineFragment: break
      case .fragmentSpread(let spread): check(spread, on: type, isTop: isTop)
      }
      if let inner = schema.inner(of: selection, on: type) {
        check(inner.set, on: inner.type, isTop: isTop)
      }
    }
  }

  /// Reports a field that is a list of lists of objects. Links cannot represent it.
  private mutating func checkLists(_ definition: SchemaField?, at field: Field) {
    guard let definition, field.selectionSet != nil, definition.type.shape.listDepth > 1 else {
      return
    }
    diagnostics.report(
      rule: "updatable-definitions",
      message:
        "Field \"\(schema.symbols[field.name.symbol])\" is a list of lists of objects and cannot "
        + "be updated.", at: field.name.span, help: "Use an updater with record proxies.")
  }

  private mutating func check(_ spread: FragmentSpread, on type: NamedType, isTop: Bool) {
    guard let fragment = fragments[spread.name.symbol], let fragmentName = fragment.name,
      let condition = fragment.typeCondition
    else { return }
    let name = schema.symbols[spread.name.symbol]
    guard fragment.directives[named: .assignable] != nil else {
      diagnostics.report(
        rule: "updatable-definitions",
        message:
          "Fragment \"\(name)\" is not @assignable and cannot be spread in an @updatable definition.",
        at: spread.span, label: .init(fragmentName.span, "defined here"),
        help: "Add @assignable to it, or select its fields here.")
      return
    }
    if isTop {
      diagnostics.report(
        rule: "updatable-definitions",
        message:
          "The @assignable fragment \"\(name)\" is spread where no field can be assigned.",
        at: spread.span, help: "Spread it inside a field that links to an object.")
    }
    if schema.isSubtype(fragment.type.id, of: type.id) { return }
    let (ownName, typeName) = (schema.name(of: fragment.type.id), schema.name(of: type.id))
    diagnostics.report(
      rule: "updatable-definitions",
      message:
        "The @assignable fragment \"\(name)\" on \"\(ownName)\" cannot be assigned to a field of type "
        + "\"\(typeName)\": not every \(ownName) is one.", at: spread.span,
      label: .init(condition.span, "\"\(ownName)\" here"),
      help: "Define the fragment on \"\(typeName)\" or one of its types.")
  }

  // MARK: Directives

  /// Reports the directives that are not in `allowed`.
  private mutating func allow(
    _ allowed: Set<Symbol>, among directives: [Directive], in owner: String, rule: String
  ) {
    for directive in directives where !allowed.contains(directive.name.symbol) {
      let name = schema.symbols[directive.name.symbol]
      diagnostics.report(
        rule: rule, message: "@\(name) is not allowed in \(owner).", at: directive.span,
        help: "Remove it.")
    }
  }
}
