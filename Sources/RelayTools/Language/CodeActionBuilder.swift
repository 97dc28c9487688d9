import GraphQLLanguage
import RelayCompiler

/// Finds the changes that can be offered at a range of a document.
struct CodeActionBuilder {
  /// A replacement of a range of the document.
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
  }

  private let document: Document
  let context: LanguageContext
  /// The range, as offsets in the document.
  private let range: Range<UInt32>
  private let text: (Span) -> String
  var actions: [Action] = []

  init(
    _ document: Document, in range: Range<UInt32>, _ context: LanguageContext,
    text: @escaping (Span) -> String
  ) {
    self.document = document
    self.range = range
    self.context = context
    self.text = text
  }

  var schema: Schema { context.schema }
  var symbols: SymbolTable { context.symbols }

  /// Whether a span contains the range.
  func contains(_ span: Span) -> Bool {
    span.start <= range.lowerBound && range.upperBound <= span.end
  }

  // MARK: Corrections

  /// Adds the corrections that a diagnostic suggests after "Did you mean".
  mutating func addCorrections(of diagnostic: Diagnostic) {
    let parts = [diagnostic.message, diagnostic.help ?? ""]
    guard let suggestions = parts.lazy.compactMap(Self.suggestions).first else { return }
    let misspelled = Self.quoted(in: diagnostic.message.prefix(upTo: "Did you mean"))
    let span = diagnostic.primarySpan
    let names = OccurrenceWalker.occurrences(in: document, context).filter {
      $0.span.start >= span.start && $0.span.end <= span.end
    }
    let words = misspelled.map { $0.drop { $0 == "@" || $0 == "$" } }
    let name = words.compactMap { word in names.first { text($0.span) == word } }.first
    guard let name, range.lowerBound <= name.span.end, name.span.start <= range.upperBound else {
      return
    }
    for suggestion in suggestions {
      actions.append(
        Action(
          title: "Change to \"\(suggestion)\"", kind: .quickFix,
          edits: [Edit(span: name.span, text: suggestion)], diagnostic: diagnostic))
    }
  }

  /// Returns the names that a message suggests; `nil` if it suggests none.
  private static func suggestions(_ message: String) -> [String]? {
    guard let start = message.firstRange(of: "Did you mean ") else { return nil }
    let rest = message[start.upperBound...]
    guard rest.first == "\"" || rest.hasPrefix("the enum value \"") else { return nil }
    let names = quoted(in: rest).map { String($0.drop { $0 == "@" }) }.filter(\.isGraphQLName)
    return names.isEmpty ? nil : names
  }

  private static func quoted(in text: some StringProtocol) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }

  // MARK: Rewriting

  /// Adds the changes of the definition around the range.
  ///
  /// - Parameter fragmentName: The prefix for the name of a new fragment.
  mutating func addRewrites(fragmentName: String, isTaken: (String) -> Bool) {
    guard let definition = document.definitions.first(where: { contains($0.span) }),
      let set = definition.selectionSet
    else { return }
    let place = innermost(Place(set: set, parent: type(of: definition), isConnection: false))
    if let parent = place.parent, parent.isComposite {
      if range.isEmpty { addID(to: place.set, on: parent) }
      extract(place, on: parent, of: definition, fragmentName: fragmentName, isTaken)
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

  private func type(of definition: Definition) -> NamedType? {
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
    return rest.last == "\n" ? "\n" + String(spaces.reversed()) : " "
  }

  private mutating func extract(
    _ place: Place, on parent: NamedType, of definition: Definition, fragmentName: String,
    _ isTaken: (String) -> Bool
  ) {
    let chosen = place.set.selections.filter {
      $0.span.start < range.upperBound && range.lowerBound < $0.span.end
    }
    guard !range.isEmpty, let first = chosen.first?.span, let last = chosen.last?.span,
      usesNoFragmentVariable(chosen, of: definition),
      // A connection's edges must not be in a fragment.
      !place.isConnection || !chosen.contains(where: isEdges)
    else { return }
    let type = symbols[parent.symbol]
    let base = fragmentName + "_" + SwiftName.lowerFirst(type)
    let names = [base] + (2...).lazy.prefix(1000).map { "\(base)\($0)" }
    guard let name = names.first(where: { !isTaken($0) }) else { return }
    let lines = text(Span(start: first.start, end: last.end, source: first.source))
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

extension String {
  /// The portion before the first occurrence of `text`; the entire string if there is none.
  fileprivate func prefix(upTo text: String) -> Substring {
    firstRange(of: text).map { self[..<$0.lowerBound] } ?? self[...]
  }
}
