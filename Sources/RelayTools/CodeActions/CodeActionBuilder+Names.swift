import GraphQLLanguage
import RelayCompiler

extension CodeActionBuilder {
  /// Names the operation at a span after its file.
  mutating func nameOperation(at span: Span) {
    for case .operation(let operation) in document.definitions where operation.span == span {
      let kind = SwiftName.upperFirst(operation.operation.rawValue)
      let prefix = names.prefix.isGraphQLName ? names.prefix : "Unnamed"
      let name = names.free(prefix, suffix: kind)
      let edit =
        keywordEnd(of: operation).map { insertion(" " + name, at: $0, in: span.source) }
        ?? insertion(
          "\(operation.operation.rawValue) \(name) ", at: operation.selectionSet.span.start,
          in: span.source)
      addFix("Name it \"\(name)\"", edit)
    }
  }

  /// Returns the end of an operation's keyword; `nil` if the operation has only a selection set.
  func keywordEnd(of operation: OperationDefinition) -> UInt32? {
    let start = operation.description?.span.end ?? operation.span.start
    let head = text(
      Span(start: start, end: operation.selectionSet.span.start, source: operation.span.source))
    return tokens(of: head).first.map { start + $0.end }
  }

  /// Renames the second of two definitions with the same name, or the first if the second is in
  /// another document.
  mutating func rename(_ locations: [Span]) {
    guard let span = locations.last(where: { $0.source == document.source }),
      let definition = document.definitions.first(where: { $0.executableName?.span == span })
    else { return }
    var first = text(span)
    var kind = ""
    if case .operation(let operation) = definition {
      kind = SwiftName.upperFirst(operation.operation.rawValue)
      if first.hasSuffix(kind), first != kind { first.removeLast(kind.count) } else { kind = "" }
    }
    let name = names.free(first, suffix: kind)
    addFix("Rename to \"\(name)\"", Edit(span: span, text: name))
  }

  /// Creates the fragment that the spread at a span refers to.
  mutating func createFragment(spreadAt span: Span) {
    guard let place = selection(around: span), case .fragmentSpread(let spread) = place.selection,
      spread.name.span == span, let parent = place.parent
    else { return }
    let name = symbols[spread.name.symbol]
    let isAssignable = isUpdatable(place.definition)
    let directive = isAssignable ? " @assignable" : ""
    let selection = isAssignable ? "__typename" : defaultSelection(on: parent)
    addFix(
      "Create fragment \"\(name)\"",
      insertion(
        "\n\nfragment \(name) on \(symbols[parent.symbol])\(directive) {\n  \(selection)\n}",
        after: place.definition.span))
  }
}
