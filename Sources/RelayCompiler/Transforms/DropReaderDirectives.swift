import GraphQLLanguage

/// A pass that removes `@alias`, `@required` and `@catch`, because only generated structs use them.
enum DropReaderDirectives {
  package static func apply(to program: IR.Program) -> IR.Program {
    program.replacingSelections { selection, _ in
      switch selection.content {
      case .field(let field):
        if field.required == nil, field.catches == nil { return nil }
        var details = field.details
        details.required = nil
        details.catches = nil
        return selection.with(field.with(details: details))
      case .spread(var spread):
        if spread.alias == nil { return nil }
        spread.alias = nil
        return selection.with(.spread(spread))
      case .inlineFragment(var fragment):
        if fragment.alias == nil { return nil }
        fragment.alias = nil
        return selection.with(.inlineFragment(fragment))
      }
    }
  }
}
