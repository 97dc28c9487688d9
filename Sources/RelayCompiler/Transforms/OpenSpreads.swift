import GraphQLLanguage

/// Puts the selections of each spread's fragment in its place, for operations.
package struct OpenSpreads {
  /// The most selections an operation may have when its spreads are opened.
  package static let selectionLimit = 200_000

  /// Selections with their spreads opened, and how many they are in all, at most the limit.
  private struct Opened {
    var selections: [IR.Selection]
    var size: Int
  }

  private let schema: Schema
  private let fragments: [Symbol: IR.Fragment]
  /// Many operations share fragments, which are opened once.
  private var known: [Symbol: Opened] = [:]

  /// The program with operations whose spreads are opened, and without fragments.
  ///
  /// An operation that becomes too large is reported and left out.
  package static func apply(
    to program: IR.Program, diagnostics: inout [Diagnostic]
  ) -> IR.Program {
    var pass = OpenSpreads(schema: program.schema, fragments: program.fragmentsByName())
    var result = program
    result.fragments = []
    result.operations = []
    for var operation in program.operations {
      let opened = pass.opened(operation.selections, isFromSpread: false)
      if opened.size < selectionLimit {
        operation.selections = opened.selections
        result.operations.append(operation)
      } else {
        diagnostics.append(
          Diagnostic(
            rule: "operation-size",
            message: "Operation \"\(program.symbols[operation.name.symbol])\" selects more than "
              + "\(selectionLimit) fields with its fragments opened. Split it.",
            at: operation.name.span))
      }
    }
    return result
  }

  private init(schema: Schema, fragments: [Symbol: IR.Fragment]) {
    self.schema = schema
    self.fragments = fragments
  }

  private mutating func opened(_ fragment: IR.Fragment) -> Opened {
    if let known = known[fragment.name] { return known }
    let opened = opened(fragment.selections, isFromSpread: true)
    known[fragment.name] = opened
    return opened
  }

  private mutating func opened(_ selections: [IR.Selection], isFromSpread: Bool) -> Opened {
    var result = Opened(selections: [], size: selections.count)
    result.selections.reserveCapacity(selections.count)
    for var selection in selections {
      selection.isFromSpread = selection.isFromSpread || isFromSpread
      var inner: Opened?
      switch selection.content {
      case .field(let field):
        if !field.selections.isEmpty {
          let opened = opened(field.selections, isFromSpread: isFromSpread)
          selection.content = .field(field.with(selections: opened.selections))
          inner = opened
        }
      case .condition(var condition):
        let opened = opened(condition.selections, isFromSpread: isFromSpread)
        condition.selections = opened.selections
        selection.content = .condition(condition)
        inner = opened
      case .spread(let spread):
        guard let fragment = fragments[spread.name] else { continue }
        let opened = opened(fragment)
        open(spread, of: fragment, as: opened.selections, in: &selection)
        inner = opened
      }
      result.size = min(result.size + (inner?.size ?? 0), Self.selectionLimit)
      result.selections.append(selection)
    }
    return result
  }

  private func open(
    _ spread: IR.Spread, of fragment: IR.Fragment, as selections: [IR.Selection],
    in selection: inout IR.Selection
  ) {
    if let deferral = spread.deferral {
      selection.isThere = selection.isThere.and(
        Guard(.deferred(deferral.label, in: schema.symbols)))
    }
    selection.content = .condition(
      IR.TypeCondition(type: fragment.type, fragment: fragment.name, selections: selections))
    selection.isFromSpread = true
  }
}

/// What a pass makes of fragments where they are opened: the same in every operation, made once.
final class OpenedFragments {
  private var known: [Symbol: [IR.Selection]] = [:]

  /// The selections that a condition gets.
  func selections(
    of condition: IR.TypeCondition, else make: ([IR.Selection]) -> [IR.Selection]
  ) -> [IR.Selection] {
    guard let fragment = condition.fragment else { return make(condition.selections) }
    if let known = known[fragment] { return known }
    let made = make(condition.selections)
    known[fragment] = made
    return made
  }
}
