/// What the rules of one validation share: the schema, the definitions of all documents, and the errors found.
///
/// Not `Sendable`: one validation runs on one thread.
final class ValidationContext {
  /// The schema of the documents; for the validation of a schema's own documents one that is built without checking.
  let schema: Schema
  /// All documents, taken together as one.
  let documents: [Document]
  /// True where Relay's directives and fields are known.
  let isRelay: Bool
  /// The directives that may be used.
  let directives: DirectiveTable
  /// All operations, in the order written.
  var operations: [OperationFacts] = []
  /// All fragments, in the order written.
  var fragments: [FragmentFacts] = []
  /// The errors found so far.
  private(set) var diagnostics: [Diagnostic] = []
  /// How many more names may be looked at for suggestions.
  private var suggestionBudget = 1_000_000
  /// The fields Relay adds to every type; empty outside Relay's mode.
  let relayFields: NamedList<SchemaField>
  /// The position in ``fragments`` of each name; of fragments of the same name the last counts.
  private var fragmentPositions: [Symbol: Int] = [:]

  /// A context for documents.
  init(schema: Schema, documents: [Document], isRelay: Bool) {
    self.schema = schema
    self.documents = documents
    self.isRelay = isRelay
    relayFields = isRelay ? RelayDirectives.fields(for: schema) : NamedList()
    directives = DirectiveTable(schema: schema, documents: documents, isRelay: isRelay)
    for document in documents {
      for definition in document.definitions {
        switch definition {
        case .operation(let operation): operations.append(OperationFacts(definition: operation))
        case .fragment(let fragment):
          fragmentPositions[fragment.name.symbol] = fragments.count
          var facts = FragmentFacts(definition: fragment)
          if isRelay {
            facts.localVariables = RelayDirectives.localVariables(of: fragment, in: schema)
          }
          fragments.append(facts)
        default: continue
        }
      }
    }
  }

  /// The text of a symbol.
  func text(_ symbol: Symbol) -> String { schema.symbols[symbol] }

  /// The position in ``fragments`` of a name.
  func fragmentPosition(_ symbol: Symbol) -> Int? { fragmentPositions[symbol] }

  /// The fragment of a name.
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

  /// Reports an error at a list of places.
  func report(
    _ rule: String, _ message: String, at locations: [Span], labels: [Diagnostic.Label] = [],
    help: String? = nil
  ) {
    diagnostics.append(
      Diagnostic(rule: rule, message: message, locations: locations, labels: labels, help: help))
  }

  /// Reports what deserves a look and is no error.
  func warn(_ rule: String, _ message: String, at location: Span, help: String) {
    diagnostics.append(
      Diagnostic(severity: .warning, rule: rule, message: message, at: location, help: help))
  }

  /// A sentence after a space that offers the names most like a misspelt one, or nothing.
  ///
  /// After many errors none are offered, so that the time for them has a bound.
  func didYouMean(_ name: String, among names: some Collection<String>) -> String {
    suggestionBudget -= names.count
    guard suggestionBudget > 0 else { return "" }
    return GraphQLLanguage.didYouMean(suggestions(for: name, among: names)).map { " " + $0 } ?? ""
  }

  /// The positions of the fragments that spreads reach, each once.
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
