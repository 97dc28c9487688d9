import GraphQLLanguage

/// The times for which data is fresh, from `maxAge` of the configuration, in seconds.
package struct MaxAgeLimits: Sendable {
  private var operations: [Symbol: Double] = [:]
  private var types: [TypeID: Double] = [:]
  private var fields: [TypeID: [Symbol: Double]] = [:]

  package init() {}

  var isEmpty: Bool { operations.isEmpty && types.isEmpty && fields.isEmpty }

  /// Resolves the names in the configuration: operations, types, and coordinates of fields. Reports
  /// those that do not exist.
  ///
  /// - Parameters:
  ///   - program: The operations of the module.
  ///   - configuration: The file in which errors are located; `nil` if there is none.
  init(
    _ limits: [String: Double], of program: IR.Program, in configuration: ConfigurationText? = nil,
    diagnostics: inout [Diagnostic]
  ) {
    let (schema, symbols) = (program.schema, program.symbols)
    let names = Set(program.operations.map(\.name.symbol))
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
      } else {
        diagnostics.append(
          Self.unknown(
            name, parts, type, program, at: configuration?.location(of: name, in: "maxAge")))
      }
    }
  }

  private static func unknown(
    _ name: String, _ parts: [Symbol], _ type: NamedType?, _ program: IR.Program,
    at location: Span?
  ) -> Diagnostic {
    let symbols = program.symbols
    let candidates =
      parts.count == 2 && type != nil
      ? type?.fields.map(\.symbol) ?? []
      : program.operations.map(\.name.symbol)
        + program.schema.types.filter(\.isComposite).map(\.symbol)
    let misspelled = parts.count == 2 && type != nil ? parts[1] : parts.first
    return Diagnostic(
      rule: "max-age",
      message:
        "\"maxAge\" names \"\(name)\", which is no operation, object type, interface, union or field.",
      locations: location.map { [$0] } ?? [],
      help: didYouMean(
        suggestions(
          for: misspelled.map { symbols[$0] } ?? "", among: candidates.map { symbols[$0] })))
  }

  /// Returns the time for which an operation's data is fresh: that of the operation, or the least of
  /// its types and fields; `nil` if there is none.
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
