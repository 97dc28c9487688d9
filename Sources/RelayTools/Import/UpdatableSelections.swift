import GraphQLLanguage

/// Creates the selections of an updatable definition: without directives, and with spread fragments
/// inlined.
struct UpdatableSelections {
  /// The largest number of selections in a definition.
  private static let limit = 10_000

  private let fragments: [Symbol: FragmentDefinition]
  private let symbols: SymbolTable
  private var count = 0
  /// The fragments around the current selection, to detect cycles.
  private var path: [Symbol] = []
  /// The directives that were left out.
  private(set) var dropped: [Directive] = []
  private(set) var hasSpreads = false
  /// The variables that arguments use.
  private(set) var variables: Set<Symbol> = []

  init(fragments: [Symbol: FragmentDefinition], symbols: SymbolTable) {
    self.fragments = fragments
    self.symbols = symbols
  }

  /// Whether the selections differ from the original.
  var hasChanges: Bool { hasSpreads || !dropped.isEmpty }

  /// Returns the selections of a set; `nil` if there are too many.
  mutating func selections(of set: SelectionSet) -> SelectionSet? {
    var result: [Selection] = []
    for selection in set.selections {
      count += 1
      guard count <= Self.limit else { return nil }
      // A fragment spread twice contributes its directives only once.
      dropped += selection.directives.filter { !dropped.contains($0) }
      switch selection {
      case .field(var field):
        field.directives = []
        for argument in field.arguments { addVariables(of: argument.value) }
        if let inner = field.selectionSet {
          guard let own = selections(of: inner) else { return nil }
          field.selectionSet = own
        }
        result.append(.field(field))
      case .inlineFragment(var fragment):
        fragment.directives = []
        guard let own = selections(of: fragment.selectionSet) else { return nil }
        fragment.selectionSet = own
        result.append(.inlineFragment(fragment))
      case .fragmentSpread(let spread):
        let name = spread.name.symbol
        // Unknown fragments and cycles are left for validation to report.
        guard let fragment = fragments[name], !path.contains(name) else {
          result.append(selection)
          continue
        }
        hasSpreads = true
        path.append(name)
        defer { path.removeLast() }
        guard let own = selections(of: fragment.selectionSet) else { return nil }
        result.append(
          .inlineFragment(
            InlineFragment(typeCondition: fragment.typeCondition, selectionSet: own)))
      }
    }
    return SelectionSet(result)
  }

  private mutating func addVariables(of value: Value) {
    switch value.kind {
    case .variable(let name): variables.insert(name)
    case .list(let items): for item in items { addVariables(of: item) }
    case .object(let fields): for field in fields { addVariables(of: field.value) }
    default: return
    }
  }
}
