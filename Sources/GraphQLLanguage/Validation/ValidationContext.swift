/// The state that the rules of one validation share: the schema, the definitions of all documents,
/// and the diagnostics.
///
/// Not `Sendable`: one validation runs on one thread.
final class ValidationContext {
  /// The schema of the documents. When the documents are those of a schema, it is that schema,
  /// built but not validated.
  let schema: Schema
  /// All documents, which together count as one.
  let documents: [Document]
  /// Whether Relay's directives and fields are defined.
  let isRelay: Bool
  /// The directives that may be used.
  let directives: DirectiveTable
  /// All operations, in source order.
  var operations: [OperationUses] = []
  /// All fragments, in source order.
  var fragments: [FragmentUses] = []
  /// The names of fragments in other documents, to suggest.
  let otherFragments: Set<Symbol>
  /// The diagnostics reported so far.
  private(set) var diagnostics: [Diagnostic] = []
  /// The bound of the time that is spent on suggestions.
  let suggestionBudget = SuggestionBudget()
  /// The fields that Relay adds to every type; empty outside Relay's mode.
  let relayFields: NamedList<SchemaField>
  /// The index in ``fragments`` of each name. Of several fragments with the same name, the last one
  /// counts.
  private var fragmentPositions: [Symbol: Int] = [:]

  /// Creates a context for documents.
  init(
    schema: Schema, documents: [Document], isRelay: Bool, otherFragments: Set<Symbol> = []
  ) {
    self.schema = schema
    self.otherFragments = otherFragments
    self.documents = documents
    self.isRelay = isRelay
    relayFields = isRelay ? RelayDirectives.fields(for: schema) : NamedList()
    directives = DirectiveTable(schema: schema, documents: documents, isRelay: isRelay)
    for document in documents {
      for definition in document.definitions {
        switch definition {
        case .operation(let operation): operations.append(OperationUses(definition: operation))
        case .fragment(let fragment):
          fragmentPositions[fragment.name.symbol] = fragments.count
          var uses = FragmentUses(definition: fragment)
          if isRelay {
            uses.fragmentVariables = RelayDirectives.fragmentVariables(of: fragment, in: schema)
          }
          fragments.append(uses)
        default: continue
        }
      }
    }
  }

  /// Returns the text of a symbol.
  func text(_ symbol: Symbol) -> String { schema.symbols[symbol] }

  /// Returns the index in ``fragments`` of the fragment with a name.
  func fragmentPosition(_ symbol: Symbol) -> Int? { fragmentPositions[symbol] }

  /// Returns the fragment with a name.
  func fragment(named symbol: Symbol) -> FragmentDefinition? {
    fragmentPositions[symbol].map { fragments[$0].definition }
  }

  /// Reports an error.
  func report(
    _ rule: String, _ message: String, at locations: Span..., labels: [Diagnostic.Label] = [],
    help: String? = nil
  ) {
    report(rule, message, at: locations, labels: labels, help: help)
  }

  /// Reports an error at a list of source locations.
  // Not inlined: every rule calls it, and diagnostics are rare.
  @inline(never)
  func report(
    _ rule: String, _ message: String, at locations: [Span], labels: [Diagnostic.Label] = [],
    help: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(rule: rule, message: message, locations: locations, labels: labels, help: help))
  }

  /// Reports a warning.
  func warn(_ rule: String, _ message: String, at location: Span, help: String) {
    diagnostics.append(
      Diagnostic(severity: .warning, rule: rule, message: message, at: location, help: help))
  }

  /// Returns a sentence, preceded by a space, that suggests the names most similar to a misspelled
  /// one. Returns an empty string when there are none.
  ///
  /// After many errors nothing is suggested, so that the time spent on suggestions has a bound.
  func didYouMean(
    _ name: String, among names: @autoclosure () -> some Collection<String>
  ) -> String {
    suggestionBudget.didYouMean(name, among: names()).map { " " + $0 } ?? ""
  }

  /// Returns the indices of the fragments that spreads reach, each once.
  ///
  /// - Complexity: O(*n*) in the spreads of the fragments reached.
  func reachableFragments(from spreads: [FragmentSpread]) -> [Int] {
    var reached: [Int] = []
    var seen: Set<Int> = []
    func add(_ spreads: [FragmentSpread]) {
      for spread in spreads {
        guard let position = fragmentPositions[spread.name.symbol] else { continue }
        if seen.insert(position).inserted { reached.append(position) }
      }
    }
    add(spreads)
    var next = 0
    while next < reached.count {
      add(fragments[reached[next]].spreads)
      next += 1
    }
    return reached
  }
}
