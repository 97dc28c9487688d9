import GraphQLLanguage

extension CodeActionBuilder {
  /// Adds the corrections of a diagnostic in the document.
  ///
  /// - Parameter operation: Returns the operation at a span, which may be in another document.
  mutating func addCorrections(
    of diagnostic: Diagnostic, operation: (Span) -> OperationDefinition?
  ) {
    let first = actions.count
    switch diagnostic.correction {
    case .replacement(let span, let replacements): replace(span, with: replacements)
    case .inlineFragment(let types): wrap(at: diagnostic.primarySpan, in: types)
    case .argument(let name): addArgument(name, at: diagnostic.primarySpan)
    case nil: break
    }
    switch diagnostic.rule {
    case "scalar-leafs": correctSelections(at: diagnostic.primarySpan)
    case "known-fragment-names": createFragment(spreadAt: diagnostic.primarySpan)
    case "named-operations": nameOperation(at: diagnostic.primarySpan)
    case "unique-operation-names", "unique-fragment-names": rename(diagnostic.locations)
    case "no-undefined-variables":
      if let operation = diagnostic.locations.dropFirst().first.flatMap(operation) {
        declareVariable(at: diagnostic.primarySpan, in: operation)
      }
    case "no-unused-variables": removeVariable(at: diagnostic.primarySpan)
    default: break
    }
    for index in actions.indices[first...] {
      actions[index].diagnostic = diagnostic
      actions[index].isPreferred = actions.count == first + 1
    }
  }

  mutating func addFix(_ title: String, _ edits: Edit...) {
    actions.append(Action(title: title, kind: .quickFix, edits: edits))
  }

  /// Returns the insertion of text at an offset of a span's source.
  func insertion(_ text: String, at offset: UInt32, in source: SourceID) -> Edit {
    Edit(span: Span(start: offset, end: offset, source: source), text: text)
  }

  func insertion(_ text: String, after span: Span) -> Edit {
    insertion(text, at: span.end, in: span.source)
  }

  private mutating func replace(_ span: Span, with replacements: [String]) {
    for replacement in replacements {
      let name = replacement.filter { $0 != "\"" }
      addFix("Change to \"\(name)\"", Edit(span: span, text: replacement))
    }
  }

  // MARK: Selections

  /// A selection with its definition and its parent type.
  struct SelectionPlace {
    let definition: Definition
    let selection: Selection
    let parent: NamedType?
  }

  /// Returns the innermost selection that contains a span.
  func selection(around span: Span) -> SelectionPlace? {
    func isAround(_ other: Span) -> Bool { other.start <= span.start && span.end <= other.end }
    guard let definition = document.definitions.first(where: { isAround($0.span) }) else {
      return nil
    }
    var found: SelectionPlace?
    var set = definition.selectionSet
    var parent = type(of: definition)
    while let selection = set?.selections.first(where: { isAround($0.span) }) {
      found = SelectionPlace(definition: definition, selection: selection, parent: parent)
      set = selection.selectionSet
      switch selection {
      case .field(let field):
        parent = self.definition(of: field, on: parent).map { schema[$0.type.named] }
      case .inlineFragment(let fragment):
        if let name = fragment.typeCondition { parent = context.composite(name.symbol) }
      case .fragmentSpread: break
      }
    }
    return found
  }

  func definition(of field: Field, on parent: NamedType?) -> SchemaField? {
    parent.flatMap { context.field(named: field.name.symbol, on: $0) }
  }

  private mutating func wrap(at span: Span, in types: [String]) {
    guard let span = selection(around: span)?.selection.span else { return }
    for type in types {
      addFix(
        "Wrap in \"... on \(type)\"",
        Edit(span: span, text: "... on \(type) { \(text(span)) }"))
    }
  }

  /// Adds the selection that a field needs, or removes the one it must not have.
  private mutating func correctSelections(at span: Span) {
    guard let place = selection(around: span), case .field(let field) = place.selection,
      let definition = definition(of: field, on: place.parent)
    else { return }
    if let set = field.selectionSet {
      let before = text(Span(start: field.span.start, end: set.span.start, source: span.source))
      // The braces after a comment are on a line of their own.
      let blank = before.contains("#") ? 0 : before.reversed().prefix(while: \.isWhitespace).count
      let start = set.span.start - UInt32(before.suffix(blank).utf8.count)
      addFix(
        "Remove the selection of \"\(symbols[field.name.symbol])\"",
        Edit(span: Span(start: start, end: set.span.end, source: span.source), text: ""))
    } else {
      let selection = defaultSelection(on: schema[definition.type.named])
      addFix("Select \"\(selection)\"", insertion(" { \(selection) }", after: field.span))
    }
  }

  /// Returns a selection that objects of a type have: an identifier, the edges of a connection, or
  /// another field.
  func defaultSelection(on type: NamedType) -> String {
    let id = symbols.intern("id")
    if type.field(named: id) != nil, context.keys.isKey(id, of: type, in: schema) { return "id" }
    func composite(_ name: String, in type: NamedType) -> NamedType? {
      let field = type.field(named: symbols.intern(name))
      return field.map { schema[$0.type.named] }.flatMap { $0.isComposite ? $0 : nil }
    }
    if let node = composite("edges", in: type).flatMap({ composite("node", in: $0) }) {
      return "edges { node { \(node.fields[named: id] != nil ? "id" : "__typename") } }"
    }
    let field = type.fields.first { field in
      schema[field.type.named].isLeaf && field.deprecationReason == nil
        && !field.arguments.contains(where: \.isRequired)
    }
    return field.map { symbols[$0.symbol] } ?? "__typename"
  }
}
