import GraphQLLanguage
import RelayCompiler

/// Finds the changes that can be offered at a range of a document.
struct CodeActionBuilder {
  /// A replacement of a range of the document, or of the one with an operation that uses it.
  struct Edit {
    let span: Span
    let text: String
  }

  /// A change of the document.
  struct Action {
    let title: String
    let kind: CodeAction.Kind
    let edits: [Edit]
    var diagnostic: Diagnostic?
    var isPreferred = false
  }

  let document: Document
  let context: LanguageContext
  /// The range, as offsets in the document.
  let range: Range<UInt32>
  /// The source of new names.
  let names: DefinitionNames
  let text: (Span) -> String
  var actions: [Action] = []

  init(
    _ document: Document, in range: Range<UInt32>, _ context: LanguageContext,
    names: DefinitionNames, text: @escaping (Span) -> String
  ) {
    self.document = document
    self.range = range
    self.context = context
    self.names = names
    self.text = text
  }

  var schema: Schema { context.schema }
  var symbols: SymbolTable { context.symbols }

  /// Whether a span contains the range.
  func contains(_ span: Span) -> Bool {
    span.start <= range.lowerBound && range.upperBound <= span.end
  }

  // MARK: Rewriting

  /// Adds the changes of the definition around the range.
  mutating func addRewrites() {
    guard let definition = document.definitions.first(where: { contains($0.span) }),
      let set = definition.selectionSet
    else { return }
    let place = innermost(Place(set: set, parent: type(of: definition), isConnection: false))
    if let parent = place.parent, parent.isComposite {
      if range.isEmpty { addID(to: place.set, on: parent) }
      extract(place, on: parent, of: definition)
    }
    if range.isEmpty { addVariable(in: definition) }
  }

  /// A selection set in a document.
  private struct Place {
    let set: SelectionSet
    let parent: NamedType?
    /// Whether the set belongs to a field with `@connection`.
    let isConnection: Bool
  }

  func type(of definition: Definition) -> NamedType? {
    switch definition {
    case .operation(let operation): schema.rootType(of: operation.operation)
    case .fragment(let fragment): context.composite(fragment.typeCondition.symbol)
    case .schema, .type, .directive: nil
    }
  }

  /// Returns the innermost selection set that contains the range.
  private func innermost(_ place: Place) -> Place {
    for selection in place.set.selections where contains(selection.span) {
      let inner: Place?
      switch selection {
      case .field(let field):
        let definition = place.parent.flatMap { context.field(named: field.name.symbol, on: $0) }
        inner = field.selectionSet.map { set in
          Place(
            set: set, parent: definition.map { schema[$0.type.named] },
            isConnection: field.directives.contains { symbols[$0.name.symbol] == "connection" })
        }
      case .inlineFragment(let fragment):
        inner = Place(
          set: fragment.selectionSet,
          parent: fragment.typeCondition.map { context.composite($0.symbol) } ?? place.parent,
          isConnection: place.isConnection)
      case .fragmentSpread: inner = nil
      }
      if let inner, contains(inner.set.span) { return innermost(inner) }
    }
    return place
  }

  private mutating func addID(to set: SelectionSet, on parent: NamedType) {
    let id = symbols.intern("id")
    // An `id` of another type does not identify the object.
    guard parent.field(named: id) != nil, context.keys.isKey(id, of: parent, in: schema),
      let first = set.selections.first
    else { return }
    let isSelected = set.selections.contains { selection in
      if case .field(let field) = selection { field.responseKey == id } else { false }
    }
    if isSelected { return }
    let start = Span(
      start: first.span.start, end: first.span.start, source: first.span.source)
    actions.append(
      Action(
        title: "Add \"id\"", kind: .rewrite,
        edits: [Edit(span: start, text: "id" + separator(before: first.span))]))
  }

  /// The white space before a selection: a line break with its indentation, or a space.
  private func separator(before span: Span) -> String {
    let prefix = text(Span(start: 0, end: span.start, source: span.source))
    let spaces = prefix.reversed().prefix { $0 == " " || $0 == "\t" }
    let rest = prefix.dropLast(spaces.count)
    return rest.last?.isNewline == true ? "\n" + String(spaces.reversed()) : " "
  }

  private mutating func extract(
    _ place: Place, on parent: NamedType, of definition: Definition
  ) {
    let chosen = place.set.selections.filter {
      $0.span.start < range.upperBound && range.lowerBound < $0.span.end
    }
    guard !range.isEmpty, let first = chosen.first?.span, let last = chosen.last?.span,
      usesNoFragmentVariable(chosen, of: definition),
      // What is assigned must be selected in the definition itself.
      !isUpdatable(definition), definition.executableDirectives[named: .assignable] == nil,
      // A connection's edges must not be in a fragment.
      !place.isConnection || !chosen.contains(where: isEdges)
    else { return }
    let type = symbols[parent.symbol]
    let name = names.free(names.prefix + "_" + SwiftName.lowerFirst(type))
    let lines = text(Span(start: first.start, end: last.end, source: first.source))
      .replacing("\r\n", with: "\n")
    let indentation = separator(before: first).dropFirst()
    let body = lines.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      "  " + (line.hasPrefix(indentation) ? line.dropFirst(indentation.count) : line[...])
    }
    let end = Span(start: definition.span.end, end: definition.span.end, source: first.source)
    actions.append(
      Action(
        title: "Extract fragment \"\(name)\"", kind: .extract,
        edits: [
          Edit(
            span: Span(start: first.start, end: last.end, source: first.source), text: "...\(name)"),
          Edit(
            span: end,
            text: "\n\nfragment \(name) on \(type) {\n\(body.joined(separator: "\n"))\n}"),
        ]))
  }

  func isUpdatable(_ definition: Definition) -> Bool {
    definition.executableDirectives[named: .updatable] != nil
  }

  private func isEdges(_ selection: Selection) -> Bool {
    guard case .field(let field) = selection else { return false }
    return symbols[field.name.symbol] == "edges"
  }

  private func usesNoFragmentVariable(_ selections: [Selection], of definition: Definition) -> Bool
  {
    let spans = selections.map(\.span)
    var walker = OccurrenceWalker(context)
    walker.walk(definition)
    return !walker.occurrences.contains { occurrence in
      guard case .fragmentVariable(let fragment, _) = occurrence.element,
        case .fragment(let own) = definition, own.name.symbol == fragment
      else { return false }
      return spans.contains { $0.start <= occurrence.span.start && occurrence.span.end <= $0.end }
    }
  }
}
