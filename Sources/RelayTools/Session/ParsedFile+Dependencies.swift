import GraphQLLanguage
import RelayCompiler

extension ParsedFile {
  /// Whether the documents define types or directives; only schema files may.
  var hasTypeDefinitions: Bool { names.hasOthers }

  /// Whether a fragment has a variable whose value comes from a provider.
  var hasProviders: Bool {
    documents.contains { document in
      let provider = document.symbols.intern("provider")
      return document.definitions.contains { definition in
        guard case .fragment(let fragment) = definition else { return false }
        return fragment.directives.lazy.flatMap(\.arguments).contains { argument in
          guard case .object(let fields) = argument.value.kind else { return false }
          return fields.contains { $0.name.symbol == provider }
        }
      }
    }
  }
}
