import GraphQLLanguage

/// Removes handles from fields: the store runs them, and readers do not need them. That of `@stream`
/// stays, because it tells a reader which list may be incomplete.
enum DropHandles {
  package static func apply(to program: IR.Program) -> IR.Program {
    program.replacingSelections { selection, _ in
      guard case .field(let field) = selection.content, !field.handles.allSatisfy(isStream) else {
        return nil
      }
      var details = field.details
      details.handles.removeAll { !isStream($0) }
      return selection.with(field.with(details: details))
    }
  }

  private static func isStream(_ handle: IR.Handle) -> Bool { handle.name == "stream" }
}
