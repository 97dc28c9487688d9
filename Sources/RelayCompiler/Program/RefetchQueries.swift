import GraphQLLanguage

/// A generator of refetch queries for `@refetchable` fragments.
struct RefetchQueries {
  private let schema: Schema
  private let workspace: Workspace
  private let fragments: [Symbol: FragmentDefinition]
  private lazy var relayDirectives = NamedList(RelayDirectives.directives(for: schema))
  /// The spans of the operations' names, by name, including the generated queries.
  private var operations: [String: Span] = [:]
  /// The queries. Each has its fragment's span, so it belongs to the fragment's source.
  private(set) var document: Document
  private(set) var diagnostics: [Diagnostic] = []

  private var symbols: SymbolTable { schema.symbols }

  /// Generates the refetch queries for validated documents.
  ///
  /// - Parameter imported: The documents of other modules, which generate their own refetch
  ///   queries.
  init(
    _ documents: [Document], imported: [Document] = [], schema: Schema, in workspace: Workspace
  ) {
    self.schema = schema
    self.workspace = workspace
    document = Document(definitions: [], symbols: schema.symbols)
    var fragments: [FragmentDefinition] = []
    for definition in documents.lazy.flatMap(\.definitions) {
      switch definition {
      case .fragment(let fragment): fragments.append(fragment)
      case .operation(let operation):
        if let name = operation.name { operations[schema.symbols[name.symbol]] = name.span }
      default: continue
      }
    }
    let others = imported.lazy.flatMap(\.definitions).compactMap { definition in
      if case .fragment(let fragment) = definition { fragment } else { nil }
    }
    self.fragments = Dictionary(
      (fragments + others).map { ($0.name.symbol, $0) }, uniquingKeysWith: { first, _ in first })
    for fragment in fragments { add(fragment) }
  }

  private mutating func add(_ fragment: FragmentDefinition) {
    guard let directive = fragment.directives[named: .refetchable],
      let name = queryName(in: directive),
      let root = root(of: fragment, directive: directive),
      let directives = directives(in: directive)
    else { return }
    checkPlural(fragment, directive: directive)
    checkConnections(fragment, directive: directive)
    let fragmentVariables = RelayDirectives.fragmentVariables(of: fragment, in: schema)
      .filter { $0.provider == nil }
    var used = VariableTypes(schema: schema, directives: relayDirectives, fragments: fragments)
    used.add(fragment)
    let id: Symbol? = root.identity == nil ? nil : .idField
    guard
      haveOwnNames(
        fragmentVariables, used, id: id, in: fragment, directive: directive)
    else { return }
    var variables = fragmentVariables.compactMap { variable in
      variable.type.map { self.variable(variable.name.symbol, $0, variable.defaultValue) }
    }
    variables += used.variables.map { variable($0.name, $0.type) }
    if let id, let type = schema.type(named: "ID") {
      variables.append(variable(id, ResolvedType(type.id).nonNull))
    }
    let selection = selection(of: fragment, passing: fragmentVariables, root: root)
    document.definitions.append(
      .operation(
        OperationDefinition(
          operation: .query, name: name, variables: variables, directives: directives,
          selectionSet: SelectionSet([selection]), span: fragment.span)))
  }

  // MARK: The query

  private func variable(
    _ name: Symbol, _ type: ResolvedType, _ defaultValue: Value? = nil
  ) -> VariableDefinition {
    VariableDefinition(
      name: Name(name),
      type: TypeReference(Name(schema[type.named].symbol), shape: type.shape),
      defaultValue: defaultValue)
  }

  /// Returns a spread of the fragment inside the field that leads to its object.
  private func selection(
    of fragment: FragmentDefinition, passing variables: [FragmentVariable], root: RefetchRoot
  ) -> Selection {
    func argument(_ name: Symbol, _ variable: Symbol) -> Argument {
      Argument(name: Name(name), value: Value(.variable(variable)))
    }
    let passed = variables.map { argument($0.name.symbol, $0.name.symbol) }
    let arguments = Directive(name: Name(.arguments), arguments: passed)
    let spread = Selection.fragmentSpread(
      FragmentSpread(
        name: Name(fragment.name.symbol), directives: passed.isEmpty ? [] : [arguments]))
    guard let field = root.field else { return spread }
    return .field(
      Field(
        name: Name(field),
        arguments: root.identity.map { [argument($0.argument, .idField)] } ?? [],
        selectionSet: SelectionSet([spread])))
  }

  // MARK: Checks

  private mutating func queryName(in directive: Directive) -> Name? {
    guard let value = directive.argument("queryName", in: symbols) else { return nil }
    guard case .string(let name, _) = value.kind, name.isGraphQLName else {
      report("\"queryName\" of @refetchable must be a name in quotes.", at: value.span)
      return nil
    }
    if let other = operations[name] {
      report(
        "Another operation is named \"\(name)\". Choose another \"queryName\".", at: value.span,
        label: .init(other, "it is here"))
      return nil
    }
    operations[name] = value.span
    return Name(symbols.intern(name), span: value.span)
  }

