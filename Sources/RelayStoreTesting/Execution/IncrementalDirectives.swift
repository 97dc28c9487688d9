import GraphQLLanguage
import RelayStore

/// The directives for incremental delivery, which a server adds to every schema.
enum IncrementalDirectives {
  private static let definitions = [
    (
      "defer",
      "directive @defer(if: Boolean! = true label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT"
    ),
    (
      "stream",
      "directive @stream(if: Boolean! = true label: String initialCount: Int! = 0) on FIELD"
    ),
  ]

  /// Returns the definitions of the directives that a schema does not define itself.
  static func missing(from schema: Document, in workspace: Workspace) -> [Document] {
    let own = schema.definitions.compactMap { definition -> String? in
      guard case .directive(let directive) = definition else { return nil }
      return schema.symbols[directive.name.symbol]
    }
    return definitions.filter { !own.contains($0.0) }.map { name, text in
      workspace.parse(Source(path: "\(name).graphql", text)).document
    }
  }
}

extension IncrementalFormat {
  /// How fields are distributed over parts; `nil` for a server without parts.
  var strategy: ExecutionContext.Strategy? {
    switch self {
    case .none: nil
    case .payloads2020, .payloads2022: .separate
    case .payloads2023: .deduplicated
    }
  }
}
