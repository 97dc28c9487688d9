extension SchemaRules {
  /// Forbids default values of input fields that contain themselves through the default values of
  /// omitted fields.
  static let defaultValueCycles: SchemaRule = { check in
    var search = DefaultCycleSearch(schema: check.schema)
    for type in check.types where type.kind == .inputObject {
      for field in type.inputFields where field.defaultValue != nil {
        search.start(at: field, of: type)
      }
    }
    for cycle in search.cycles {
      check.report(
        "default-value-cycles",
        "The default value of \"\(cycle.name)\" contains itself through the default values of "
          + "fields it leaves out.", at: cycle.spans)
    }
  }
}

/// A depth-first search over input fields whose default values depend on those of other fields. It
/// uses its own stack instead of recursion.
private struct DefaultCycleSearch {
  private struct Key: Hashable {
    let type: TypeID
    let field: Symbol
  }
  private struct Step {
    let key: Key
    let span: Span
    var next: [(SchemaInputValue, NamedType)]
  }

  let schema: Schema
  private(set) var cycles: [(name: String, spans: [Span])] = []
  private var visited: Set<Key> = []
  /// The stack of the search: the fields from the first one to the current one.
  private var steps: [Step] = []
  /// The index in `steps` of each field on the stack.
  private var positions: [Key: Int] = [:]

  init(schema: Schema) { self.schema = schema }

  mutating func start(at field: SchemaInputValue, of type: NamedType) {
    enter(field, of: type)
    while !steps.isEmpty {
      guard let (field, type) = steps[steps.count - 1].next.popLast() else {
        positions[steps.removeLast().key] = nil
        continue
      }
      enter(field, of: type)
    }
  }

  private mutating func enter(_ field: SchemaInputValue, of type: NamedType) {
    let key = Key(type: type.id, field: field.symbol)
    if let start = positions[key] {
      cycles.append(
        ("\(schema.name(of: type.id)).\(schema.symbols[field.symbol])", steps[start...].map(\.span))
      )
      return
    }
    guard visited.insert(key).inserted, let value = field.defaultValue else { return }
    positions[key] = steps.count
    steps.append(
      Step(
        key: key, span: field.definition.span, next: defaultDependencies(of: value, as: field.type))
    )
  }

  /// Returns the input fields whose default values apply because the value omits these fields.
  private func defaultDependencies(of value: Value, as type: ResolvedType) -> [(
    SchemaInputValue, NamedType
  )] {
    let named = schema[type.named]
    guard named.kind == .inputObject else { return [] }
    switch value.kind {
    case .list(let items): return items.flatMap { defaultDependencies(of: $0, as: type) }
    case .object(let fields):
      return named.inputFields.flatMap { definition -> [(SchemaInputValue, NamedType)] in
        if let given = fields.first(where: { $0.name.symbol == definition.symbol }) {
          return defaultDependencies(of: given.value, as: definition.type)
        }
        return definition.defaultValue == nil ? [] : [(definition, named)]
      }
    default: return []
    }
  }
}