  private mutating func root(
    of fragment: FragmentDefinition, directive: Directive
  ) -> RefetchRoot? {
    if let root = RefetchRoot(for: fragment, in: schema) { return root }
    report(
      "Fragment \"\(symbols[fragment.name.symbol])\" cannot be fetched again: no query leads to "
        + "\"\(symbols[fragment.typeCondition.symbol])\". @refetchable is for fragments on the query "
        + "type, \"Viewer\", \"Node\" and its implementers, and types with @fetchable.",
      at: directive.span)
    return nil
  }

  /// Returns the `directives` of `@refetchable`; `nil` after reporting an invalid one.
  private mutating func directives(in directive: Directive) -> [Directive]? {
    guard let value = directive.argument("directives", in: symbols), value.kind != .null else {
      return []
    }
    let items: [Value] = if case .list(let items) = value.kind { items } else { [value] }
    var directives: [Directive] = []
    for item in items {
      guard case .string(let text, _) = item.kind, let parsed = parse(text) else {
        report(
          "\"directives\" of @refetchable must be a list of directives in quotes, such as "
            + "\"@raw_response_type\".", at: item.span)
        return nil
      }
      directives += parsed
    }
    return directives
  }

  /// Parses directives; returns `nil` if the string contains anything else.
  private func parse(_ directives: String) -> [Directive]? {
    let parsed = workspace.parse(Source("query Q \(directives) { a }"))
    guard parsed.diagnostics.isEmpty, parsed.document.definitions.count == 1,
      case .operation(let operation) = parsed.document.definitions[0],
      operation.variables.isEmpty, operation.selectionSet.selections.count == 1,
      !operation.directives.isEmpty
    else { return nil }
    return operation.directives
  }

  /// Returns whether all of the query's variables have distinct names; reports the first that does
  /// not.
  private mutating func haveOwnNames(
    _ fragmentVariables: [FragmentVariable], _ used: VariableTypes, id: Symbol?,
    in fragment: FragmentDefinition, directive: Directive
  ) -> Bool {
    let own = fragmentVariables.map(\.name.symbol)
    if let both = used.variables.first(where: { own.contains($0.name) }) {
      let name = symbols[both.name]
      report(
        "Fragment \"\(symbols[fragment.name.symbol])\" has an argument \"$\(name)\", and a fragment below it "
          + "uses a variable \"$\(name)\" of the operation: its refetch query cannot have both. "
          + "Rename one of them.", at: directive.span)
      return false
    }
    guard let id, (own + used.variables.map(\.name)).contains(id) else { return true }
    report(
      "Fragment \"\(symbols[fragment.name.symbol])\" uses a variable \"$id\", but its refetch "
        + "query needs that name for the object's id. Rename it.", at: directive.span)
    return false
  }

  private mutating func checkPlural(_ fragment: FragmentDefinition, directive: Directive) {
    let relay = fragment.directives[named: .relay]
    guard let relay, relay.argument("plural", in: symbols)?.kind == .boolean(true) else { return }
    report(
      "A fragment with @relay(plural: true) cannot have @refetchable: a query fetches one object. "
        + "Remove one of them.", at: directive.span, label: .init(relay.span, "@relay is here"))
  }

  /// Checks the connection that a `@refetchable` fragment paginates. There may be only one, it must
  /// not be inside a list, and variables must select its page.
  private mutating func checkConnections(
    _ fragment: FragmentDefinition, directive: Directive
  ) {
    guard let type = schema.type(named: fragment.typeCondition.symbol) else { return }
    let found = connections(in: fragment.selectionSet, on: type, isInList: false)
    if found.count > 1 {
      report(
        "Fragment \"\(symbols[fragment.name.symbol])\" has several connections, but one "
          + "with @refetchable can have only one. Move the others to separate fragments.",
        at: found[1].field.name.span, label: .init(found[0].field.name.span, "the first is here"))
    }
    guard let (field, isInList) = found.first else { return }
    if isInList {
      report(
        "Connection \"\(symbols[field.responseKey])\" is inside a list, so @refetchable cannot "
          + "paginate it. Put it into a fragment on the list's objects.", at: field.name.span)
    }
    for (count, cursor) in [("first", "after"), ("last", "before")] {
      let size = field.arguments.first { symbols[$0.name.symbol] == count }
      guard let size, size.value.kind != .null else { continue }
      for name in [count, cursor] {
        let argument = field.arguments.first { symbols[$0.name.symbol] == name }
        if case .variable = argument?.value.kind { continue }
        report(
          "Connection \"\(symbols[field.responseKey])\" needs a variable for \"\(name)\", because "
            + "@refetchable paginates it.", at: argument?.span ?? field.name.span)
      }
    }
  }

  private func connections(
    in set: SelectionSet, on type: NamedType, isInList: Bool
  ) -> [(field: Field, isInList: Bool)] {
    set.selections.flatMap { selection -> [(field: Field, isInList: Bool)] in
      var own: [(field: Field, isInList: Bool)] = []
      var isInList = isInList
      if case .field(let field) = selection,
        let definition = schema.field(named: field.name.symbol, on: type)
      {
        if field.directives[named: .connection] != nil { own = [(field, isInList)] }
        isInList = isInList || definition.type.isList
      }
      guard let inner = schema.inner(of: selection, on: type) else { return own }
      return own + connections(in: inner.set, on: inner.type, isInList: isInList)
    }
  }

  private mutating func report(_ message: String, at span: Span, label: Diagnostic.Label? = nil) {
    diagnostics.report(rule: "refetchable-directive", message: message, at: span, label: label)
  }
}
