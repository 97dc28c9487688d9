extension SchemaRules {
  /// Forbids input objects that contain themselves through non-null fields.
  static let inputCycles: SchemaRule = { check in
    var search = InputCycleSearch(schema: check.schema)
    for type in check.types where type.kind == .inputObject { search.start(at: type) }
    for cycle in search.cycles {
      guard let last = cycle.last else { continue }
      let path = cycle.map { check.text($0.symbol) }.joined(separator: ".")
      check.report(
        "input-cycles",
        "Cannot reference Input Object \"\(check.schema.name(of: last.type.named))\" within itself "
          + "through a series of non-null fields: \"\(path)\".", at: cycle.map(\.definition.span),
        help: "Make one of the fields nullable.")
    }
  }
}

/// A depth-first search for cycles of non-null fields. It uses its own stack instead of recursion.
private struct InputCycleSearch {
  let schema: Schema
  /// The fields of each cycle found.
  private(set) var cycles: [[SchemaInputValue]] = []
  private var visited: Set<TypeID> = []
  private var steps: [(type: NamedType, nextField: Int)] = []
  private var path: [SchemaInputValue] = []
  /// The number of fields from the start of the path to each type on it.
  private var depths: [TypeID: Int] = [:]

  init(schema: Schema) { self.schema = schema }

  mutating func start(at type: NamedType) {
    guard visited.insert(type.id).inserted else { return }
    enter(type)
    while var step = steps.popLast() {
      guard step.nextField < step.type.inputFields.count else {
        depths[step.type.id] = nil
        _ = path.popLast()
        continue
      }
      let field = step.type.inputFields[step.nextField]
      step.nextField += 1
      steps.append(step)
      guard field.type.shape == TypeShape.named.nonNull else { continue }
      follow(field, to: schema[field.type.named])
    }
    path = []
  }

  private mutating func enter(_ type: NamedType) {
    depths[type.id] = path.count
    steps.append((type, 0))
  }

  private mutating func follow(_ field: SchemaInputValue, to type: NamedType) {
    guard type.kind == .inputObject else { return }
    if let depth = depths[type.id] {
      cycles.append(Array(path[depth...]) + [field])
    } else if visited.insert(type.id).inserted {
      path.append(field)
      enter(type)
    }
  }
}
