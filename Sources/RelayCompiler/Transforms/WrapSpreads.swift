import GraphQLLanguage

/// A pass that wraps each spread in a type condition, unless the object always has the fragment's
/// type.
enum WrapSpreads {
  package static func apply(to program: IR.Program) -> IR.Program {
    let (schema, fragments) = (program.schema, program.fragmentTypes)
    return program.replacingSelections { selection, type in
      guard case .spread(let spread) = selection.content, let fragment = fragments[spread.name],
        !schema.isSubtype(type, of: fragment)
      else { return nil }
      let inner = IR.Selection(content: selection.content)
      return selection.with(
        .inlineFragment(IR.InlineFragment(type: fragment, selections: [inner])))
    }
  }
}
