import GraphQLLanguage

/// The freshness periods of data in seconds, from the configuration's `maxAge`.
package struct MaxAgeLimits: Sendable {
  private var operations: [Symbol: Double] = [:]
  private var types: [TypeID: Double] = [:]
  private var fields: [TypeID: [Symbol: Double]] = [:]

  /// The rule for reporting unknown names.
  static let rule = "max-age"

  package init() {}

  var isEmpty: Bool { operations.isEmpty && types.isEmpty && fields.isEmpty }

  /// Resolves the names in the configuration: operations, types, and field coordinates. Reports
  /// names that do not exist.
  ///
  /// - Parameters:
  ///   - names: The operations of the module.
  ///   - isComplete: Whether `names` contains all operations, so that any other does not exist.
  ///   - configuration: The file to locate errors in; `nil` if there is none.
  init(
    _ limits: [String: Double], operations names: Set<Symbol>, isComplete: Bool, schema: Schema,
    in configuration: ConfigurationSource? = nil, diagnostics: inout [Diagnostic]
  ) {
    let symbols = schema.symbols
    var report = ConfigurationReport(of: "maxAge", in: configuration, rule: Self.rule)
    for (name, limit) in limits.sorted(by: { $0.key < $1.key }) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false).map {
        symbols.intern(String($0))
      }
      let type = parts.first.flatMap { schema.type(named: $0) }
      if parts.count == 1, names.contains(parts[0]) {
        operations[parts[0]] = limit
      } else if parts.count == 1, let type, type.isComposite {
        types[type.id] = limit
      } else if parts.count == 2, let type, type.field(named: parts[1]) != nil {
        fields[type.id, default: [:]][parts[1]] = limit
      } else if isComplete || parts.count > 1 {
        let isField = parts.count == 2 && type != nil
        report.add(
          "\"\(name)\" in \"maxAge\" is not an operation, object type, interface, union or field.",
          at: name, suggesting: (isField ? parts.last : parts.first).map { symbols[$0] } ?? "",
          among: isField
            ? (type?.fields.map { symbols[$0.symbol] } ?? [])
            : names.map { symbols[$0] } + schema.typeNames(where: \.isComposite))
      }
    }
    diagnostics += report.diagnostics
  }

  /// Returns the freshness period of an operation's data: its own, or the shortest one of its types
  /// and fields; `nil` if there is none.
  func maxAge(of operation: IR.Operation, in schema: Schema) -> Double? {
    if isEmpty { return nil }
    if let own = operations[operation.name.symbol] { return own }
    var least: Double?
    add(operation.selections, on: schema[operation.root], schema, to: &least)
    return least
  }

  private func add(
    _ selections: [IR.Selection], on type: NamedType, _ schema: Schema, to least: inout Double?
  ) {
    func add(_ limit: Double?) {
      if let limit { least = min(limit, least ?? limit) }
    }
    let owners = [type.id] + type.interfaces
    for owner in owners { add(types[owner]) }
    for selection in selections {
      switch selection.content {
      case .field(let field):
        for owner in owners { add(fields[owner]?[field.name]) }
        let result = schema[field.type.named]
        if result.isComposite { self.add(field.selections, on: result, schema, to: &least) }
      case .inlineFragment(let fragment):
        self.add(fragment.selections, on: schema[fragment.type], schema, to: &least)
      case .spread: break
      }
    }
  }
}
