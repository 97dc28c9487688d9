import GraphQLLanguage

/// The schema of a compilation: parsed, built and validated.
package struct CheckedSchema {
  package let schema: Schema
  /// The documents of the server's schema, followed by the client schema extensions.
  package let documents: [Document]
  /// The errors and warnings in the schema's sources.
  package let diagnostics: [Diagnostic]
  /// The sources of the client schema extensions.
  let clientSources: Set<SourceID>
  /// The fragments that `@derived` fields are computed from, by field name.
  package let derivedFragments: [Symbol: Set<Symbol>]
  /// The fields that identify objects instead of `id`.
  package let keyFields: KeyFields
  /// The schema elements whose values are never persisted.
  let privateDefinitions: PrivateDefinitions
  /// The errors and warnings about schema names in the configuration.
  let configurationDiagnostics: [Diagnostic]
  /// The configuration file, used to locate schema names.
  package let configuration: ConfigurationSource?
  /// The schema's document, if a ``SchemaIndex`` can be built from it. That requires a single SDL
  /// source without diagnostics.
  let indexable: Document?

  /// Checks the schema of an input. With an index, checks only the subset reachable from the names
  /// in the workspace's symbol table. That subset is known to be valid.
  package init(_ input: CompilationInput, in workspace: Workspace) {
    let client = input.extensions.map { workspace.parse($0) }
    let server = Self.texts(input, symbols: workspace.symbols).map { workspace.parseSchema($0) }
    documents = (server + client).map(\.document)
    let found = (server + client).flatMap(\.diagnostics)
    configuration = input.configuration.map { ConfigurationSource($0, in: workspace) }
    clientSources = Set(client.map(\.document.source))
    derivedFragments = Self.derivedFragments(in: client.map(\.document))
    let schema: Schema
    (schema, diagnostics, indexable) = Self.build(
      documents, server: server, found: found, input, in: workspace)
    self.schema = schema
    var errors: [Diagnostic] = []
    keyFields = KeyFields(
      input.options.keyFields, idScalars: input.options.idScalars,
      unidentifiedTypes: input.options.unidentifiedTypes, schema: schema, in: configuration,
      diagnostics: &errors)
    privateDefinitions = PrivateDefinitions(
      input.options.privateElements, schema: schema, in: configuration, diagnostics: &errors)
    configurationDiagnostics =
      errors
      + CustomScalarChecks.diagnostics(
        for: input.options.customScalarTypes.keys, schema: schema, in: configuration)
  }

  /// - Parameter found: The errors and warnings from parsing.
  private static func build(
    _ documents: [Document], server: [Parsed], found: [Diagnostic], _ input: CompilationInput,
    in workspace: Workspace
  ) -> (schema: Schema, diagnostics: [Diagnostic], indexable: Document?) {
    if found.hasErrors || input.index != nil {
      return (Schema.build(from: documents, in: workspace), found, nil)
    }
    let validated = Schema.validated(
      from: documents, in: workspace, mode: .relay,
      // Unless the schema is strict, errors in the server's schema become warnings, because the
      // project cannot fix them.
      servers: input.options.isSchemaStrict ? [] : Set(server.map(\.document.source)))
    let diagnostics = found + validated.diagnostics
    // Only SDL can be indexed: types from introspection JSON have no span.
    let isSDL = validated.schema.queryType?.definition.span.isKnown == true
    let isIndexable = diagnostics.isEmpty && server.count == 1 && isSDL
    return (validated.schema, diagnostics, isIndexable ? server.first?.document : nil)
  }

  private static func texts(_ input: CompilationInput, symbols: SymbolTable) -> [Source] {
    guard let index = input.index else { return input.schema }
    var names = (0..<symbols.count).map { symbols[Symbol(index: UInt32($0))] }
    names += input.options.keyFields.flatMap { [$0.key] + $0.value }
    names += input.options.unidentifiedTypes
    names += input.options.idScalars
    names += input.options.customScalarTypes.keys
    names += input.options.privateElements.flatMap(PrivateDefinitions.names(in:))
    names += input.options.maxAges.keys.flatMap(PrivateDefinitions.names(in:))
    return [Source(path: input.schema.first?.path ?? "", bytes: index.subset(for: names))]
  }

  private static func derivedFragments(in documents: [Document]) -> [Symbol: Set<Symbol>] {
    var fragments: [Symbol: Set<Symbol>] = [:]
    for document in documents {
      for case .type(let type) in document.definitions {
        for field in type.fields {
          let derived = field.directives[named: .derived]
          guard let name = derived?.text("fragment", in: document.symbols) else { continue }
          fragments[field.name.symbol, default: []].insert(document.symbols.intern(name))
        }
      }
    }
    return fragments
  }
}
