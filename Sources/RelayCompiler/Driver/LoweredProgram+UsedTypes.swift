import GraphQLLanguage

extension LoweredProgram {
  /// Returns the types that the program's generated code refers to.
  func usedTypes(of transformed: TransformedPrograms, _ options: EmissionOptions) -> UsedTypes {
    var used = UsedTypes(schema: program.schema)
    add(
      transformed.reader, normalization: transformed.normalization, program: program, options,
      to: &used)
    if let module = options.schemaModule, module == options.module { used.addAll() }
    return used
  }

  /// Adds the types that the generated code of some of the program's definitions refers to.
  package func add(
    _ reader: IR.Program, normalization: IR.Program, program: IR.Program,
    _ options: EmissionOptions, to used: inout UsedTypes
  ) {
    used.add(reader)
    used.add(normalization)
    for operation in normalization.operations
    where operation.hasRawResponse(options, program.symbols) {
      used.addNamed(in: operation.selections)
    }
    if !shared.isEmpty || options.module != nil { used.addLeaves(of: program) }
  }
}
