import GraphQLLanguage

/// The schema files of an Apollo project, split into the server's schema and the client's, with
/// Apollo's directives read and removed.
struct ApolloSchema {
  /// A directive `@fieldPolicy(forField:keyArgs:)`.
  struct FieldPolicy {
    let type: String
    let field: String
    /// The arguments, each as the member path that leads to its value.
    let arguments: [[String]]
    let place: String
  }

  /// The SDL of the server's schema.
  private(set) var serverText = ""
  /// The SDL of the client's extensions; empty if there are none.
  private(set) var clientText = ""
  /// The fields that identify a type's objects, in file order.
  private(set) var keyFields: [(type: String, fields: [String], place: String)] = []
  private(set) var fieldPolicies: [FieldPolicy] = []
  private(set) var notes: [MigrationNote] = []
  private let symbols: SymbolTable
  private let places: ImportPlaces
  private let uses: FieldUses

  /// Reads the schema files.
  ///
  /// - Parameters:
  ///   - files: The SDL of each file, with its tree.
  ///   - uses: The fields that the documents select.
  init(
    _ files: [(source: Source, document: Document)], uses: FieldUses, symbols: SymbolTable,
    places: ImportPlaces
  ) {
    self.symbols = symbols
    self.places = places
    self.uses = uses
    for file in files { add(file.document, of: file.source) }
  }

  private mutating func add(_ document: Document, of source: Source) {
    var edits = TextEdits(source)
    var extensions: [Span] = []
    for definition in document.definitions {
      switch definition {
      case .directive(let directive)
      where ApolloDirectives.dropped.contains(symbols[directive.name.symbol]):
        edits.removeDefinition(definition.span)
      case .schema(let schema): removeLinks(of: schema, edits: &edits)
      case .type(let type):
        let rest = readPolicies(of: type, edits: &edits)
        if type.isExtension, !rest {
          edits.removeDefinition(definition.span)
        } else if isClientExtension(type) {
          extensions.append(definition.span)
        }
      default: continue
      }
    }
    for span in extensions {
      clientText += edits.text(of: span) + "\n\n"
      edits.removeDefinition(span)
      note(
        .changed, at: span, of: "extend type",
        "Its fields are selected by local cache mutations only, so they are the client's: the extension is in client.graphql. If the server has them, move it to schema.graphql."
      )
    }
    let text = edits.text()
    serverText += text.hasSuffix("\n") ? text : text + "\n"
  }

  /// Removes the directives `@link` and `@core`; they import the specifications of other
  /// directives.
  private func removeLinks(of schema: SchemaDefinition, edits: inout TextEdits) {
    let links = schema.directives.filter { ["link", "core"].contains(symbols[$0.name.symbol]) }
    if schema.isExtension, schema.operationTypes.isEmpty, links.count == schema.directives.count {
      return edits.removeDefinition(schema.span)
    }
    for link in links { edits.remove(link.span) }
  }

  /// Reads and removes a type's directives.
  ///
  /// - Returns: Whether anything else remains in the definition.
  private mutating func readPolicies(of type: TypeDefinition, edits: inout TextEdits) -> Bool {
    let name = symbols[type.name.symbol]
    var removed = 0
    for directive in type.directives {
      switch symbols[directive.name.symbol] {
      case ApolloDirectives.typePolicy: addKeyFields(directive, of: name)
      case ApolloDirectives.fieldPolicy: addFieldPolicy(directive, of: name)
      default: continue
      }
      removed += 1
      edits.remove(directive.span)
    }
    return removed == 0 || type.directives.count > removed || !type.fields.isEmpty
      || !type.interfaces.isEmpty
  }

  private mutating func addKeyFields(_ directive: Directive, of type: String) {
    let text = directive.string("keyFields", in: symbols) ?? ""
    let fields = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
    guard !fields.isEmpty, fields.allSatisfy(\.isGraphQLName) else {
      return note(
        .manual, at: directive.span, of: "@typePolicy on \(type)",
        "\"\(text)\" is not a list of fields. \"keyFields\" of relay.config.json takes the names of scalar fields."
      )
    }
    keyFields.append((type, fields, places.place(of: directive.span)))
  }

  private mutating func addFieldPolicy(_ directive: Directive, of type: String) {
    let field = directive.string("forField", in: symbols) ?? ""
    let paths = (directive.string("keyArgs", in: symbols) ?? "")
      .split { $0.isWhitespace || $0 == "," }
      .map { $0.split(separator: ".").map(String.init) }
    guard field.isGraphQLName, !paths.isEmpty,
      paths.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isGraphQLName) })
    else {
      return note(
        .manual, at: directive.span, of: "@fieldPolicy on \(type)",
        "It does not name a field and arguments. Write a `MissingFieldHandler`: `Docs/ClientState.md`."
      )
    }
    fieldPolicies.append(
      FieldPolicy(
        type: type, field: field, arguments: paths, place: places.place(of: directive.span)))
  }

  /// Whether an extension adds fields that local cache mutations select and no sent document does.
  private func isClientExtension(_ type: TypeDefinition) -> Bool {
    guard type.isExtension, type.kind == .object || type.kind == .interface, !type.fields.isEmpty
    else { return false }
    let names = type.fields.map(\.name.symbol)
    return names.contains { uses.local.contains($0) }
      && !names.contains { uses.sent.contains($0) }
  }

  private mutating func note(
    _ kind: MigrationNote.Kind, at span: Span, of subject: String, _ text: String
  ) {
    notes.add(kind, at: places.place(of: span), of: subject, text)
  }
}
