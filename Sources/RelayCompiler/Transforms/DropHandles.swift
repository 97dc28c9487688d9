import GraphQLLanguage

/// Removes handles from fields: the store runs them, and readers do not need them. That of `@stream`
/// stays, because it tells a reader which list may be incomplete.
enum DropHandles {
  package static func apply(to program: IR.Program) -> IR.Program {
    program.map { inside($1) }
  }

  private static func inside(_ selections: [IR.Selection]) -> [IR.Selection] {
    selections.replacing { selection in
      switch selection.content {
      case .field(let field):
        let inner = field.with(selections: inside(field.selections))
        if field.handles.allSatisfy(isStream) { return selection.with(inner) }
        var details = field.details
        details.handles.removeAll { !isStream($0) }
        return selection.with(inner.with(details: details))
      case .inlineFragment(let fragment):
        return selection.with(fragment, inside(fragment.selections))
      case .spread: return nil
      }
    }
  }

  private static func isStream(_ handle: IR.Handle) -> Bool { handle.name == "stream" }
}
