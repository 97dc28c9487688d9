import GraphQLLanguage

/// Rewrites the documents of an Apollo project: replaces its directives with RelayStore's, or
/// removes them.
///
/// Everything else is preserved as written, including comments and layout. Only a local cache
/// mutation that spreads fragments is printed anew, with the fragments' fields inlined.
struct DocumentRewriter {
  let schema: Schema
  let places: ImportPlaces
  let fragments: [Symbol: FragmentDefinition]
  var symbols: SymbolTable { schema.symbols }
  private(set) var notes: [MigrationNote] = []
  private var edits: [SourceID: TextEdits] = [:]
  /// Fragments extracted from deferred inline fragments, by the file that they go into.
  private var made: [SourceID: [(head: String, selections: Span)]] = [:]
  /// The names of all definitions.
  private var names: Set<String> = []
  /// The spans of the names of operations and fragments.
  private var operationNames: [String: [Span]] = [:]
  private var fragmentNames: [String: [Span]] = [:]
  /// The new names of definitions by old name; a fragment's old name is prefixed with `fragment`.
  private var newNames: [String: String] = [:]
  /// The name of the definition being rewritten.
  private var owner = ""

  /// Rewrites documents.
  ///
  /// - Parameter documents: The trees of the sources in `workspace`, without errors.
  init(_ documents: [Document], schema: Schema, workspace: Workspace, places: ImportPlaces) {
    self.schema = schema
    self.places = places
    var fragments: [Symbol: FragmentDefinition] = [:]
    for definition in documents.lazy.flatMap(\.definitions) {
      if let name = definition.executableName { names.insert(schema.symbols[name.symbol]) }
      if case .fragment(let fragment) = definition { fragments[fragment.name.symbol] = fragment }
    }
    self.fragments = fragments
    for document in documents {
      guard let source = workspace[document.source] else { continue }
      edits[document.source] = TextEdits(source)
      for definition in document.definitions { rewrite(definition) }
    }
  }

  /// Returns the rewritten document.
  func text(of source: SourceID) -> String {
    guard let edits = edits[source] else { return "" }
    var text = edits.text()
    for fragment in made[source] ?? [] {
      if !text.hasSuffix("\n") { text += "\n" }
      text += "\n\(fragment.head) \(edits.text(of: fragment.selections))\n"
    }
    return text
  }

  /// Renames an operation or a fragment, both in its definition and in spreads.
  ///
  /// - Returns: The new name; `nil` if the definition does not exist.
  mutating func rename(_ name: String, isFragment: Bool, because reason: String) -> String? {
    let spans = (isFragment ? fragmentNames : operationNames)[name] ?? []
    guard let definition = spans.first else { return nil }
    let new = free(name + (isFragment ? "Fragment" : "Operation"))
    for span in spans { edits[span.source]?.replace(span, with: new) }
    newNames[isFragment ? "fragment \(name)" : name] = new
    let sent = isFragment ? "" : " The server sees the new name."
    note(
      .changed, at: definition, of: "\(isFragment ? "fragment" : "operation") \(name)",
      "It is called \(MigrationNote.code(new)), because \(reason).\(sent)")
    return new
  }

  /// Returns a definition's current name.
  func newName(of name: String, isFragment: Bool) -> String {
    newNames[isFragment ? "fragment \(name)" : name] ?? name
  }

  // MARK: Definitions

  private mutating func rewrite(_ definition: Definition) {
    let type: NamedType?
    switch definition {
    case .operation(let operation):
      owner = operation.name.map { symbols[$0.symbol] } ?? "Operation"
      if let name = operation.name { operationNames[owner, default: []].append(name.span) }
      type = schema.rootType(of: operation.operation)
    case .fragment(let fragment):
      owner = symbols[fragment.name.symbol]
      fragmentNames[owner, default: []].insert(fragment.name.span, at: 0)
      type = schema.type(named: fragment.typeCondition.symbol)
    default: return
    }
    guard let selections = definition.selectionSet else { return }
    if definition.executableDirectives.isLocal(in: symbols) {
      return rewriteLocal(definition, selections)
    }
    removeImports(definition.executableDirectives)
    rewrite(selections, on: type)
  }

