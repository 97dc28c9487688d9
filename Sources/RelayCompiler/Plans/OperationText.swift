import GraphQLLanguage

/// Prints operations as they are sent: without white space, each with the fragments it needs.
package struct OperationText {
  private let schema: Schema
  private let values: ValueText
  private let fragments: [Symbol: IR.Fragment]
  private let known = Known()

  /// What was found out about fragments, which many operations share.
  private final class Known {
    var texts: [Symbol: String] = [:]
    var uses: [Symbol: SelectionUse] = [:]
  }

  /// - Parameter program: What the server is to be asked, `id` and `__typename` included.
  package init(program: IR.Program) {
    schema = program.schema
    values = ValueText(symbols: program.symbols)
    fragments = program.fragmentsByName()
  }

  /// The document of an operation.
  package func document(of operation: IR.Operation) -> String {
    var text = operation.definition.operation.rawValue + " " + schema.symbols[operation.name.symbol]
    let (fragments, used) = needed(by: operation)
    let variables =
      operation.definition.variables.filter { used.contains($0.name.symbol) }.map(variable)
      + operation.provided.filter { used.contains($0.name) }.map(variable)
    if !variables.isEmpty {
      text += "(" + variables.joined(separator: ",") + ")"
    }
    text += directives(schema.serverDirectives(operation.definition.directives))
    text += set(operation.selections)
    for fragment in fragments {
      text += self.text(of: fragment)
    }
    return text
  }

  /// The fragments that an operation needs, in the order in which they are met, and the variables
  /// that it and they use.
  private func needed(by operation: IR.Operation) -> (fragments: [IR.Fragment], used: Set<Symbol>) {
    var use = SelectionUse()
    use.add(schema.serverDirectives(operation.definition.directives))
    use.add(operation.selections)
    var seen: Set<Symbol> = []
    var found: [IR.Fragment] = []
    var next = 0
    while next < use.spreads.count {
      let name = use.spreads[next]
      next += 1
      guard seen.insert(name).inserted, let fragment = fragments[name] else { continue }
      found.append(fragment)
      use.add(self.use(of: fragment))
    }
    return (found, use.variables)
  }

  private func text(of fragment: IR.Fragment) -> String {
    if let text = known.texts[fragment.name] { return text }
    let text =
      "fragment " + schema.symbols[fragment.name] + " on " + schema.name(of: fragment.type)
      + set(fragment.selections)
    known.texts[fragment.name] = text
    return text
  }

  private func use(of fragment: IR.Fragment) -> SelectionUse {
    if let use = known.uses[fragment.name] { return use }
    var use = SelectionUse()
    use.add(fragment.selections)
    known.uses[fragment.name] = use
    return use
  }

  private func variable(_ variable: VariableDefinition) -> String {
    "$" + schema.symbols[variable.name.symbol] + ":"
      + variable.type.shape.text(around: schema.symbols[variable.type.name.symbol])
      + (variable.defaultValue.map { "=" + values.graphQL($0) } ?? "")
  }

  private func variable(_ variable: IR.ProvidedVariable) -> String {
    "$" + schema.symbols[variable.name] + ":" + schema.text(of: variable.type)
  }

  private func set(_ selections: [IR.Selection]) -> String { "{" + list(selections) + "}" }

  private func list(_ selections: [IR.Selection]) -> String {
    selections.groupedByGuard().map { group in
      if group.selections.count == 1, let directives = directives(for: group.isThere) {
        return selection(group.selections[0], directives: directives)
      }
      let text = group.selections.map { selection($0) }.joined(separator: " ")
      return guarded(text, by: group.isThere.clauses[...])
    }.joined(separator: " ")
  }

  /// The guard as directives of one selection, where it can be said so.
  private func directives(for isThere: Guard) -> String? {
    let literals = isThere.clauses.flatMap { $0 }
    guard isThere.clauses.allSatisfy({ $0.count == 1 }), literals.count(where: \.isNegated) <= 1,
      literals.count(where: { !$0.isNegated }) <= 1
    else { return nil }
    return literals.map(directive).joined()
  }

  private func directive(_ literal: Guard.Literal) -> String {
    "@\(literal.isNegated ? "skip" : "include")(if:$\(schema.symbols[literal.variable]))"
  }

  private func guarded(_ text: String, by clauses: ArraySlice<[Guard.Literal]>) -> String {
    guard let clause = clauses.first else { return text }
    let inner = guarded(text, by: clauses.dropFirst())
    return clause.map { "..." + directive($0) + "{" + inner + "}" }.joined(separator: " ")
  }

  private func selection(_ selection: IR.Selection, directives: String = "") -> String {
    switch selection.content {
    case .field(let field): self.field(field, directives: directives)
    case .spread(let spread):
      "..." + schema.symbols[spread.name] + directives + deferral(of: spread)
    case .condition(let condition):
      "...on " + schema.name(of: condition.type) + directives + set(condition.selections)
    }
  }

  private func deferral(of spread: IR.Spread) -> String {
    guard let deferral = spread.deferral else { return "" }
    let condition = deferral.condition.map { ",if:" + values.graphQL($0) } ?? ""
    return "@defer(label:" + ValueText.quoted(deferral.label) + condition + ")"
  }

  private func field(_ field: IR.Field, directives: String) -> String {
    let key = schema.symbols[field.responseKey]
    let name = schema.symbols[field.name]
    return (key == name ? name : key + ":" + name) + arguments(field.arguments)
      + directives + self.directives(field.directives)
      + (field.selections.isEmpty ? "" : set(field.selections))
  }

  private func arguments(_ arguments: [IR.Argument]) -> String {
    if arguments.isEmpty { return "" }
    let list = arguments.map { schema.symbols[$0.name] + ":" + values.graphQL($0.value) }
    return "(" + list.joined(separator: ",") + ")"
  }

  private func directives(_ directives: [Directive]) -> String {
    directives.map { directive in
      "@" + schema.symbols[directive.name.symbol]
        + arguments(directive.arguments.map { IR.Argument(name: $0.name.symbol, value: $0.value) })
    }.joined()
  }
}
