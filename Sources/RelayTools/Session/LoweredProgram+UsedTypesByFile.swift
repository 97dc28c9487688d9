import GraphQLLanguage
import RelayCompiler

extension LoweredProgram {
  /// Returns the types that each file's generated code refers to, by the file's index.
  ///
  /// Imported definitions belong to no file.
  func usedTypesByFile(
    of transformed: TransformedPrograms, _ options: EmissionOptions
  ) -> [Int: UsedTypes] {
    let parsed = validated.parsed
    let readers = transformed.reader.grouped(by: parsed.origins)
    let normalization = transformed.normalization.grouped(by: parsed.origins)
    let programs = program.grouped(by: parsed.origins)
    var result: [Int: UsedTypes] = [:]
    let none = IR.Program(schema: program.schema)
    for index in parsed.files.indices {
      var used = UsedTypes(schema: program.schema)
      add(
        readers[index] ?? none, normalization: normalization[index] ?? none,
        program: programs[index] ?? none, options, to: &used)
      result[index] = used
    }
    return result
  }
}

extension IR.Program {
  /// Returns the definitions in each file, by the file's index.
  fileprivate func grouped(by origins: [SourceID: Int]) -> [Int: IR.Program] {
    var result: [Int: IR.Program] = [:]
    let empty = IR.Program(schema: schema)
    for operation in operations {
      guard let index = origins[operation.definition.span.source] else { continue }
      result[index, default: empty].operations.append(operation)
    }
    for fragment in fragments {
      guard let index = origins[fragment.definition.span.source] else { continue }
      result[index, default: empty].fragments.append(fragment)
    }
    return result
  }
}
