import GraphQLLanguage

/// Takes out what only the client knows: fields and types of schema extensions, and `__id`.
package struct DropClientFields {
  private let program: IR.Program
  private let fragments: [Symbol: IR.Fragment]

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = DropClientFields(program: program, fragments: program.fragmentsByName())
    var result = program.map { pass.kept($1) }
    result.fragments.removeAll { program.clientTypes.contains($0.type) }
    return result
  }

  /// The selections of an object, of which at least one is left.
  private func kept(_ selections: [IR.Selection]) -> [IR.Selection] {
    let result = inside(selections)
    guard result.isEmpty, let typename = IR.Field.typename(in: program.schema) else {
      return result
    }
    return [IR.Selection(content: .field(typename))]
  }

  private func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.compactMap { selection in
      var selection = selection
      switch selection.content {
      case .field(var field):
        if field.isClient { return nil }
        if !field.selections.isEmpty { field.selections = kept(field.selections) }
        selection.content = .field(field)
      case .spread(let spread):
        guard let fragment = fragments[spread.name],
          !program.clientTypes.contains(fragment.type)
        else { return nil }
      case .condition(var condition):
        if program.clientTypes.contains(condition.type) { return nil }
        condition.selections = inside(condition.selections)
        if condition.selections.isEmpty { return nil }
        selection.content = .condition(condition)
      }
      return selection
    }
  }
}
