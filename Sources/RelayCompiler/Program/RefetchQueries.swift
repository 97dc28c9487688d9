import GraphQLLanguage

/// Generates the refetch queries of `@refetchable` fragments.
struct RefetchQueries {
  /// A refetch query as GraphQL, with its fragment.
  struct Query {
    let fragment: FragmentDefinition
    let text: String
    /// The span of `queryName` in the directive.
    let nameSpan: Span

    /// Parses the query to a document. Its operation has the span of the fragment, so the query
    /// belongs to the fragment's source.
    func document(in workspace: Workspace) -> Document {
      var document = workspace.parse(Source(text)).document
      document.definitions = document.definitions.map { definition in
        guard case .operation(var operation) = definition else { return definition }
        operation.name = operation.name.map { Name($0.symbol, span: nameSpan) }
        operation.span = fragment.span
        return .operation(operation)
      }
      return document
    }
  }

  private let schema: Schema
  private let fragments: [Symbol: FragmentDefinition]
  /// The spans of the operations' names, by name. The generated queries are among them.
  private var operations: [String: Span] = [:]
  private(set) var queries: [Query] = []
  private(set) var diagnostics: [Diagnostic] = []

  private var symbols: SymbolTable { schema.symbols }

  /// Generates the refetch queries of documents that passed validation.
  ///
  /// - Parameter imported: The documents of other modules, which generate their own refetch
  ///   queries.
  init(_ documents: [Document], imported: [Document] = [], schema: Schema) {
    self.schema = schema
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
    guard let directive = fragment.directives[named: symbols.intern("refetchable")],
      let name = queryName(in: directive), let root = root(of: fragment, directive: directive),
      let directives = directives(in: directive)
    else { return }
    checkPlural(fragment, directive: directive)
    checkConnections(fragment, directive: directive)
    let fragmentVariables = RelayDirectives.fragmentVariables(of: fragment, in: schema)
      .filter { $0.provider == nil }
    var used = VariableTypes(schema: schema, fragments: fragments)
    used.add(fragment)
    if let both = used.variables.first(where: { $0.name.isOne(of: fragmentVariables) }) {
      let name = symbols[both.name]
      report(
        "Fragment \"\(symbols[fragment.name.symbol])\" has an argument \"$\(name)\", and a fragment below it "
          + "uses a variable \"$\(name)\" of the operation: the query made for it cannot have both. "
          + "Rename one of them.", at: directive.span)
      return
    }
    let id = symbols.intern("id")
    let names = fragmentVariables.map(\.name.symbol) + used.variables.map(\.name)
    if root.identity != nil, names.contains(id) {
      report(
        "Fragment \"\(symbols[fragment.name.symbol])\" uses a variable \"$id\", which the query made "
          + "for it has for the object's id. Rename it.", at: directive.span)
      return
    }
    queries.append(
      Query(
        fragment: fragment,
        text: text(
          of: name, fragment: fragment, root: root, directives: directives,
          fragmentVariables: fragmentVariables, operationVariables: used),
        nameSpan: directive.argument("queryName", in: symbols)?.span ?? directive.span))
  }

  // MARK: Text

  private func text(
    of name: String, fragment: FragmentDefinition, root: RefetchRoot, directives: String,
    fragmentVariables: [FragmentVariable], operationVariables: VariableTypes
  ) -> String {
    let values = ValueText(symbols: symbols)
    var variables = fragmentVariables.compactMap { variable in
      variable.type.map { type in
        "$\(symbols[variable.name.symbol]): \(schema.text(of: type))"
          + (variable.defaultValue.map { " = " + values.graphQL($0) } ?? "")
      }
    }
    variables += operationVariables.variables.map {
      "$\(symbols[$0.name]): \(schema.text(of: $0.type))"
    }
    if root.identity != nil { variables.append("$id: ID!") }
    let passed = fragmentVariables.map { "\(symbols[$0.name.symbol]): $\(symbols[$0.name.symbol])" }
    var body = "...\(symbols[fragment.name.symbol])"
    if !passed.isEmpty { body += " @arguments(\(passed.joined(separator: ", ")))" }
    if let field = root.field {
      let identity = root.identity.map { "(\(symbols[$0.argument]): $id)" } ?? ""
      body = "\(symbols[field])\(identity) { \(body) }"
    }
    let list = variables.isEmpty ? "" : "(\(variables.joined(separator: ", ")))"
    return "query \(name)\(list)\(directives) { \(body) }"
  }

  // MARK: Checks

  private mutating func queryName(in directive: Directive) -> String? {
    guard let value = directive.argument("queryName", in: symbols) else { return nil }
    guard case .string(let name, _) = value.kind, name.isGraphQLName else {
      report("\"queryName\" of @refetchable must be a name in quotes.", at: value.span)
      return nil
    }
    if let other = operations[name] {
      report(
        "There is another operation \"\(name)\". Choose another \"queryName\".", at: value.span,
        label: .init(other, "it is here"))
      return nil
    }
    operations[name] = value.span
    return name
  }