  private mutating func removeImports(_ directives: [Directive]) {
    for directive in directives.named(ApolloDirectives.import, in: symbols) {
      edits[directive.span.source]?.remove(directive.span)
      let module = directive.string("module", in: symbols) ?? ""
      note(
        .manual, at: directive.span, of: "@import(module: \"\(module)\")",
        "Removed. Generated code imports the modules whose fragments and types it names: let the target depend on \(MigrationNote.code(module)), and see `Docs/Modules.md`."
      )
    }
  }

  /// Turns a local cache mutation into an updatable definition.
  private mutating func rewriteLocal(_ definition: Definition, _ selections: SelectionSet) {
    let (span, directives) = (definition.span, definition.executableDirectives)
    if case .operation(let operation) = definition, operation.operation != .query {
      edits[span.source]?.removeDefinition(span)
      return note(
        .manual, at: span, of: "@\(ApolloDirectives.localCacheMutation)",
        "Removed with its definition: only queries and fragments can be updatable. Make it a query."
      )
    }
    removeImports(directives)
    for directive in directives.named(ApolloDirectives.localCacheMutation, in: symbols) {
      edits[span.source]?.replace(directive.span, with: "@updatable")
    }
    note(
      .changed, at: span, of: owner,
      "A local cache mutation is `@updatable`: write it with `environment.commitUpdate { store in try store.updatable(…) }`. Scalars are properties with setters; objects are linked by `set…` methods, and these need a spread of an `@assignable` fragment: `Docs/Reference/Compiler.md`."
    )
    replaceSelections(selections, of: definition)
  }

  /// Inlines the fields of spread fragments, and removes directives.
  private mutating func replaceSelections(_ selections: SelectionSet, of definition: Definition) {
    let span = definition.span
    var inlining = UpdatableSelections(fragments: fragments, symbols: symbols)
    guard let updatable = inlining.selections(of: selections) else {
      return note(
        .manual, at: span, of: owner, "Its fragments have too many fields to inline."
      )
    }
    for directive in inlining.dropped {
      note(
        .manual, at: directive.span, of: "@\(symbols[directive.name.symbol]) in \(owner)",
        "Removed: an updatable definition has no directives. Test the condition in Swift.")
    }
    guard inlining.hasChanges else { return }
    if case .operation(let operation) = definition {
      removeUnused(operation, used: inlining.variables)
    }
    let text = updatable.selections.map { symbols.text(of: $0) }.joined(separator: "\n")
    let lines = text.split(separator: "\n").map { "  \($0)\n" }.joined()
    edits[span.source]?.replace(selections.span, with: "{\n\(lines)}")
    if inlining.hasSpreads {
      note(
        .changed, at: span, of: owner,
        "Spread fragments are replaced by their fields, because an updatable definition cannot write through a reference."
      )
    }
  }

  /// Removes the declarations of variables used only by removed directives.
  private mutating func removeUnused(_ operation: OperationDefinition, used: Set<Symbol>) {
    let kept = operation.variables.filter { used.contains($0.name.symbol) }
    guard kept.count < operation.variables.count, let name = operation.name,
      let directive = operation.directives.first
    else { return }
    let source = operation.span.source
    let texts = kept.compactMap { edits[source]?.text(of: $0.span) }.joined(separator: ", ")
    edits[source]?.replace(
      Span(start: name.span.end, end: directive.span.start, source: source),
      with: texts.isEmpty ? " " : "(\(texts)) ")
  }

  // MARK: Selections

  private mutating func rewrite(_ set: SelectionSet, on type: NamedType?) {
    for selection in set.selections {
      switch selection {
      case .field(let field): rewrite(field, on: type)
      case .fragmentSpread(let spread):
        fragmentNames[symbols[spread.name.symbol], default: []].append(spread.name.span)
      case .inlineFragment(let fragment):
        let inner = fragment.typeCondition.flatMap { schema.type(named: $0.symbol) } ?? type
        if !fragment.directives.named("defer", in: symbols).isEmpty {
          makeFragment(of: fragment, on: inner)
        }
        rewrite(fragment.selectionSet, on: inner)
      }
    }
  }

