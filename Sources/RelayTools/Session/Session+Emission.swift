import GraphQLLanguage
import RelayCompiler

/// The generated files that differ from the previous ones.
package struct Emission: Sendable {
  /// The files to write, in source order; the file of shared types is last.
  package let files: [GeneratedFile]
  /// The names of all generated files, including unchanged ones.
  package let names: Set<String>
  /// Initial declarations of the custom scalars that the project does not declare yet.
  package let scalarFiles: [GeneratedFile]
}

extension Session {
  /// The state of the generated files between two emissions.
  struct EmissionState {
    /// The files whose generated code may have changed since it was emitted.
    var pending: Set<FileKey> = []
    /// The types that each file's generated code refers to.
    private(set) var used: [FileKey: UsedTypes] = [:]
    /// The types of all files, each with the number of files that refer to it.
    private(set) var counts = UsedTypeCounts()
    /// The files that have generated code.
    var names: [FileKey: String] = [:]
    /// The types that determine how all files refer to types.
    var influential: Set<TypeID> = []

    /// Replaces the types of a file; `nil` removes them.
    mutating func replace(_ file: FileKey, with types: UsedTypes?) {
      if let old = used[file] { counts.add(old, -1) }
      used[file] = types
      if let types { counts.add(types, 1) }
    }
  }

  /// Generates the files that may differ from the last emission.
  ///
  /// - Returns: `nil` if there are errors; an emission without files if the output is unchanged.
  package mutating func emit() -> Emission? {
    if diagnostics.hasErrors { return nil }
    let own = input.sources.map { FileKey(path: $0.path) }
    let existing = Set(own)
    for key in emission.used.keys where !existing.contains(key) {
      emission.replace(key, with: nil)
      emission.names[key] = nil
    }
    let pending = emission.pending.intersection(existing)
    var result = emit(pending)
    if let types = result?.influential, types != emission.influential {
      emission.influential = types
      // Now all files refer to types differently.
      if pending != existing { result = emit(existing) }
    }
    checked = nil
    guard let result else { return nil }
    emission.pending = []
    return Emission(files: result.files, names: generatedNames, scalarFiles: result.scalarFiles)
  }

  /// The names of the generated files, as of the last emission.
  var generatedNames: Set<String> { Set(emission.names.values).union([OutputNames.shared]) }

  /// Includes files in the next emission, even if they have not changed. The file of shared types
  /// is always included.
  mutating func emitAgain(_ names: Set<String>) {
    for (key, name) in emission.names where names.contains(name) { emission.pending.insert(key) }
  }

  private mutating func emit(_ pending: Set<FileKey>) -> (
    files: [GeneratedFile], scalarFiles: [GeneratedFile], influential: Set<TypeID>
  )? {
    let imported = entries.keys.filter { $0.module != nil }
    var diagnostics: [Diagnostic] = []
    let slice = graph.withDependencies(pending.union(imported))
    let stages: Stages
    if let checked, checked.slice == slice {
      stages = checked.stages
    } else {
      stages = self.stages(over: slice, diagnostics: &diagnostics)
    }
    guard !diagnostics.hasErrors, let lowered = stages.lowered,
      let transformed = stages.transformed
    else { return nil }
    let options = input.options
    let keys = stages.parsed.files.map { FileKey(path: $0.file.path) }
    for (index, used) in lowered.usedTypesByFile(of: transformed, options)
    where pending.contains(keys[index]) {
      emission.replace(keys[index], with: used)
    }
    var used = emission.counts.types(of: schema.schema)
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

  /// Returns the types that influence how generated code refers to other types: custom scalars, and
  /// types that share a name with a Swift type.
  private static func influential(_ used: UsedTypes) -> Set<TypeID> {
    let shadowing = (used.enums + used.inputObjects).filter {
      SwiftTypes.builtIn.values.contains(used.schema.name(of: $0.id))
    }
    return Set((used.customScalars + shadowing).map(\.id))
  }
}
