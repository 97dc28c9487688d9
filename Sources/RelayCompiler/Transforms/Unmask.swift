import GraphQLLanguage

/// Replaces each spread with `@relay(mask: false)` with the selections of its fragment, in which
/// the spread's arguments replace the fragment's own variables.
package struct Unmask {
  private let schema: Schema
  private let fragments: [Symbol: IR.Fragment]
  private var diagnostics: [Diagnostic] = []
  /// The number of enclosing unmasked fragments.
  private var depth = 0
  /// Whether ``depth`` exceeded ``depthLimit`` in the definition that was expanded last.
  private var isTooDeep = false
  private static let depthLimit = 100

  /// Returns the program without unmasked spreads. Definitions that become too large or whose
  /// meaning would change are reported.
  package static func apply(
    to program: IR.Program, diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    let definitions = program.operations.map(\.selections) + program.fragments.map(\.selections)
    guard definitions.contains(where: hasUnmasked) else { return program }
    var pass = Unmask(schema: program.schema, fragments: program.fragmentsByName())
    var result = program
    for (index, operation) in program.operations.enumerated() {
      result.operations[index].selections = pass.opened(
        operation.selections, in: operation.name, locals: [])
    }
    for (index, fragment) in program.fragments.enumerated() {
      result.fragments[index].selections = pass.opened(
        fragment.selections, in: fragment.definition.name, locals: fragment.locals)
    }
    diagnostics += pass.diagnostics
    return result
  }

  private init(schema: Schema, fragments: [Symbol: IR.Fragment]) {
    self.schema = schema
    self.fragments = fragments
  }

  private static func hasUnmasked(_ selections: [IR.Selection]) -> Bool {
    selections.contains { selection in
      switch selection.content {
      case .field(let field): hasUnmasked(field.selections)
      case .spread(let spread): !spread.isMasked
      case .condition(let condition): hasUnmasked(condition.selections)
      }
    }
  }

  private mutating func opened(
    _ selections: [IR.Selection], in owner: Name, locals: [IR.Local]
  ) -> [IR.Selection] {
    guard Self.hasUnmasked(selections) else { return selections }
    var substitution = Substitution(schema: schema, limit: Flatten.selectionLimit)
    isTooDeep = false
    let result = substitution.selections(selections, .none) {
      content(&$0, $1, owner: owner, locals: locals)
    }
    if isTooDeep || substitution.remaining <= 0 {
      diagnostics.append(
        Diagnostic(
          rule: "definition-size",
          message: "\"\(schema.symbols[owner.symbol])\" selects more than "
            + "\(Flatten.selectionLimit) fields with its unmasked fragments, or they unmask others "
            + "\(Self.depthLimit) times in a row. Mask some of them.",
          at: owner.span))
      return []
    }
    return result
  }

  private mutating func content(
    _ substitution: inout Substitution, _ spread: IR.Spread, owner: Name, locals: [IR.Local]
  ) -> IR.Selection.Content {
    guard !spread.isMasked, let fragment = fragments[spread.name] else { return .spread(spread) }
    if depth == Self.depthLimit { isTooDeep = true }
    if isTooDeep { return .spread(spread) }
    depth += 1
    defer { depth -= 1 }
    check(fragment, owner: owner, locals: locals)
    let bindings = Substitution.Bindings(of: fragment, arguments: spread.arguments)
    let selections = substitution.selections(fragment.selections, bindings) {
      content(&$0, $1, owner: owner, locals: locals)
    }
    return .condition(IR.TypeCondition(type: fragment.type, selections: selections))
  }

  /// Checks that a variable of the operation is not captured by the enclosing fragment.
  private mutating func check(_ fragment: IR.Fragment, owner: Name, locals: [IR.Local]) {
    if locals.isEmpty { return }
    var use = SelectionUse()
    use.add(fragment.selections)
    let own = Set(fragment.locals.map(\.name))
    for local in locals where use.variables.contains(local.name) && !own.contains(local.name) {
      let diagnostic = Diagnostic(
        rule: "unmasked-variables",
        message: "Fragment \"\(schema.symbols[fragment.name])\" uses the operation's variable "
          + "\"$\(schema.symbols[local.name])\" and cannot be unmasked in fragment "
          + "\"\(schema.symbols[owner.symbol])\", which has its own. Rename one of them.",
        at: owner.span)
      if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
    }
  }
}
