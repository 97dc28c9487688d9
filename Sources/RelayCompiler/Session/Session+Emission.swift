import GraphQLLanguage

/// The generated files that differ from those before.
package struct Emission: Sendable {
  /// The files to write, in the order of the sources; the file of the shared types is the last one.
  package let files: [GeneratedFile]
  /// The names of all generated files, also of those that did not change.
  package let names: Set<String>
  /// Initial declarations of the custom scalars that the project does not declare yet.
  package let scalarFiles: [GeneratedFile]
}

extension Session {
  /// What is known of the generated files between two emissions.
  struct EmissionState {
    /// The files whose generated text may have changed since it was emitted.
    var pending: Set<FileKey> = []
    /// The types that the generated text of each file refers to.
    var used: [FileKey: UsedTypes] = [:]
    /// The files that have generated text.
    var names: [FileKey: String] = [:]
    /// The types that determine how all files refer to types.
    var influential: Set<TypeID> = []
  }

  /// Generates the files that may differ from those of the last emission.
  ///
  /// - Returns: `nil` if there are errors. After an emission in which nothing changed, no files.
  package mutating func emit() -> Emission? {
    if diagnostics.hasErrors { return nil }
    let own = input.sources.map { FileKey(path: $0.path) }
    let existing = Set(own)
    for key in emission.used.keys where !existing.contains(key) {
      emission.used[key] = nil
      emission.names[key] = nil
    }
    var result = emit(emission.pending.intersection(existing))
    if let types = result?.influential, types != emission.influential {
      // All files refer to types in another way now.
      emission.influential = types
      result = emit(existing)
    }
    guard let result else { return nil }
    emission.pending = []
    let names = Set(emission.names.values).union([OutputNames.shared])
    return Emission(files: result.files, names: names, scalarFiles: result.scalarFiles)
  }

  private mutating func emit(_ pending: Set<FileKey>) -> (
    files: [GeneratedFile], scalarFiles: [GeneratedFile], influential: Set<TypeID>
  )? {
    let imported = entries.keys.filter { $0.module != nil }
    var diagnostics: [Diagnostic] = []
    let stages = stages(
      over: graph.withDependencies(pending.union(imported)), diagnostics: &diagnostics)
    guard !diagnostics.hasErrors, let lowered = stages.lowered,
      let transformed = stages.transformed
    else { return nil }
    let options = input.options
    let keys = stages.parsed.files.map { FileKey(path: $0.file.path) }
    for (index, used) in lowered.usedTypesByFile(of: transformed, options)
    where pending.contains(keys[index]) {
      emission.used[keys[index]] = used
    }
    var used = UsedTypes(schema: schema.schema)
    for other in emission.used.values { used.formUnion(other) }
    if let module = options.schemaModule, module == options.module { used.addAll() }
    let emitted = EmittedFiles(
      lowered, transformed: transformed, input: input, used: used, diagnostics: &diagnostics)
    let outputs = Dictionary(
      stages.parsed.files.map { ($0.file.output, FileKey(path: $0.file.path)) },
      uniquingKeysWith: { first, _ in first })
    for key in pending { emission.names[key] = nil }
    let files = emitted.files.filter { file in
      guard let key = outputs[file.name] else { return file.name == OutputNames.shared }
      guard pending.contains(key) else { return false }
      emission.names[key] = file.name
      return true
    }
    return (files, emitted.scalarFiles, Self.influential(used))
  }

  /// Returns the types of which each decides how generated code refers to others: custom scalars,
  /// and types with the name of one of Swift's.
  private static func influential(_ used: UsedTypes) -> Set<TypeID> {
    let shadowing = (used.enums + used.inputObjects).filter {
      SwiftTypes.builtIn.values.contains(used.schema.name(of: $0.id))
    }
    return Set((used.customScalars + shadowing).map(\.id))
  }
}