  private mutating func root(
    of fragment: FragmentDefinition, directive: Directive
  ) -> RefetchRoot? {
    if let root = RefetchRoot(for: fragment, in: schema) { return root }
    report(
      "Fragment \"\(symbols[fragment.name.symbol])\" cannot be fetched again: no query leads to "
        + "\"\(symbols[fragment.typeCondition.symbol])\". @refetchable is for fragments on the query "
        + "type, \"Viewer\", \"Node\" and what implements it, and types with @fetchable.",
      at: directive.span)
    return nil
  }

  /// The `directives` of `@refetchable` as text to follow the query's name; `nil` after reporting
  /// an invalid one.
  private mutating func directives(in directive: Directive) -> String? {
    guard let value = directive.argument("directives", in: symbols), value.kind != .null else {
      return ""
    }
    let items: [Value] = if case .list(let items) = value.kind { items } else { [value] }
    var text = ""
    for item in items {
      guard case .string(let one, _) = item.kind, isDirective(one) else {
        report(
          "\"directives\" of @refetchable must be a list of directives in quotes, such as "
            + "\"@raw_response_type\".", at: item.span)
        return nil
      }
      text += " " + one
    }
    return text
  }

  private func isDirective(_ text: String) -> Bool {
    let workspace = Workspace()
    let parsed = workspace.parse(Source("query Q \(text) { a }"))
    guard parsed.diagnostics.isEmpty, parsed.document.definitions.count == 1,
      case .operation(let operation) = parsed.document.definitions[0]
    else { return false }
    return !operation.directives.isEmpty && operation.variables.isEmpty
      && operation.selectionSet.selections.count == 1
  }

  private mutating func checkPlural(_ fragment: FragmentDefinition, directive: Directive) {
    let relay = fragment.directives[named: symbols.intern("relay")]
    guard let relay, relay.argument("plural", in: symbols)?.kind == .boolean(true) else { return }
    report(
      "A fragment with @relay(plural: true) cannot have @refetchable: a query fetches one object. "
        + "Remove one of them.", at: directive.span, label: .init(relay.span, "@relay is here"))
  }

  /// Checks the connection that a `@refetchable` fragment paginates: the fragment has at most one,
  /// it is not inside a list, and variables select its page.
  private mutating func checkConnections(
    _ fragment: FragmentDefinition, directive: Directive
  ) {
    guard let type = schema.type(named: fragment.typeCondition.symbol) else { return }
    let found = connections(in: fragment.selectionSet, on: type, isInList: false)
    if found.count > 1 {
      report(
        "Fragment \"\(symbols[fragment.name.symbol])\" has several connections; one with "
          + "@refetchable may have one. Put the others into fragments of their own.",
        at: found[1].field.name.span, label: .init(found[0].field.name.span, "the first is here"))
    }
    guard let (field, isInList) = found.first else { return }
    if isInList {
      report(
        "Connection \"\(symbols[field.responseKey])\" is inside a list, so that @refetchable cannot "
          + "page it. Put it into a fragment on the list's objects.", at: field.name.span)
    }
    for (count, cursor) in [("first", "after"), ("last", "before")] {
      let size = field.arguments.first { symbols[$0.name.symbol] == count }
      guard let size, size.value.kind != .null else { continue }
      for name in [count, cursor] {
        let argument = field.arguments.first { symbols[$0.name.symbol] == name }
        if case .variable = argument?.value.kind { continue }
        report(
          "Connection \"\(symbols[field.responseKey])\" needs a variable for \"\(name)\", because "
            + "@refetchable pages it.", at: argument?.span ?? field.name.span)
      }
    }
  }

  private func connections(
    in set: SelectionSet, on type: NamedType, isInList: Bool
  ) -> [(field: Field, isInList: Bool)] {
    let connection = symbols.intern("connection")
    return set.selections.flatMap { selection -> [(field: Field, isInList: Bool)] in
      switch selection {
      case .field(let field):
        guard let definition = schema.field(named: field.name.symbol, on: type) else { return [] }
        let own = field.directives[named: connection] == nil ? [] : [(field, isInList)]
        guard let inner = field.selectionSet else { return own }
        return own
          + connections(
            in: inner, on: schema[definition.type.named],
            isInList: isInList || definition.type.isList)
      case .inlineFragment(let fragment):
        let inner = fragment.typeCondition.flatMap { schema.type(named: $0.symbol) } ?? type
        return connections(in: fragment.selectionSet, on: inner, isInList: isInList)
      case .fragmentSpread: return []
      }
    }
  }

  private mutating func report(_ message: String, at span: Span, label: Diagnostic.Label? = nil) {
    diagnostics.report(rule: "refetchable-directive", message: message, at: span, label: label)
  }
}

extension Symbol {
  /// Whether one of the fragment variables has this name.
  fileprivate func isOne(of fragmentVariables: [FragmentVariable]) -> Bool {
    fragmentVariables.contains { $0.name.symbol == self }
  }
}
