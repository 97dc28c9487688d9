import GraphQLLanguage
import RelayStore

/// A collector of the fields that are selected on an object, grouped by response key in the order
/// of the request.
///
/// Source: GraphQL specification, section 6.3.2.
struct FieldCollector {
  let execution: Execution
  /// The object's type, which decides whether a type condition applies.
  let type: NamedType
  /// The response keys in the order of their first occurrence, each with its fields.
  private(set) var groups: [(key: Symbol, fields: [Field])] = []
  private var positions: [Symbol: Int] = [:]
  private var visited: Set<Symbol> = []

  init(execution: Execution, type: NamedType) {
    self.execution = execution
    self.type = type
  }

  /// Adds the fields of a selection set that apply to the object.
  ///
  /// - Throws: ``CoercionFailure`` when the condition of an `@include` or `@skip` has no value.
  mutating func collect(_ set: SelectionSet) throws {
    for selection in set.selections where try isIncluded(selection.directives) {
      switch selection {
      case .field(let field): add(field)
      case .inlineFragment(let fragment):
        if applies(fragment.typeCondition) { try collect(fragment.selectionSet) }
      case .fragmentSpread(let spread):
        guard visited.insert(spread.name.symbol).inserted,
          let fragment = execution.request.fragments[spread.name.symbol],
          applies(fragment.typeCondition)
        else { continue }
        try collect(fragment.selectionSet)
      }
    }
  }

  private mutating func add(_ field: Field) {
    if let position = positions[field.responseKey] {
      groups[position].fields.append(field)
    } else {
      positions[field.responseKey] = groups.count
      groups.append((field.responseKey, [field]))
    }
  }

  private func applies(_ condition: Name?) -> Bool {
    guard let condition else { return true }
    guard let wanted = execution.schema.type(named: condition.symbol) else { return false }
    return execution.schema.isSubtype(type.id, of: wanted.id)
  }

  private func isIncluded(_ directives: [Directive]) throws -> Bool {
    if let skip = directives[named: .skip], try condition(of: skip) { return false }
    guard let include = directives[named: .include] else { return true }
    return try condition(of: include)
  }

  private func condition(of directive: Directive) throws -> Bool {
    guard let definition = execution.schema.directives[named: directive.name.symbol] else {
      return false
    }
    let arguments = try InputCoercion(schema: execution.schema).arguments(
      directive.arguments, of: definition.arguments, variables: execution.variables)
    return arguments["if"]?.bool ?? false
  }
}
