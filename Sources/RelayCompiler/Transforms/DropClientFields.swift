import GraphQLLanguage

/// A pass that removes client-only selections: fields and types of schema extensions, and `__id`. A
/// derived field is replaced with a spread of the fragment it is computed from.
struct DropClientFields {
  private let program: IR.Program
  /// The types that fragments are defined on, by fragment name.
  private let fragments: [Symbol: TypeID]

  package static func apply(to program: IR.Program) -> IR.Program {
    let pass = DropClientFields(program: program, fragments: program.fragmentTypes)
    var result = program.map { $1.hasSelection(where: pass.isDropped) ? pass.kept($1) : $1 }
    result.fragments.removeAll { program.clientTypes.contains($0.type) }
    return result
  }

  private func isDropped(_ selection: IR.Selection) -> Bool {
    switch selection.content {
    case .field(let field): field.isClient
    case .spread(let spread): isDropped(spread)
    case .inlineFragment(let fragment): program.clientTypes.contains(fragment.type)
    }
  }

  private func isDropped(_ spread: IR.Spread) -> Bool {
    fragments[spread.name].map { program.clientTypes.contains($0) } ?? true
  }

  /// Returns the remaining selections of an object, or `__typename` if there are none.
  private func kept(_ selections: [IR.Selection]) -> [IR.Selection] {
    inside(selections).orTypename(in: program.schema)
  }

  private func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.compactMap { selection in
      var selection = selection
      switch selection.content {
      case .field(let field):
        if field.isClient {
          guard let fragment = field.derived, !isDropped(IR.Spread(name: fragment)) else {
            return nil
          }
          // Fetch the fields that it is computed from instead.
          selection.content = .spread(IR.Spread(name: fragment))
          return selection
        }
        if !field.selections.isEmpty {
          selection.content = .field(field.with(selections: kept(field.selections)))
        }
      case .spread(let spread): if isDropped(spread) { return nil }
      case .inlineFragment(var fragment):
        if program.clientTypes.contains(fragment.type) { return nil }
        fragment.selections = inside(fragment.selections)
        if fragment.selections.isEmpty { return nil }
        selection.content = .inlineFragment(fragment)
      }
      return selection
    }
  }
}
