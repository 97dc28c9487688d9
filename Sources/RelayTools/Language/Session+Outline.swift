import GraphQLLanguage
import RelayCompiler

extension Session {
  /// Returns the definitions in a file with their fields.
  func outline(of path: String) -> [OutlineItem] {
    documents(in: path).flatMap { document in
      document.definitions.compactMap { item(of: $0, document.symbols) }
    }
  }

  /// Returns the fragments and operations of all modules whose names contain a lowercase string.
  package func definitions(
    containing text: String
  ) -> [(name: String, kind: OutlineItem.Kind, range: FileRange)] {
    executableDocuments.flatMap { document in
      document.definitions.compactMap { definition in
        guard let (name, kind) = Self.named(definition),
          case let string = document.symbols[name.symbol],
          text.isEmpty || string.lowercased().contains(text), let range = fileRange(of: name.span)
        else { return nil }
        return (string, kind, range)
      }
    }
  }

  private static func named(_ definition: Definition) -> (Name, OutlineItem.Kind)? {
    switch definition {
    case .operation(let operation): operation.name.map { ($0, kind(of: operation)) }
    case .fragment(let fragment): (fragment.name, .fragment)
    case .schema, .type, .directive: nil
    }
  }

  private static func kind(of operation: OperationDefinition) -> OutlineItem.Kind {
    switch operation.operation {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }

  private func item(of definition: Definition, _ symbols: SymbolTable) -> OutlineItem? {
    switch definition {
    case .operation(let operation):
      let keyword = Span(
        start: operation.span.start, end: operation.selectionSet.span.start,
        source: operation.span.source)
      return item(
        operation.name.map { symbols[$0.symbol] } ?? operation.operation.rawValue,
        Self.kind(of: operation),
        span: operation.span, name: operation.name?.span ?? keyword,
        children: items(of: operation.selectionSet, symbols))
    case .fragment(let fragment):
      return item(
        symbols[fragment.name.symbol], .fragment,
        detail: "on " + symbols[fragment.typeCondition.symbol], span: fragment.span,
        name: fragment.name.span, children: items(of: fragment.selectionSet, symbols))
    case .type(let type):
      let fields =
        type.fields.map { ($0.name, $0.type, $0.span) }
        + type.inputFields.map { ($0.name, $0.type, $0.span) }
      let members = fields.map { name, type, span in
        item(
          symbols[name.symbol], .field, detail: symbols.text(of: type), span: span, name: name.span)
      }
      let values = type.enumValues.map {
        item(symbols[$0.name.symbol], .enumValue, span: $0.span, name: $0.name.span)
      }
      return item(
        symbols[type.name.symbol], .type, span: type.span, name: type.name.span,
        children: (members + values).compactMap(\.self))
    case .directive(let directive):
      return item(
        "@" + symbols[directive.name.symbol], .directive, span: directive.span,
        name: directive.name.span)
    case .schema: return nil
    }
  }

  private func items(of set: SelectionSet, _ symbols: SymbolTable) -> [OutlineItem] {
    set.selections.flatMap { selection -> [OutlineItem] in
      switch selection {
      case .field(let field):
        let name = field.alias ?? field.name
        let children = field.selectionSet.map { items(of: $0, symbols) } ?? []
        let detail = field.alias == nil ? "" : symbols[field.name.symbol]
        return [
          item(
            symbols[name.symbol], .field, detail: detail, span: field.span, name: name.span,
            children: children)
        ].compactMap(\.self)
      case .inlineFragment(let fragment): return items(of: fragment.selectionSet, symbols)
      case .fragmentSpread(let spread):
        return [
          item(
            "..." + symbols[spread.name.symbol], .fragment, span: spread.span,
            name: spread.name.span)
        ].compactMap(\.self)
      }
    }
  }

  private func item(
    _ name: String, _ kind: OutlineItem.Kind, detail: String = "", span: Span, name nameSpan: Span,
    children: [OutlineItem] = []
  ) -> OutlineItem? {
    guard let range = fileRange(of: span), let nameRange = fileRange(of: nameSpan) else {
      return nil
    }
    return OutlineItem(
      name: name, detail: detail, kind: kind, range: range, nameRange: nameRange,
      children: children)
  }

  // MARK: Folding

  /// Returns the ranges that can be folded: multi-line definitions and selection sets.
  func foldingRanges(in path: String) -> [FileRange] {
    documents(in: path).flatMap(\.definitions).flatMap { definition in
      [definition.span] + (definition.selectionSet.map(Self.spans) ?? [])
    }.compactMap(fileRange(of:)).filter { range in
      guard let bytes = bytes(of: path) else { return false }
      return bytes[range.bytes].contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }
  }

  /// Returns the bytes of a file that has documents.
  func bytes(of path: String) -> ContiguousArray<UInt8>? {
    documents(in: path).first.flatMap { workspace[$0.source]?.fileBytes }
  }

  /// Returns the spans of the selection sets of fields and inline fragments.
  private static func spans(in set: SelectionSet) -> [Span] {
    set.selections.flatMap { selection -> [Span] in
      let inner: SelectionSet? =
        switch selection {
        case .field(let field): field.selectionSet
        case .inlineFragment(let fragment): fragment.selectionSet
        case .fragmentSpread: nil
        }
      return inner.map { [selection.span] + spans(in: $0) } ?? []
    }
  }

  // MARK: Operations

  /// Returns the document sent for the operation at a position, or for the operations that reach
  /// the fragment there; `nil` outside definitions, and when there are errors.
  func operationText(at position: FilePosition) -> String? {
    guard let (document, offset) = document(at: position),
      let definition = document.definitions.first(where: {
        $0.span.start <= offset && offset <= $0.span.end
      })
    else { return nil }
    let file = entries.keys.first { $0.path == position.path }
    let roots = graph.withUsers(file.map { [$0] } ?? [])
    var diagnostics: [Diagnostic] = []
    let stages = stages(over: graph.withDependencies(roots), diagnostics: &diagnostics)
    guard let sent = stages.transformed?.sent else { return nil }
    let texts = OperationPrinter(program: sent)
    let found: [IR.Operation]
    switch definition {
    case .operation(let operation):
      found = sent.operations.filter { $0.name.symbol == operation.name?.symbol }
    case .fragment(let fragment):
      found = sent.operations.filter { reaches(fragment.name.symbol, from: $0) }
    case .schema, .type, .directive: return nil
    }
    return found.isEmpty ? nil : found.map { texts.document(of: $0).text }.joined(separator: "\n\n")
  }

  /// Whether an operation spreads a fragment, directly or through others.
  private func reaches(_ fragment: Symbol, from operation: IR.Operation) -> Bool {
    var waiting = [Definition.operation(operation.definition)]
    var seen: Set<Symbol> = []
    while let definition = waiting.popLast() {
      let document = Document(definitions: [definition], symbols: workspace.symbols)
      for name in document.spreads(derived: [:]) where seen.insert(name).inserted {
        if name == fragment { return true }
        if let next = self.fragment(named: name) { waiting.append(.fragment(next)) }
      }
    }
    return false
  }
}
