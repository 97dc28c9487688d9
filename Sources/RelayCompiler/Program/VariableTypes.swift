import GraphQLLanguage

/// The inferred types of the operation variables that fragments use.
struct VariableTypes {
  private let schema: Schema
  /// Relay's directives; the schema may define others with the same names.
  private let directives: NamedList<SchemaDirective>
  private let fragments: [Symbol: FragmentDefinition]
  /// The variables, in order of first use.
  private(set) var variables: [(name: Symbol, type: ResolvedType)] = []
  private var seen: Set<Symbol> = []
  /// The variables and spreads of the current fragment, in document order.
  private var uses: [Use] = []

  private enum Use {
    case variable(Symbol, ResolvedType)
    case spread(Symbol)
  }

  /// A fragment on the traversal's stack, with the index of its next use.
  private struct Step {
    let uses: [Use]
    /// The fragment variables.
    let fragmentVariables: Set<Symbol>
    var next = 0
  }

  /// - Parameter directives: Relay's directives.
  init(
    schema: Schema, directives: NamedList<SchemaDirective>,
    fragments: [Symbol: FragmentDefinition]
  ) {
    self.schema = schema
    self.directives = directives
    self.fragments = fragments
  }

  /// Adds the operation variables used by a fragment and the fragments it spreads, excluding
  /// fragment variables.
  ///
  /// The traversal uses an explicit stack, because chains of spreads can be long.
  mutating func add(_ fragment: FragmentDefinition) {
    var steps = step(into: fragment).map { [$0] } ?? []
    while var step = steps.popLast() {
      guard step.next < step.uses.count else { continue }
      let use = step.uses[step.next]
      step.next += 1
      steps.append(step)
      switch use {
      case .variable(let name, let type):
        if !step.fragmentVariables.contains(name) { add(name, ofType: type) }
      case .spread(let name):
        if let inner = fragments[name].flatMap({ self.step(into: $0) }) { steps.append(inner) }
      }
    }
  }

  private mutating func step(into fragment: FragmentDefinition) -> Step? {
    guard seen.insert(fragment.name.symbol).inserted,
      let type = schema.type(named: fragment.typeCondition.symbol)
    else { return nil }
    uses = []
    schema.forEachSelection(in: fragment.selectionSet, on: type) { add($0, on: $1) }
    let fragmentVariables = RelayDirectives.fragmentVariables(of: fragment, in: schema).map(
      \.name.symbol)
    return Step(uses: uses, fragmentVariables: Set(fragmentVariables))
  }

  private mutating func add(_ selection: Selection, on type: NamedType) {
    for directive in selection.directives { add(directive) }
    switch selection {
    case .field(let field):
      guard let definition = schema.field(named: field.name.symbol, on: type) else { return }
      add(field.arguments, definition.arguments)
    case .fragmentSpread(let spread): add(spread)
    case .inlineFragment: return
    }
  }

  /// Adds the variables in a spread's arguments, followed by the spread itself.
  private mutating func add(_ spread: FragmentSpread) {
    guard let fragment = fragments[spread.name.symbol] else { return }
    let own = RelayDirectives.fragmentVariables(of: fragment, in: schema)
    for argument in spread.passedArguments {
      let variable = own.first { $0.name.symbol == argument.name.symbol }
      if let type = variable?.type {
        add(argument.value, variable?.defaultValue == nil ? type : type.nullable)
      }
    }
    uses.append(.spread(spread.name.symbol))
  }

  private mutating func add(_ arguments: [Argument], _ definitions: NamedList<SchemaInputValue>) {
    for argument in arguments {
      guard let definition = definitions[named: argument.name.symbol] else { continue }
      add(
        argument.value,
        definition.defaultValue == nil ? definition.type : definition.type.nullable)
    }
  }

  private mutating func add(_ directive: Directive) {
    let name = directive.name.symbol
    guard let definition = schema.directives[named: name] ?? directives[named: name] else { return }
    add(directive.arguments, definition.arguments)
  }

  private mutating func add(_ value: Value, _ type: ResolvedType) {
    switch value.kind {
    case .variable(let name): uses.append(.variable(name, type))
    case .list(let values):
      if let item = type.item { for value in values { add(value, item) } }
    case .object(let fields):
      let input = schema[type.named]
      for field in fields {
        guard let definition = input.inputFields[named: field.name.symbol] else { continue }
        add(
          field.value, definition.defaultValue == nil ? definition.type : definition.type.nullable)
      }
    default: break
    }
  }

  /// Adds a use of a variable. Its type becomes the strictest of the types it is used with.
  private mutating func add(_ name: Symbol, ofType type: ResolvedType) {
    guard let index = variables.firstIndex(where: { $0.name == name }) else {
      return variables.append((name, type))
    }
    if schema.isSubtype(type, of: variables[index].type) { variables[index].type = type }
  }
}
