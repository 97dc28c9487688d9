import GraphQLLanguage
import RelayCompiler

extension CompletionNames {
  /// Returns the directives that may be added at a placeholder: the location and the type permit
  /// them, and they do not contradict directives that are already there.
  func directives(for occurrence: Occurrence, in definition: Definition?) -> [Completion] {
    let given = Set(occurrence.list.names).union(snippets.following.directives)
    return language.directives.filter { directive in
      let name = symbols[directive.symbol]
      return ClientDirectives.refusal(of: name) == nil
        && occurrence.location.map { directive.definition.locations.contains($0) } ?? true
        && (directive.isRepeatable || !given.contains(directive.symbol))
        && fits(name, occurrence, in: definition, given)
    }.map { directive in
      completion(
        directive.symbol, .directive, detail: "", text.entry(of: directive),
        snippets.directive(directive, on: occurrence.selection))
    }
  }

  /// Whether one of Relay's directives fits its selection or definition.
  private func fits(
    _ name: String, _ occurrence: Occurrence, in definition: Definition?, _ given: Set<Symbol>
  ) -> Bool {
    switch occurrence.selection {
    case .field: fits(name, onFieldOf: occurrence.type, given)
    case .fragmentSpread(let spread):
      name != "arguments" || language.fragment(spread.name.symbol) == nil
        || !language.fragmentVariables(of: spread.name.symbol).isEmpty
    case .inlineFragment(let fragment):
      switch name {
      case "alias": fragment.typeCondition != nil
      case "catch", "defer": false
      default: true
      }
    case nil:
      switch (name, definition) {
      case ("refetchable", .fragment(let fragment)): schema.isRefetchable(fragment)
      default: true
      }
    }
  }

  private func fits(
    _ name: String, onFieldOf type: ResolvedType?, _ given: Set<Symbol>
  ) -> Bool {
    switch name {
    case "throwOnFieldError": return false
    case "catch": return !given.contains(.required)
    case "required" where given.contains(.catch): return false
    default: break
    }
    guard let type else { return true }
    return switch name {
    case "required": !type.isNonNull
    case "stream": type.isList
    case "connection": schema.isConnection(type)
    case "appendEdge", "prependEdge", "appendNode", "prependNode", "deleteEdge", "deleteRecord":
      schema.expectation(of: name, on: schema[type.named]) == nil
    default: true
    }
  }
}
