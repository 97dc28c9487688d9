import GraphQLLanguage

/// A pass that removes handles from fields, because the store executes them and readers do not need
/// them. The `@stream` handle is retained: it tells a reader that the list may be incomplete.
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
