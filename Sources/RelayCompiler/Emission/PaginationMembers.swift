import GraphQLLanguage

/// The struct members that describe a definition's connections and its refetch query.
struct PaginationMembers {
  private let types: SwiftTypes
  /// The protocols that the struct conforms to.
  private(set) var conformances: [String] = []
  /// The declarations.
  private(set) var lines: [String] = []

  /// - Parameter fragment: The fragment with these selections; `nil` for an operation.
  init(_ selections: [IR.Selection], of fragment: IR.Fragment? = nil, types: SwiftTypes) {
    self.types = types
    if let fragment { addRefetch(fragment) }
    let found = connections(in: selections, path: [])
    if found.isEmpty { return }
    conformances.append("GraphQLPaginated")
    lines.append(
      "\(types.access)static let __connections = [\(found.joined(separator: ", "))]")
  }

  /// Returns the struct name of the query declared by a fragment's `@refetchable`.
  static func refetchQuery(of fragment: IR.Fragment, types: SwiftTypes) -> String? {
    refetchName(of: fragment, types: types).flatMap { types.operations[$0] }
  }

  /// Returns the name of the query declared by a fragment's `@refetchable`.
  static func refetchName(of fragment: IR.Fragment, types: SwiftTypes) -> Symbol? {
    let symbols = types.schema.symbols
    return fragment.definition.directives[named: .refetchable]?.text("queryName", in: symbols)
      .map(symbols.intern)
  }

  private mutating func addRefetch(_ fragment: IR.Fragment) {
    guard let query = Self.refetchQuery(of: fragment, types: types),
      let root = RefetchRoot(for: fragment.definition, in: types.schema)
    else { return }
    let arguments = [
      root.field.map { "field: \(quoted($0))" }, root.identity.map { "id: \(quoted($0.field))" },
    ].compactMap(\.self)
    conformances.append("GraphQLRefetchable")
    lines.append("\(types.access)typealias RefetchQuery = \(query)")
    lines.append(
      "\(types.access)static let __refetch = RefetchInfo(\(arguments.joined(separator: ", ")))")
  }

  /// Returns expressions for the connections outside lists.
  private func connections(in selections: [IR.Selection], path: [Symbol]) -> [String] {
    selections.flatMap { selection -> [String] in
      switch selection.content {
      case .field(let field):
        if field.selections.isEmpty || field.type.isList { return [] }
        let path = path + [field.responseKey]
        let own = field.connection == nil ? [] : [info(field, path: path)]
        return own + connections(in: field.selections, path: path)
      case .inlineFragment(let fragment): return connections(in: fragment.selections, path: path)
      case .spread: return []
      }
    }
  }

  private func info(_ field: IR.Field, path: [Symbol]) -> String {
    let variables = ["first", "after", "last", "before"].compactMap { name -> String? in
      let argument = field.arguments.first { types.text($0.name) == name }
      guard case .variable(let variable) = argument?.value.kind else { return nil }
      return "\(name): \(quoted(variable))"
    }
    let path = "[" + path.map(quoted).joined(separator: ", ") + "]"
    return "ConnectionInfo(" + ([path] + variables).joined(separator: ", ") + ")"
  }

  private func quoted(_ symbol: Symbol) -> String { SwiftEscaping.literal(types.text(symbol)) }
}
