import GraphQLLanguage

/// The spans around an offset in a document: its token, the brackets around it, and the nodes of
/// the syntax tree that contain it.
struct EnclosingSpans {
  private let offset: UInt32
  private let source: SourceID
  private var found: Set<Span> = []

  /// Returns the spans, the shortest first. Two of them may only touch at the offset.
  static func spans(
    at offset: UInt32, in document: Document, _ bytes: ContiguousArray<UInt8>
  ) -> [Span] {
    var search = EnclosingSpans(offset: offset, source: document.source)
    search.addTokens(SourceTokens(bytes[...], symbols: document.symbols).tokens)
    for definition in document.definitions { search.add(definition) }
    search.add(0, UInt32(truncatingIfNeeded: bytes.count))
    return search.found.sorted { ($0.end - $0.start, $0) < ($1.end - $1.start, $1) }
  }

  private init(offset: UInt32, source: SourceID) {
    self.offset = offset
    self.source = source
  }

  private mutating func add(_ start: UInt32, _ end: UInt32) {
    if start <= offset, offset <= end, start < end {
      found.insert(Span(start: start, end: end, source: source))
    }
  }

  /// Adds a node if it contains the offset.
  ///
  /// - Returns: Whether it does.
  @discardableResult
  private mutating func add(_ span: Span) -> Bool {
    guard span.isKnown, span.start <= offset, offset <= span.end else { return false }
    add(span.start, span.end)
    return true
  }

  // MARK: Tokens

  private mutating func addTokens(_ tokens: [Token]) {
    var open: [Token] = []
    for token in tokens {
      switch token.kind {
      case .braceLeft, .parenLeft, .bracketLeft: open.append(token)
      case .braceRight, .parenRight, .bracketRight:
        guard let start = open.popLast() else { continue }
        add(start.end, token.start)
        add(start.start, token.end)
      case .name, .int, .float, .string, .blockString: add(token.start, token.end)
      default: continue
      }
    }
  }

  // MARK: Nodes

  private mutating func add(_ definition: Definition) {
    guard add(definition.span) else { return }
    switch definition {
    case .operation(let operation):
      for variable in operation.variables where add(variable.span) {
        add(variable.variableSpan)
        add(variable.type.span)
        add(variable.directives)
      }
      add(operation.directives)
      add(operation.selectionSet)
    case .fragment(let fragment):
      add(fragment.directives)
      add(fragment.selectionSet)
    case .type(let type): add(type)
    case .directive(let directive): add(directive.arguments)
    case .schema(let schema): add(schema.directives)
    }
  }

  private mutating func add(_ type: TypeDefinition) {
    add(type.directives)
    for field in type.fields where add(field.span) {
      add(field.arguments)
      add(field.type.span)
      add(field.directives)
    }
    for value in type.enumValues where add(value.span) { add(value.directives) }
    add(type.inputFields)
  }

  private mutating func add(_ values: [InputValueDefinition]) {
    for value in values where add(value.span) {
      add(value.type.span)
      add(value.directives)
    }
  }

  private mutating func add(_ set: SelectionSet) {
    for selection in set.selections where add(selection.span) {
      if case .field(let field) = selection { add(field.arguments) }
      add(selection.directives)
      if let inner = selection.selectionSet { add(inner) }
    }
  }

  private mutating func add(_ directives: [Directive]) {
    for directive in directives where add(directive.span) { add(directive.arguments) }
  }

  private mutating func add(_ arguments: [Argument]) {
    for argument in arguments where add(argument.span) { add(argument.value) }
  }

  private mutating func add(_ value: Value) {
    guard add(value.span) else { return }
    switch value.kind {
    case .list(let items): for item in items { add(item) }
    case .object(let fields): for field in fields where add(field.span) { add(field.value) }
    default: break
    }
  }
}
