import GraphQLLanguage

extension CodeActionBuilder {
  /// A literal that a variable can replace.
  private typealias Literal = (value: Value, name: Symbol, type: ResolvedType)

  /// Adds the change that turns the literal at the range into a variable, with the literal as its
  /// default value.
  mutating func addVariable(in definition: Definition) {
    guard let literal = literal(in: definition) else { return }
    let (type, value) = (schema.text(of: literal.type), symbols.text(of: literal.value))
    switch definition {
    case .operation(let operation):
      let name = free(literal.name, operation.variables.map(\.name))
      let variable = "$\(name): \(type) = \(value)"
      if let declaration = declaration(variable, in: operation) {
        add(name, for: literal, declaration)
      }
    case .fragment(let fragment):
      let variables = context.fragmentVariables(of: fragment.name.symbol)
      let name = free(literal.name, variables.map(\.name))
      let variable = "\(name): {type: \"\(type)\", defaultValue: \(value)}"
      let directive = fragment.directives.first {
        RelayDirectives.isArgumentDefinitions($0)
      }
      if let last = directive?.arguments.last {
        add(name, for: literal, insertion(", " + variable, after: last.span))
      } else if directive == nil {
        let directive = " @argumentDefinitions(\(variable))"
        add(name, for: literal, insertion(directive, after: fragment.typeCondition.span))
      }
    case .schema, .type, .directive: return
    }
  }

  private mutating func add(_ name: String, for literal: Literal, _ declaration: Edit) {
    actions.append(
      Action(
        title: "Make a variable \"$\(name)\"", kind: .extract,
        edits: [declaration, Edit(span: literal.value.span, text: "$\(name)")]))
  }

  /// Returns the edit that adds a variable to an operation; `nil` if the operation has only a
  /// selection set.
  func declaration(_ variable: String, in operation: OperationDefinition) -> Edit? {
    if let last = operation.variables.last { return insertion(", " + variable, after: last.span) }
    let end = operation.name?.span.end ?? keywordEnd(of: operation)
    return end.map { insertion("(\(variable))", at: $0, in: operation.span.source) }
  }

  /// Returns the name for a variable; appends a number if another variable has the name.
  func free(_ name: Symbol, _ taken: [Name]) -> String {
    let (name, taken) = (symbols[name], Set(taken.map { symbols[$0.symbol] }))
    if !taken.contains(name) { return name }
    return (2...).lazy.map { "\(name)\($0)" }.first { !taken.contains($0) } ?? name
  }

  // MARK: Corrections

  /// Declares the variable used at a span.
  mutating func declareVariable(at span: Span, in operation: OperationDefinition) {
    let uses = OccurrenceWalker.occurrences(in: document, context)
    guard let use = uses.first(where: { $0.span.end == span.end && $0.span.start > span.start }),
      case .variable(_, let name) = use.element, let used = use.type
    else { return }
    // Another use of the variable may need a value.
    let types = uses.compactMap { $0.element == use.element ? $0.type : nil }
    let type = types.first { $0.named == used.named && $0.isNonNull } ?? used
    let variable = "$\(symbols[name]): \(schema.text(of: type))"
    guard let declaration = declaration(variable, in: operation) else { return }
    addFix("Declare \"\(variable)\"", declaration)
  }

  /// Removes the variable that an operation declares at a span.
  mutating func removeVariable(at span: Span) {
    for case .operation(let operation) in document.definitions {
      let spans = operation.variables.map(\.span)
      guard let index = spans.firstIndex(of: span) else { continue }
      let name = symbols[operation.variables[index].name.symbol]
      addFix(
        "Remove \"$\(name)\"", Edit(span: removal(of: index, from: spans, in: operation), text: ""))
    }
  }

  /// Returns the span of a variable with the comma next to it, or of the list if it is the only
  /// one. Comments are kept.
  private func removal(
    of index: Int, from spans: [Span], in operation: OperationDefinition
  ) -> Span {
    let span = spans[index]
    func isBlank(_ start: UInt32, _ end: UInt32) -> Bool {
      text(Span(start: start, end: end, source: span.source))
        .allSatisfy { $0.isWhitespace || $0 == "," }
    }
    if spans.count == 1 {
      let before = text(Span(start: operation.span.start, end: span.start, source: span.source))
      let after = text(
        Span(start: span.end, end: operation.selectionSet.span.start, source: span.source))
      // Comments may have parentheses, too.
      guard let open = tokens(of: before).last(where: { $0.kind == .parenLeft }),
        let close = tokens(of: after).first(where: { $0.kind == .parenRight })
      else { return span }
      return Span(
        start: operation.span.start + open.start, end: span.end + close.end, source: span.source)
    }
    if index > 0, isBlank(spans[index - 1].end, span.start) {
      return Span(start: spans[index - 1].end, end: span.end, source: span.source)
    }
    if index == 0, isBlank(span.end, spans[1].start) {
      return Span(start: span.start, end: spans[1].start, source: span.source)
    }
    return span
  }

  func tokens(of text: String) -> [Token] {
    SourceTokens(ContiguousArray(text.utf8)[...], symbols: symbols).tokens
  }

  // MARK: Literals

  /// Returns the innermost literal at the range, if it can be a variable.
  private func literal(in definition: Definition) -> Literal? {
    guard let set = definition.selectionSet, contains(set.span) else { return nil }
    var walker = OccurrenceWalker(context)
    walker.collectsLiterals = true
    walker.walk(definition)
    guard let found = walker.literals.last(where: { contains($0.value.span) }),
      let type = found.type, !found.value.hasVariables, found.value.kind != .null
    else { return nil }
    return (found.value, found.name, type)
  }
}

extension Value {
  /// Whether the value is or contains a variable.
  fileprivate var hasVariables: Bool {
    switch kind {
    case .variable: true
    case .list(let items): items.contains(where: \.hasVariables)
    case .object(let fields): fields.contains { $0.value.hasVariables }
    default: false
    }
  }
}
