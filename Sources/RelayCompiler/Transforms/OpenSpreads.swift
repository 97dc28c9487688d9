import GraphQLLanguage

/// Puts the selections of each spread's fragment in its place, for operations.
package struct OpenSpreads {
  /// The most selections an operation may have when its spreads are opened.
  package static let selectionLimit = 200_000

  private let schema: Schema
  private let fragments: [Symbol: IR.Fragment]
  private var remaining = 0

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
      pass.remaining = selectionLimit
      operation.selections = pass.selections(operation.selections, isFromSpread: false)
      if pass.remaining > 0 {
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

  private mutating func selections(
    _ selections: [IR.Selection], isFromSpread: Bool
  ) -> [IR.Selection] {
    remaining -= selections.count
    guard remaining > 0 else { return [] }
    var result: [IR.Selection] = []
    result.reserveCapacity(selections.count)
    for var selection in selections {
      selection.isFromSpread = selection.isFromSpread || isFromSpread
      switch selection.content {
      case .field(var field):
        if !field.selections.isEmpty {
          field.selections = self.selections(field.selections, isFromSpread: isFromSpread)
        }
        selection.content = .field(field)
      case .condition(var condition):
        condition.selections = self.selections(condition.selections, isFromSpread: isFromSpread)
        selection.content = .condition(condition)
      case .spread(let spread):
        guard let fragment = fragments[spread.name] else { continue }
        if let deferral = spread.deferral {
          selection.isThere = selection.isThere.and(
            Guard(.deferred(deferral.label, in: schema.symbols)))
        }
        selection.content = .condition(
          IR.TypeCondition(
            type: fragment.type,
            selections: self.selections(fragment.selections, isFromSpread: true)))
        selection.isFromSpread = true
      }
      result.append(selection)
    }
    return result
  }
}
