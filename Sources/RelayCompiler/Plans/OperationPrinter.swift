import GraphQLLanguage

/// A printer of operations as they are sent to the server: without white space, each with the
/// fragments it needs.
package struct OperationPrinter {
  private let schema: Schema
  private let values: ValuePrinter
  private let fragments: [Symbol: IR.Fragment]
  private let cache = Cache()

  /// The memoized texts and dependencies of fragments, which many operations share.
  private final class Cache {
    var texts: [Symbol: [UInt8]] = [:]
    var dependencies: [Symbol: SelectionDependencies] = [:]
  }

  /// Creates a printer of a program's operations.
  ///
  /// - Parameter program: The program as sent to the server, with `id` and `__typename` added.
  package init(program: IR.Program) {
    schema = program.schema
    values = ValuePrinter(symbols: program.symbols)
    fragments = program.fragmentsByName()
  }

  /// Returns the document of an operation.
  package func document(of operation: IR.Operation) -> UTF8Buffer {
    var text = UTF8Buffer()
    text += operation.definition.operation.rawValue
    text += " "
    text += schema.symbols[operation.name.symbol]
    let (fragments, used) = needed(by: operation)
    let declared = declared(by: operation, used)
    let variables = declared.given.map(variable) + declared.provided.map(variable)
    if !variables.isEmpty {
      text += "(" + variables.joined(separator: ",") + ")"
    }
    add(schema.serverDirectives(operation.definition.directives), to: &text)
    addSet(operation.selections, to: &text)
    for fragment in fragments { text += self.text(of: fragment) }
    return text
  }

  /// Returns the names of the variables that an operation's document declares.
  package func variables(of operation: IR.Operation) -> [String] {
    let (given, provided) = declared(by: operation, needed(by: operation).used)
    return (given.map(\.name.symbol) + provided.map(\.name)).map { schema.symbols[$0] }
  }

  private func declared(by operation: IR.Operation, _ used: Set<Symbol>)
    -> (given: [VariableDefinition], provided: [IR.ProvidedVariable])
  {
    (
      operation.definition.variables.filter { used.contains($0.name.symbol) },
      operation.provided.filter { used.contains($0.name) }
    )
  }

  /// Returns the fragments that an operation needs, in order of first spread, and the variables
  /// used by the operation and these fragments.
  private func needed(by operation: IR.Operation) -> (fragments: [IR.Fragment], used: Set<Symbol>) {
    var dependencies = SelectionDependencies(operation.selections)
    dependencies.add(schema.serverDirectives(operation.definition.directives))
    let found = dependencies.addFragments(among: fragments, self.dependencies(of:))
    return (found, dependencies.variables)
  }

  private func text(of fragment: IR.Fragment) -> [UInt8] {
    if let text = cache.texts[fragment.name] { return text }
    var text = UTF8Buffer()
    text += "fragment "
    text += schema.symbols[fragment.name]
    text += " on "
    text += schema.name(of: fragment.type)
    addSet(fragment.selections, to: &text)
    let bytes = text.bytes
    cache.texts[fragment.name] = bytes
    return bytes
  }

  private func dependencies(of fragment: IR.Fragment) -> SelectionDependencies {
    if let cached = cache.dependencies[fragment.name] { return cached }
    let dependencies = SelectionDependencies(fragment.selections)
    cache.dependencies[fragment.name] = dependencies
    return dependencies
  }

  private func variable(_ variable: VariableDefinition) -> String {
    "$" + schema.symbols[variable.name.symbol] + ":"
      + variable.type.shape.text(around: schema.symbols[variable.type.name.symbol])
      + (variable.defaultValue.map { "=" + values.graphQL($0) } ?? "")
  }

  private func variable(_ variable: IR.ProvidedVariable) -> String {
    "$" + schema.symbols[variable.name] + ":" + schema.text(of: variable.type)
  }

  // MARK: Selections

  private func addSet(_ selections: [IR.Selection], to text: inout UTF8Buffer) {
    text += "{"
    add(selections, to: &text)
    text += "}"
  }

  /// Adds selections. Adjacent selections with the same guard share it.
  private func add(_ selections: [IR.Selection], to text: inout UTF8Buffer) {
    var rest = selections[...]
    while let condition = rest.first?.condition {
      if rest.startIndex > 0 { text += " " }
      let group = rest.prefix { $0.condition == condition }
      rest = rest.dropFirst(group.count)
      if condition.isAlways {
        add(group, to: &text)
      } else if group.count == 1, let directives = directives(for: condition) {
        add(group[group.startIndex], directives: directives, to: &text)
      } else {
        var inner = UTF8Buffer()
        add(group, to: &inner)
        add(inner, under: condition.clauses[...], to: &text)
      }
    }
  }

  /// Adds selections without their guards.
  private func add(_ selections: ArraySlice<IR.Selection>, to text: inout UTF8Buffer) {
    for index in selections.indices {
      if index > selections.startIndex { text += " " }
      add(selections[index], directives: "", to: &text)
    }
  }

  /// Returns the guard as directives on a single selection; `nil` when it needs nested inline
  /// fragments.
  private func directives(for condition: Guard) -> String? {
    guard condition.clauses.allSatisfy({ $0.count == 1 }) else { return nil }
    let directives = condition.clauses.joined().map(directive)
    let skips = directives.count { $0.hasPrefix("@skip") }
    return skips <= 1 && directives.count - skips <= 1 ? directives.joined() : nil
  }

  /// Returns a literal as a directive. `@defer` is not expressed as a guard here; spreads carry it
  /// themselves.
  private func directive(_ literal: Guard.Literal) -> String {
    guard case .variable(let name, let isNegated) = literal else { return "" }
    return "@\(isNegated ? "skip" : "include")(if:$\(schema.symbols[name]))"
  }

  /// Adds selections under a conjunction of clauses. Each literal of a clause repeats the
  /// selections in an inline fragment.
  private func add(
    _ selections: borrowing UTF8Buffer, under clauses: ArraySlice<[Guard.Literal]>,
    to text: inout UTF8Buffer
  ) {
    guard let clause = clauses.first else { return text += selections }
    for (index, literal) in clause.enumerated() {
      if index > 0 { text += " " }
      text += "..."
      text += directive(literal)
      text += "{"
      add(selections, under: clauses.dropFirst(), to: &text)
      text += "}"
    }
  }

  private func add(
    _ selection: IR.Selection, directives: String, to text: inout UTF8Buffer
  ) {
    switch selection.content {
    case .field(let field): add(field, directives: directives, to: &text)
    case .spread(let spread):
      text += "..."
      text += schema.symbols[spread.name]
      text += directives
      text += deferral(of: spread)
    case .inlineFragment(let fragment):
      text += "...on "
      text += schema.name(of: fragment.type)
      text += directives
      addSet(fragment.selections, to: &text)
    }
  }

  private func deferral(of spread: IR.Spread) -> String {
    guard let deferral = spread.deferral else { return "" }
    let condition = deferral.condition.map { ",if:" + values.graphQL($0) } ?? ""
    return "@defer(label:" + ValuePrinter.quoted(schema.symbols[deferral.part.label]) + condition
      + ")"
  }

  private func add(_ field: IR.Field, directives: String, to text: inout UTF8Buffer) {
    if field.responseKey != field.name {
      text += schema.symbols[field.responseKey]
      text += ":"
    }
    text += schema.symbols[field.name]
    text += arguments(field.arguments)
    text += directives
    if field.hasDetails { add(field.directives, to: &text) }
    if !field.selections.isEmpty { addSet(field.selections, to: &text) }
  }

  private func arguments(_ arguments: [IR.Argument]) -> String {
    if arguments.isEmpty { return "" }
    let list = arguments.map { schema.symbols[$0.name] + ":" + values.graphQL($0.value) }
    return "(" + list.joined(separator: ",") + ")"
  }

  private func add(_ directives: [Directive], to text: inout UTF8Buffer) {
    for directive in directives {
      text += "@"
      text += schema.symbols[directive.name.symbol]
      text += arguments(directive.arguments.map(IR.Argument.init))
    }
  }
}
