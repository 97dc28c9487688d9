/// The state shared by the rules of one validation: the schema, the definitions of all documents,
/// and the diagnostics.
///
/// Not `Sendable`: one validation runs on one thread.
final class ValidationContext {
  /// The schema that the documents are validated against. When the documents define a schema, it is
  /// that schema, built but not yet validated.
  let schema: Schema
  /// All documents, treated as one combined document.
  let documents: [Document]
  /// Whether Relay's directives and fields are defined.
  let isRelay: Bool
  /// The directives that may be used.
  let directives: DirectiveTable
  /// All operations, in source order.
  var operations: [OperationUses] = []
  /// All fragments, in source order.
  var fragments: [FragmentUses] = []
  /// The names of fragments in other documents, for suggestions.
  let otherFragments: Set<Symbol>
  /// The diagnostics reported by the rules.
  private(set) var diagnostics: [Diagnostic] = []
  /// The time budget for suggestions.
  let suggestionBudget = SuggestionBudget()
  /// The fields that Relay adds to every type; empty outside Relay mode.
  let relayFields: NamedList<SchemaField>
  /// The index in ``fragments`` of each name. The last of several fragments with the same name
  /// wins.
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

  /// Returns the string of a symbol.
  func text(_ symbol: Symbol) -> String { schema.symbols[symbol] }

  /// Returns the index in ``fragments`` of the fragment named `symbol`.
  func fragmentPosition(_ symbol: Symbol) -> Int? { fragmentPositions[symbol] }

  /// Returns the fragment named `symbol`.
  func fragment(named symbol: Symbol) -> FragmentDefinition? {
    fragmentPositions[symbol].map { fragments[$0].definition }
  }

  /// Reports an error.
  func report(
    _ rule: String, _ message: String, at locations: Span..., labels: [Diagnostic.Label] = [],
    help: String? = nil, correction: Correction? = nil
  ) {
    report(rule, message, at: locations, labels: labels, help: help, correction: correction)
  }

  /// Reports an error at a list of source locations.
  // Not inlined: every rule calls it, but diagnostics are rare.
  @inline(never)
  func report(
    _ rule: String, _ message: String, at locations: [Span], labels: [Diagnostic.Label] = [],
    help: String? = nil, correction: Correction? = nil
  ) {
    var diagnostic = Diagnostic(
      rule: rule, message: message, locations: locations, labels: labels, help: help)
    diagnostic.correction = correction
    diagnostics.append(diagnostic)
  }

  /// Reports a name that is not defined. The message ends with a question that suggests the most
  /// similar names, until the ``suggestionBudget`` is exhausted.
  ///
  /// - Parameter location: The location of the mistake; `nil` for the name's.
  func report(
    _ rule: String, _ message: String, unknown name: Name,
    among names: @autoclosure () -> some Collection<String>, at location: Span? = nil,
    help: String? = nil
  ) {
    let suggestions = suggestionBudget.suggestions(for: text(name.symbol), among: names())
    report(
      rule, message + (didYouMean(suggestions).map { " " + $0 } ?? ""), at: location ?? name.span,
      help: help, correction: .replacement(of: name.span, with: suggestions))
  }

  /// Reports a warning.
  func warn(_ rule: String, _ message: String, at location: Span, help: String) {
    diagnostics.append(
      Diagnostic(severity: .warning, rule: rule, message: message, at: location, help: help))
  }

  /// Returns the indices of the fragments reachable from spreads, without duplicates.
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
