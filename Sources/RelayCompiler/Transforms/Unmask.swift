import GraphQLLanguage

/// A pass that replaces each spread with `@relay(mask: false)` with its fragment's selections. In
/// them, the spread's arguments replace the fragment's own variables.
struct Unmask {
  private let schema: Schema
  private let fragments: [Symbol: IR.Fragment]
  private let relabel: Relabel
  private var diagnostics: [Diagnostic] = []
  /// The number of enclosing unmasked fragments.
  private var depth = 0
  /// Whether ``depth`` exceeded ``depthLimit`` in the last expanded definition.
  private var isTooDeep = false
  private static let depthLimit = 100

  /// Returns the program without unmasked spreads. Reports definitions that become too large or
  /// whose meaning would change.
  package static func apply(
    to program: IR.Program, diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    guard program.hasSelection(where: isUnmasked) else { return program }
    var pass = Unmask(schema: program.schema, fragments: program.fragmentsByName())
    var result = program
    for (index, operation) in program.operations.enumerated() {
      result.operations[index].selections = pass.unmasked(
        operation.selections, on: operation.root, in: operation.name, fragmentVariables: [])
    }
    for (index, fragment) in program.fragments.enumerated() {
      result.fragments[index].selections = pass.unmasked(
        fragment.selections, on: fragment.type, in: fragment.definition.name,
        fragmentVariables: fragment.fragmentVariables)
    }
    diagnostics += pass.diagnostics
    return result
  }

  private init(schema: Schema, fragments: [Symbol: IR.Fragment]) {
    self.schema = schema
    self.fragments = fragments
    relabel = Relabel(schema: schema, fragments: fragments.mapValues(\.type))
  }

  private static func isUnmasked(_ selection: IR.Selection) -> Bool {
    if case .spread(let spread) = selection.content { !spread.isMasked } else { false }
  }

  private mutating func unmasked(
    _ selections: [IR.Selection], on type: TypeID, in owner: Name,
    fragmentVariables: [IR.FragmentVariable]
  ) -> [IR.Selection] {
    guard selections.hasSelection(where: Self.isUnmasked) else { return selections }
    var substitution = Substitution(schema: schema, limit: Flatten.selectionLimit)
    isTooDeep = false
    let result = substitution.selections(selections, .none) {
      content(&$0, $1, owner: owner, fragmentVariables: fragmentVariables)
    }
    if isTooDeep || substitution.remaining <= 0 {
      diagnostics.append(
        Diagnostic(
          rule: "definition-size",
          message: "\"\(schema.symbols[owner.symbol])\" selects more than "
            + "\(Flatten.selectionLimit) fields with its unmasked fragments, or nests them "
            + "\(Self.depthLimit) levels deep. Mask some of them.",
          at: owner.span))
      return []
    }
    return UnmaskedLabels.apply(
      to: result, of: schema.symbols[owner.symbol], on: type, schema: schema, relabel: relabel)
  }

  private mutating func content(
    _ substitution: inout Substitution, _ spread: IR.Spread, owner: Name,
    fragmentVariables: [IR.FragmentVariable]
  ) -> IR.Selection.Content {
    guard !spread.isMasked, let fragment = fragments[spread.name] else { return .spread(spread) }
    if depth == Self.depthLimit { isTooDeep = true }
    if isTooDeep { return .spread(spread) }
    depth += 1
    defer { depth -= 1 }
    check(fragment, owner: owner, fragmentVariables: fragmentVariables)
    let bindings = Substitution.Bindings(of: fragment, arguments: spread.arguments)
    let selections = substitution.selections(fragment.selections, bindings) {
      content(&$0, $1, owner: owner, fragmentVariables: fragmentVariables)
    }
    return .inlineFragment(IR.InlineFragment(type: fragment.type, selections: selections))
  }

  /// Checks that the enclosing fragment does not capture a variable of the operation.
  private mutating func check(
    _ fragment: IR.Fragment, owner: Name, fragmentVariables: [IR.FragmentVariable]
  ) {
    if fragmentVariables.isEmpty { return }
    let dependencies = SelectionDependencies(fragment.selections)
    let own = Set(fragment.fragmentVariables.map(\.name))
    for variable in fragmentVariables
    where dependencies.variables.contains(variable.name) && !own.contains(variable.name) {
      let diagnostic = Diagnostic(
        rule: "unmasked-variables",
        message: "Fragment \"\(schema.symbols[fragment.name])\" uses the operation's variable "
          + "\"$\(schema.symbols[variable.name])\" and cannot be unmasked in fragment "
          + "\"\(schema.symbols[owner.symbol])\", which declares its own. Rename one of them.",
        at: owner.span)
      if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
  }
}
