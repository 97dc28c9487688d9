import GraphQLLanguage

/// A check for fragments spread twice on one object with different arguments and no alias. Both
/// spreads would be named `fragments.name`.
struct SpreadChecks {
  /// A spread with the values of its fragment's variables.
  private struct Use {
    let spread: FragmentSpread
    let arguments: String
    /// The enclosing type conditions. The spread's object has all of these types.
    let types: [TypeID]
  }

  private let schema: Schema
  private let values: ValuePrinter
  private let fragmentVariables: [Symbol: [FragmentVariable]]
  /// The spreads already visited, by the object's path and the fragment's name.
  private var uses: [String: [Use]] = [:]
  private var diagnostics: [Diagnostic] = []

  /// Checks the documents of one compilation.
  static func diagnostics(for documents: [Document], schema: Schema) -> [Diagnostic] {
    var fragmentVariables: [Symbol: [FragmentVariable]] = [:]
    for case .fragment(let fragment) in documents.lazy.flatMap(\.definitions) {
      let own = RelayDirectives.fragmentVariables(of: fragment, in: schema)
      if !own.isEmpty { fragmentVariables[fragment.name.symbol] = own }
    }
    if fragmentVariables.isEmpty { return [] }
    var checks = SpreadChecks(schema: schema, fragmentVariables: fragmentVariables)
    for definition in schema.executableDefinitions(of: documents) {
      checks.uses = [:]
      checks.check(
        definition.selectionSet, definition.type, types: [definition.type.id], path: "")
    }
    return checks.diagnostics
  }

  private init(schema: Schema, fragmentVariables: [Symbol: [FragmentVariable]]) {
    self.schema = schema
    self.fragmentVariables = fragmentVariables
    values = ValuePrinter(symbols: schema.symbols)
  }

  private mutating func check(
    _ set: SelectionSet, _ type: NamedType, types: [TypeID], path: String
  ) {
    for selection in set.selections {
      let inner = schema.inner(of: selection, on: type)
      switch selection {
      case .field(let field):
        guard let (set, type) = inner else { continue }
        let path = path + "." + schema.symbols[field.responseKey]
        check(set, type, types: [type.id], path: path)
      case .inlineFragment:
        guard let (set, type) = inner else { continue }
        check(set, type, types: types + [type.id], path: path)
      case .fragmentSpread(let spread): check(spread, types: types, path: path)
      }
    }
  }

  private mutating func check(_ spread: FragmentSpread, types: [TypeID], path: String) {
    guard let fragmentVariables = fragmentVariables[spread.name.symbol],
      spread.directives[named: .alias] == nil,
      !isUnmasked(spread)
    else { return }
    let use = Use(spread: spread, arguments: text(of: spread, fragmentVariables), types: types)
    let key = path + " " + schema.symbols[spread.name.symbol]
    let other = uses[key, default: []].first { other in
      other.arguments != use.arguments && (implies(use, other) || implies(other, use))
    }
    uses[key, default: []].append(use)
    guard let other else { return }
    let name = schema.symbols[spread.name.symbol]
    diagnostics.report(
      rule: "fragment-arguments",
      message:
        "Fragment \"\(name)\" is spread here with different arguments than before on the same "
        + "object.", at: spread.span, label: .init(other.spread.span, "spread before here"),
      help: "Give one of them a name with @alias(as: \"…\").")
  }

  private func isUnmasked(_ spread: FragmentSpread) -> Bool {
    let relay = spread.directives[named: .relay]
    return relay?.argument("mask", in: schema.symbols)?.kind == .boolean(false)
  }

  /// Returns whether every object that satisfies the types of `use` also satisfies the types of
  /// `other`.
  private func implies(_ use: Use, _ other: Use) -> Bool {
    other.types.allSatisfy { type in use.types.contains { schema.isSubtype($0, of: type) } }
  }

  /// Returns a string of the fragment variables' values, including default values.
  private func text(of spread: FragmentSpread, _ fragmentVariables: [FragmentVariable]) -> String {
    let passed = spread.directives[named: .arguments]?.arguments ?? []
    return fragmentVariables.map { variable in
      let value =
        passed.first { $0.name.symbol == variable.name.symbol }?.value ?? variable.defaultValue
      return value.map(values.json) ?? "-"
    }.joined(separator: ",")
  }
}
