import GraphQLLanguage

extension IR {
  /// The connection that `@connection` declares.
  package struct Connection: Hashable, Sendable {
    package let key: String
    /// The field arguments that belong to the connection's identity, sorted by name.
    package let filters: [Symbol]
  }

  /// A handle: an action that the store performs on a field after writing it.
  package struct Handle: Hashable, Sendable {
    package let name: String
    package var arguments: [Argument]
  }

  /// The `@defer` on a spread.
  package struct Deferral: Hashable, Sendable {
    package let part: DeferredPart
    /// The value of `if`; `nil` if the fragment is always deferred.
    package var condition: Value?
  }
}

/// A part of a response that may arrive later than its object.
package struct DeferredPart: Hashable, Sendable {
  /// The qualified label, a ``PartLabel``; unique within each operation sent.
  package let label: Symbol
  /// The spread fragment, by its name in the document.
  package let fragment: Symbol
}

/// A reader of the directives for incremental delivery and for the store's handles.
struct DataDirectives {
  /// The mutation directives, which update connections and delete records.
  static let handleDirectives: Set<String> = [
    "appendEdge", "prependEdge", "appendNode", "prependNode", "deleteEdge", "deleteRecord",
  ]
  /// The arguments that select the page of a connection field.
  static let pageArguments: Set<String> = ["first", "last", "after", "before"]

  let symbols: SymbolTable

  /// Reads the `@connection` of a field.
  func connection(of field: Field) -> IR.Connection? {
    guard let directive = field.directives[named: .connection],
      let key = directive.text("key", in: symbols)
    else { return nil }
    var chosen: [String]?
    if case .list(let values) = directive.argument("filters", in: symbols)?.kind {
      chosen = values.compactMap(text)
    }
    let filters = field.arguments.map(\.name.symbol).filter { symbol in
      chosen.map { $0.contains(symbols[symbol]) } ?? !Self.pageArguments.contains(symbols[symbol])
    }
    return IR.Connection(
      key: key,
      filters: filters.sorted(byText: { symbols[$0] }))
  }

  /// Returns the handles of a field in the order of its directives, with `@stream` last.
  func handles(of field: Field, in owner: String) -> [IR.Handle] {
    let dropped = droppedDeletion(on: field)?.span
    var result = field.directives.compactMap { directive -> IR.Handle? in
      guard let name = handle(directive), directive.span != dropped else { return nil }
      return IR.Handle(name: name, arguments: directive.arguments.map(IR.Argument.init))
    }
    if let stream = stream(of: field, in: owner) {
      let condition = stream.arguments.filter {
        $0.name.symbol == .ifArgument && $0.value.kind != .boolean(true)
      }
      let arguments = stream.arguments.prefix(1) + condition
      result.append(IR.Handle(name: "stream", arguments: arguments.map(IR.Argument.init)))
    }
    return result
  }

  /// Returns the `@deleteEdge` on an object that another directive adds to connections. It has no
  /// effect; Relay's compiler accepts it there too.
  func droppedDeletion(on field: Field) -> Directive? {
    guard field.selectionSet != nil else { return nil }
    let names = field.directives.map(handle)
    guard
      names.contains(where: {
        $0?.hasPrefix("append") ?? false || $0?.hasPrefix("prepend") ?? false
      })
    else { return nil }
    return zip(field.directives, names).first { $0.1 == "deleteEdge" }?.0
  }

  /// Returns the name of a mutation directive; `nil` for others.
  private func handle(_ directive: Directive) -> String? {
    let name = symbols[directive.name.symbol]
    return Self.handleDirectives.contains(name) ? name : nil
  }

  /// Returns the `@stream` to send to the server. Its first argument is the label, qualified with
  /// the definition's name.
  func stream(of field: Field, in owner: String) -> Directive? {
    guard let directive = field.directives[named: .stream], isEnabled(directive) else { return nil }
    let label = Argument(
      name: Name(.label),
      value: Value(
        .string(
          self.label(
            of: directive, kind: "stream", else: symbols[field.responseKey], in: owner),
          isBlock: false)))
    let others = directive.arguments.filter { $0.name.symbol != .label }
    return Directive(name: directive.name, arguments: [label] + others, span: directive.span)
  }

  /// Reads the `@defer` of a spread; `nil` if its `if` is `false`.
  func deferral(of spread: FragmentSpread, in owner: String) -> IR.Deferral? {
    guard let directive = spread.directives[named: .defer], isEnabled(directive) else { return nil }
    var condition = directive.argument("if", in: symbols)
    if case .boolean = condition?.kind { condition = nil }
    let fragment = spread.name.symbol
    let label = label(of: directive, kind: "defer", else: symbols[fragment], in: owner)
    return IR.Deferral(
      part: DeferredPart(label: symbols.intern(label), fragment: fragment), condition: condition)
  }

  /// Returns the qualified label, such as `Owner$defer$label`. A label that the compiler has
  /// already qualified for this definition, as in an operation text, is returned unchanged.
  func label(
    of directive: Directive, kind: String, else name: String, in owner: String
  ) -> String {
    let own = directive.text("label", in: symbols) ?? name
    if let label = PartLabel(own), label.kind == kind, label.sentOwner == owner { return own }
    return PartLabel(owner: owner, kind: kind, name: own).text
  }

  private func isEnabled(_ directive: Directive) -> Bool {
    directive.argument("if", in: symbols)?.kind != .boolean(false)
  }

  private func text(_ value: Value?) -> String? {
    if case .string(let text, _) = value?.kind { text } else { nil }
  }
}