  private mutating func rewrite(_ field: Field, on type: NamedType?) {
    for directive in field.directives.named(ApolloDirectives.nonnull, in: symbols) {
      edits[directive.span.source]?.replace(directive.span, with: "@required(action: THROW)")
      note(
        .changed, at: directive.span, of: "@nonnull",
        "It is `@required(action: THROW)`: a null leaves the definition without data, and reading it throws."
      )
    }
    for directive in field.directives.named(ApolloDirectives.connection, in: symbols) {
      rewriteConnection(directive, on: field)
    }
    guard let set = field.selectionSet else { return }
    let definition = type.flatMap { schema.field(named: field.name.symbol, on: $0) }
    rewrite(set, on: definition.map { schema[$0.type.named] })
  }

  /// Extracts a deferred inline fragment into a named fragment, and spreads that instead.
  private mutating func makeFragment(of inline: InlineFragment, on type: NamedType?) {
    guard let type else { return }
    let typeName = schema.name(of: type.id)
    let label = inline.directives.named("defer", in: symbols).first?.string("label", in: symbols)
    let name = free("\(owner)_\(label.flatMap { $0.isGraphQLName ? $0 : nil } ?? typeName)")
    let source = inline.span.source
    let directives = inline.directives.compactMap { edits[source]?.text(of: $0.span) }
    edits[source]?.replace(
      inline.span, with: "...\(name) \(directives.joined(separator: " "))")
    made[source, default: []].append(
      ("fragment \(name) on \(typeName)", inline.selectionSet.span))
    note(
      .changed, at: inline.span, of: "... @defer in \(owner)",
      "Only fragment spreads can be deferred: its fields are the fragment \(MigrationNote.code(name)), whose reference has no data until the part has arrived."
    )
  }

  /// Replaces Apollo's `@connection` if the field is a paginated connection; otherwise removes it.
  private mutating func rewriteConnection(_ directive: Directive, on field: Field) {
    let name = symbols[field.name.symbol]
    let hasPages = field.arguments.contains {
      ["first", "last"].contains(symbols[$0.name.symbol])
    }
    let hasEdges =
      field.selectionSet?.selections.contains {
        if case .field(let inner) = $0 { symbols[inner.name.symbol] == "edges" } else { false }
      } ?? false
    guard hasPages, hasEdges, let key = directive.string("key", in: symbols) else {
      edits[directive.span.source]?.remove(directive.span)
      return note(
        .manual, at: directive.span, of: "@connection on \(name)",
        "Removed: it is for fields with `first` or `last` that select `edges`. Other lists are stored by all their arguments."
      )
    }
    let filters = directive.arguments.first {
      ["filter", "filters"].contains(symbols[$0.name.symbol])
    }
    let suffix = filters.map { ", filters: \(symbols.text(of: $0.value))" } ?? ""
    let base = String(key.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    let ownKey = base.hasSuffix("_\(name)") ? base : "\(base)_\(name)"
    edits[directive.span.source]?.replace(
      directive.span, with: "@connection(key: \"\(ownKey)\"\(suffix))")
    note(
      .changed, at: directive.span, of: "@connection on \(name)",
      "Its pages are merged under the key \"\(ownKey)\"; `environment.paginate` loads more: `Docs/Pagination.md`."
    )
  }

  // MARK: Names and notes

  /// Returns an unused name, and reserves it.
  private mutating func free(_ name: String) -> String {
    var (result, number) = (name, 2)
    while !names.insert(result).inserted {
      result = "\(name)\(number)"
      number += 1
    }
    return result
  }

  private mutating func note(
    _ kind: MigrationNote.Kind, at span: Span, of subject: String, _ text: String
  ) {
    notes.add(kind, at: places.place(of: span), of: subject, text)
  }
}
