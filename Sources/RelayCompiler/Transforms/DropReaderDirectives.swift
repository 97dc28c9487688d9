import GraphQLLanguage

/// Removes `@alias`, `@required` and `@catch` from selections: only generated structs use them.
enum DropReaderDirectives {
  package static func apply(to program: IR.Program) -> IR.Program {
    program.map { inside($1) }
  }

  private static func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.replacing { selection in
      switch selection.content {
      case .field(let field):
        let inner = field.with(selections: inside(field.selections))
        if field.required == nil, field.catches == nil { return selection.with(inner) }
        var details = field.details
        details.required = nil
        details.catches = nil
        return selection.with(inner.with(details: details))
      case .spread(var spread):
        if spread.alias == nil { return nil }
        spread.alias = nil
        return selection.with(.spread(spread))
      case .inlineFragment(var fragment):
        let inner = inside(fragment.selections)
        if fragment.alias == nil { return selection.with(fragment, inner) }
        fragment.alias = nil
        fragment.selections = inner
        return selection.with(.inlineFragment(fragment))
      }
    }
  }
}
