extension SchemaRules {
  /// Forbids input objects that contain themselves through non-null fields.
  static let inputCycles: SchemaRule = { check in
    let schema = check.schema
    var search = CycleSearch<TypeID, SchemaInputValue> { type in
      schema[type].inputFields.compactMap { field in
        guard field.type.shape == TypeShape.named.nonNull,
          schema[field.type.named].kind == .inputObject
        else { return nil }
        return (field.type.named, field)
      }
    }
    let cycles = check.types.filter { $0.kind == .inputObject }.flatMap {
      search.cycles(from: $0.id)
    }
    for cycle in cycles {
      guard let last = cycle.last else { continue }
      let path = cycle.map { check.text($0.symbol) }.joined(separator: ".")
      check.report(
        "input-cycles",
        "Cannot reference Input Object \"\(schema.name(of: last.type.named))\" within itself "
          + "through a series of non-null fields: \"\(path)\".", at: cycle.map(\.definition.span),
        help: "Make one of the fields nullable.")
    }
  }
}
