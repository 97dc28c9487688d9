import GraphQLLanguage

extension IR {
  /// What `@connection` says of a field.
  package struct Connection: Hashable, Sendable {
    package let key: String
    /// The arguments of the field that tell its connections apart, sorted by name.
    package let filters: [Symbol]
  }

  /// Something to be done with a field once it is written.
  package struct Handle: Hashable, Sendable {
    package let name: String
    package var arguments: [Argument]
  }

  /// What `@defer` says of a spread.
  package struct Deferral: Hashable, Sendable {
    /// Unlike every other one in the operation.
    package let label: String
    /// When it is deferred; always where there is none.
    package var condition: Value?
  }
}

/// Reads the directives that say how parts of a response come and what the store does with them.
struct StoreDirectives {
  /// The directives of mutations that change connections and records.
  static let handles = [
    "appendEdge", "prependEdge", "appendNode", "prependNode", "deleteEdge", "deleteRecord",
  ]
  /// The arguments of a connection that say which page is meant.
  static let paging: Set<String> = ["first", "last", "after", "before"]

  private let symbols: SymbolTable
  private let connection: Symbol
  private let deferred: Symbol
  private let stream: Symbol
  private let handles: [Symbol: String]

  init(symbols: SymbolTable) {
    self.symbols = symbols
    connection = symbols.intern("connection")
    deferred = symbols.intern("defer")
    stream = symbols.intern("stream")
    handles = Dictionary(
      Self.handles.map { (symbols.intern($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// What `@connection` says of a field.
  func connection(of field: Field) -> IR.Connection? {
    guard let directive = field.directives[named: connection],
      let key = text(directive.argument("key", in: symbols))
    else { return nil }
    var chosen: [String]?
    if case .list(let values) = directive.argument("filters", in: symbols)?.kind {
      chosen = values.compactMap(text)
    }
    let filters = field.arguments.map(\.name.symbol).filter { symbol in
      chosen.map { $0.contains(symbols[symbol]) } ?? !Self.paging.contains(symbols[symbol])
    }
    return IR.Connection(
      key: key,
      filters: filters.sorted { symbols[$0].utf8.lexicographicallyPrecedes(symbols[$1].utf8) })
  }

  /// What is to be done with a field, in the order of the directives.
  func handles(of field: Field, in owner: String) -> [IR.Handle] {
    var result = field.directives.compactMap { directive in
      handles[directive.name.symbol].map { name in
        IR.Handle(
          name: name,
          arguments: directive.arguments.map { IR.Argument(name: $0.name.symbol, value: $0.value) })
      }
    }
    for argument in stream(of: field, in: owner)?.arguments.prefix(1) ?? [] {
      result.append(
        IR.Handle(
          name: "stream",
          arguments: [IR.Argument(name: argument.name.symbol, value: argument.value)]))
    }
    return result
  }

  /// `@stream` as the server is sent it: its label first, with the definition's name.
  func stream(of field: Field, in owner: String) -> Directive? {
    guard let directive = field.directives[named: stream], isOn(directive) else { return nil }
    let label = Argument(
      name: Name(symbols.intern("label")),
      value: Value(
        .string(
          self.label(of: directive, "stream", else: symbols[field.responseKey], in: owner),
          isBlock: false)))
    let others = directive.arguments.filter { symbols[$0.name.symbol] != "label" }
    return Directive(name: directive.name, arguments: [label] + others, span: directive.span)
  }

  /// What `@defer` says of a spread.
  func deferral(of spread: FragmentSpread, in owner: String) -> IR.Deferral? {
    guard let directive = spread.directives[named: deferred], isOn(directive) else { return nil }
    var condition = directive.argument("if", in: symbols)
    if case .boolean = condition?.kind { condition = nil }
    return IR.Deferral(
      label: label(of: directive, "defer", else: symbols[spread.name.symbol], in: owner),
      condition: condition)
  }

  /// `Owner$defer$label`; one of this form, as it stands in what is sent, stays.
  func label(
    of directive: Directive, _ kind: String, else name: String, in owner: String
  ) -> String {
    let own = text(directive.argument("label", in: symbols)) ?? name
    let middle = "$\(kind)$"
    return own.split(separator: "$").dropFirst().first == Substring(kind)
      ? own : owner + middle + own
  }

  private func isOn(_ directive: Directive) -> Bool {
    directive.argument("if", in: symbols)?.kind != .boolean(false)
  }

  private func text(_ value: Value?) -> String? {
    if case .string(let text, _) = value?.kind { text } else { nil }
  }
}
