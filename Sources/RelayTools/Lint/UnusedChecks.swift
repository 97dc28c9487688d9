import GraphQLLanguage
import RelayCompiler

/// Reports selections that no Swift code reads, and unused definitions.
///
/// A field counts as read if its name occurs as a word in any Swift file. A reported field is
/// therefore read nowhere, but some unread fields are not reported. If no field of a definition is
/// read, its fields are not reported one by one: it may be fetched only to fill the store.
struct UnusedChecks {
  /// The rules of the warnings about fields and about definitions.
  static let (fieldRule, definitionRule) = ("unused-field", "unused-definition")

  private let documents: [Document]
  private let symbols: SymbolTable
  private let words: SwiftWords
  private let types: SwiftTypes
  private var diagnostics: [Diagnostic] = []

  /// - Parameter words: The words of the Swift code that uses the definitions.
  /// - Returns: The warnings; `nil` if the compilation has errors.
  static func diagnostics(for compilation: Compilation, words: SwiftWords) -> [Diagnostic]? {
    let stages = compilation.stages
    guard !compilation.diagnostics.hasErrors, let types = stages.types else { return nil }
    var checks = UnusedChecks(stages.parsed, words: words, types: types)
    checks.checkDefinitions()
    return checks.diagnostics.sortedByLocation()
  }

  private init(_ parsed: ParsedSources, words: SwiftWords, types: SwiftTypes) {
    documents = parsed.documents
    symbols = parsed.workspace.symbols
    self.words = words
    self.types = types
  }

  private mutating func checkDefinitions() {
    let spreads = documents.reduce(into: Set<Symbol>()) { $0.formUnion($1.spreads(derived: [:])) }
    for definition in documents.lazy.flatMap(\.definitions) {
      switch definition {
      case .operation(let operation):
        guard let name = operation.name else { continue }
        if let type = types.operations[name.symbol], !words.contains(type) {
          let kind = SwiftName.upperFirst(operation.operation.rawValue)
          report(
            Self.definitionRule, "\(kind) \"\(symbols[name.symbol])\" is never used in Swift.",
            at: name.span)
        } else if operation.operation == .query {
          let root = types.schema.rootType(of: operation.operation)
          check(operation.selectionSet, on: root, operation.directives, of: "query", name)
        }
      case .fragment(let fragment):
        let name = fragment.name
        let type = types.fragments[name.symbol] ?? symbols[name.symbol]
        if !spreads.contains(name.symbol), !words.contains(type) {
          report(
            Self.definitionRule,
            "Fragment \"\(symbols[name.symbol])\" is never spread, and never used in Swift.",
            at: name.span)
        } else {
          let type = types.schema.type(named: fragment.typeCondition.symbol)
          check(fragment.selectionSet, on: type, fragment.directives, of: "fragment", name)
        }
      default: continue
      }
    }
  }

  // MARK: Fields

  private mutating func check(
    _ set: SelectionSet, on type: NamedType?, _ directives: [Directive], of kind: String,
    _ name: Name
  ) {
    // Updaters write these selections.
    if hasDirective("updatable", directives) { return }
    var fields: [Field] = []
    addUnread(of: set, on: type, to: &fields)
    if fields.isEmpty || !hasReadField(set) { return }
    for field in fields {
      report(
        Self.fieldRule,
        "Field \"\(symbols[field.responseKey])\" of \(kind) \"\(symbols[name.symbol])\" is never "
          + "read in Swift.",
        at: (field.alias ?? field.name).span)
    }
  }

  /// - Parameter type: The type of the object; `nil` for a client-only object.
  private func addUnread(
    of set: SelectionSet, on type: NamedType?, to fields: inout [Field]
  ) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        if !isRead(field, of: type) {
          fields.append(field)
        } else if let inner = field.selectionSet, !hasDirective("connection", field.directives) {
          addUnread(of: inner, on: self.type(of: field, on: type), to: &fields)
        } else if let inner = field.selectionSet {
          addUnread(ofConnection: inner, on: self.type(of: field, on: type), to: &fields)
        }
      case .inlineFragment(let fragment):
        let condition = fragment.typeCondition.flatMap { types.schema.type(named: $0.symbol) }
        addUnread(of: fragment.selectionSet, on: condition ?? type, to: &fields)
      case .fragmentSpread: continue
      }
    }
  }

  /// Adds the unread fields of a connection's nodes. The store itself reads its edges and pages.
  private func addUnread(
    ofConnection set: SelectionSet, on type: NamedType?, to fields: inout [Field]
  ) {
    for case .field(let field) in set.selections {
      guard let inner = field.selectionSet else { continue }
      let type = self.type(of: field, on: type)
      switch symbols[field.name.symbol] {
      case "edges": addUnread(ofConnection: inner, on: type, to: &fields)
      case "node", "nodes": addUnread(of: inner, on: type, to: &fields)
      default: continue
      }
    }
  }

  private func hasReadField(_ set: SelectionSet) -> Bool {
    set.selections.contains { selection in
      switch selection {
      case .field(let field):
        words.contains(symbols[field.responseKey])
          || (field.selectionSet.map(hasReadField) ?? false)
      case .inlineFragment(let fragment): hasReadField(fragment.selectionSet)
      case .fragmentSpread: false
      }
    }
  }

  private func type(of field: Field, on type: NamedType?) -> NamedType? {
    type.flatMap { types.schema.field(named: field.name.symbol, on: $0) }
      .map { types.schema[$0.type.named] }
  }

  private func isRead(_ field: Field, of type: NamedType?) -> Bool {
    let name = symbols[field.responseKey]
    return name.hasPrefix("__") || type.map { isKey(field, of: $0) } ?? true
      // A null value of a required field changes its enclosing object.
      || hasDirective("required", field.directives) || words.contains(name)
      || words.contains(SwiftName.member(name, taken: []).filter { $0 != "`" })
  }

  /// Whether a field identifies objects: in the store, or in Swift as the `id` of an `Identifiable`
  /// struct.
  private func isKey(_ field: Field, of type: NamedType) -> Bool {
    let (name, schema) = (field.name.symbol, types.schema)
    if types.keys.isKey(name, of: type, in: schema) { return true }
    guard field.responseKey == .idField,
      let definition = schema.field(named: name, on: type)
    else { return false }
    return definition.type.isNonNull && !definition.type.isList
      && schema[definition.type.named].kind == .scalar
  }

  private func hasDirective(_ name: String, _ directives: [Directive]) -> Bool {
    directives.contains { symbols[$0.name.symbol] == name }
  }

  private mutating func report(_ rule: String, _ message: String, at span: Span) {
    diagnostics.append(Diagnostic(severity: .warning, rule: rule, message: message, at: span))
  }
}
