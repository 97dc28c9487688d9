import GraphQLLanguage
import RelayCompiler

/// A compilation that persists, and is repeated only for files affected by a change.
///
///     var session = Session(input)
///     session.diagnostics                    // the same as `Compiler.compile(input)` reports
///     input.sources[3] = edited
///     session.update(input)
///
/// After a change the stages run over a slice of the files. The slice consists of the *roots* (the
/// changed files and the files that use their fragments) and of the files whose fragments the roots
/// use. Then the diagnostics of the roots are replaced. If a diagnostic outside the roots appears
/// or disappears, its file becomes a root as well, and the stages run again.
package struct Session {
  /// A file, and its connections to others.
  struct Entry {
    let parsed: ParsedFile
    let getters: [ProviderScanner.Getter]
    /// The names of the definitions' Swift types.
    let swiftNames: [String]
  }

  private(set) var input: CompilationInput
  package let workspace: Workspace
  let schema: CheckedSchema
  /// The directives and fields that Relay adds to the schema.
  let relay: RelayDefinitions
  private(set) var entries: [FileKey: Entry] = [:]
  private(set) var graph = FileGraph()
  private(set) var names = ModuleNames([], imported: [])
  private var stored = SessionDiagnostics()
  /// The warnings about tags with the same name.
  private var tagNames: [Diagnostic] = []
  var emission = EmissionState()
  /// The last run of the stages and the files in it, if files are to be generated.
  var checked: (slice: Set<FileKey>, stages: Stages)?
  /// The errors of definitions whose Swift types have the same name.
  private var clashes: [Diagnostic] = []
  /// The names of the Swift types that may be declared for the schema.
  let typeNames: Set<String>
  /// The number of workspace sources before the files' own.
  private let schemaSources: Int

  /// Compiles an input. A schema index is ignored.
  package init(_ input: CompilationInput) {
    var input = input
    input.index = nil
    self.input = input
    workspace = Workspace()
    schema = CheckedSchema(input, in: workspace)
    relay = RelayDefinitions(schema.schema)
    schemaSources = workspace.count
    typeNames = Self.typeNames(of: schema.schema, schemaName: input.options.schemaName)
    let files = Self.files(of: input)
    for (key, file) in files { replace(key, with: file) }
    updateNames()
    check(Set(entries.keys))
  }

  /// The errors and warnings of all stages before emission, by file and position.
  package var diagnostics: [Diagnostic] {
    let order = Dictionary(
      Self.files(of: input).enumerated().map { ($0.element.key, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    func position(_ diagnostic: Diagnostic) -> (Int, UInt32, UInt32) {
      let span = diagnostic.primarySpan
      let key = stored.files[span.source]
      return (key.flatMap { order[$0] } ?? (span.isKnown ? .max : -1), span.start, span.end)
    }
    let foreign = ForeignFragments.schemaModuleDiagnostics(for: input, in: schema.configuration)
    let all = ForeignFragments.explaining(
      input.warnings + tagNames + stored.all + clashes + foreign, for: input, in: workspace)
    return all.sorted { position($0) < position($1) }
  }

  /// Compiles the files that differ from the last input, and the files that depend on them.
  ///
  /// A change of the schema, the options or the modules creates a new session.
  package mutating func update(_ new: CompilationInput) {
    guard new.hasSameSchema(as: input) else {
      self = Session(new)
      return
    }
    input = new
    input.index = nil
    var changed: Set<FileKey> = []
    var seeds: Set<FileKey> = []
    let files = Self.files(of: input)
    for (key, file) in files where entries[key]?.parsed.file != file { changed.insert(key) }
    if files.count != entries.count + changed.count(where: { entries[$0] == nil }) {
      changed.formUnion(Set(entries.keys).subtracting(files.lazy.map(\.key)))
    }
    if changed.isEmpty { return }
    let byKey = Dictionary(
      files.lazy.filter { changed.contains($0.key) }, uniquingKeysWith: { first, _ in first })
    let old = (names: names, getters: getters(of: changed))
    let hadTypes = hasTypeDefinitions
    let dependencies = graph.withDependencies(changed)
    for key in changed {
      seeds.formUnion(graph.withUsers([key]))
      replace(key, with: byKey[key])
      seeds.formUnion(graph.withUsers([key]))
    }
    updateNames()
    seeds.formUnion(changed)
    if hadTypes || hasTypeDefinitions { seeds.formUnion(entries.keys) }
    if old.names.isComplete != names.isComplete || old.names.fragments != names.fragments {
      seeds.formUnion(graph.filesWithUndefinedSpreads)
    }
    if old.getters != getters(of: changed) {
      seeds.formUnion(entries.lazy.filter { $0.value.parsed.hasProviders }.map(\.key))
    }
    check(seeds, before: dependencies)
    if changed.contains(where: { $0.module != nil }) {
      // Other modules may now declare different types, and the files import them.
      emission.pending.formUnion(entries.keys.lazy.filter { $0.module == nil })
    }
  }

  // MARK: Files

  private static func files(
    of input: CompilationInput
  ) -> [(key: FileKey, file: CompilationInput.SourceFile)] {
    input.sources.map { (FileKey(path: $0.path), $0) }
      + input.modules.flatMap { module in
        module.sources.map { (FileKey(module: module.name, path: $0.path), $0) }
      }
  }

  private mutating func replace(_ key: FileKey, with file: CompilationInput.SourceFile?) {
    guard let file else {
      entries[key] = nil
      graph.replace(key, with: nil)
      return
    }
    let parsed = ParsedFile(file, in: workspace)
    entries[key] = Entry(parsed: parsed, getters: parsed.getters(), swiftNames: parsed.swiftNames)
    let spreads = parsed.documents.map { $0.spreads(derived: schema.derivedFragments) }
    graph.replace(
      key,
      with: .init(defined: parsed.names, spreads: spreads.reduce(into: []) { $0.formUnion($1) }))
    for source in parsed.sources { stored.files[source] = key }
  }

  /// Whether a document defines types or directives. That is an error, but the stages see these
  /// definitions in all documents.
  private var hasTypeDefinitions: Bool {
    entries.values.contains { $0.parsed.hasTypeDefinitions }
  }

  private func getters(of files: Set<FileKey>) -> [FileKey: [ProviderScanner.Getter]] {
    files.reduce(into: [:]) { getters, key in
      if let found = entries[key]?.getters, !found.isEmpty { getters[key] = found }
    }
  }

  private mutating func updateNames() {
    names = ModuleNames(
      input.sources.compactMap { entries[FileKey(path: $0.path)]?.parsed },
      imported: input.modules.flatMap { module in
        module.sources.compactMap { entries[FileKey(module: module.name, path: $0.path)]?.parsed }
      })
  }

  // MARK: Checks

  /// Runs the stages over files, their users and the dependencies of both.
  ///
  /// - Parameter before: The files that they depended on before a change.
  private mutating func check(_ seeds: Set<FileKey>, before: Set<FileKey> = []) {
    tagNames = TagNames.diagnostics(for: names.files)
    var roots = seeds
    while true {
      roots = graph.withUsers(roots)
      let touched = stored.files(touching: roots)
      if !touched.isSubset(of: roots) {
        roots.formUnion(touched)
        continue
      }
      let slice = graph.withDependencies(roots.union(before))
      var found: [Diagnostic] = []
      let stages = stages(over: slice, diagnostics: &found)
      let more = stored.files(differingFrom: found, in: slice, outside: roots)
      if more.isEmpty {
        guard stored.isOutdated(by: found), !roots.isSuperset(of: entries.keys) else {
          stored.replace(touching: roots, with: found)
          emission.pending.formUnion(roots)
          checked = input.makesFiles ? (slice, stages) : nil
          break
        }
        roots.formUnion(entries.keys)
      }
      roots.formUnion(more)
    }
    clashes = stored.all.hasErrors ? [] : nameClashes()
    removeTexts()
  }

  /// Runs the stages before emission over files.
  func stages(over slice: Set<FileKey>, diagnostics: inout [Diagnostic]) -> Stages {
    func parsed(_ files: [CompilationInput.SourceFile], of module: String? = nil) -> [ParsedFile] {
      files.compactMap { file in
        let key = FileKey(module: module, path: file.path)
        return slice.contains(key) ? entries[key]?.parsed : nil
      }
    }
    let sources = ParsedSources(
      parsed(input.sources),
      modules: input.modules.map { ($0, parsed($0.sources, of: $0.name)) }, in: workspace)
    return Stages(sources, schema, names: names, input, diagnostics: &diagnostics)
  }

  /// Removes the sources that no file or diagnostic uses any more.
  private mutating func removeTexts() {
    var live = Set(entries.values.lazy.flatMap(\.parsed.sources))
    for diagnostic in stored.all + tagNames + clashes {
      live.formUnion(diagnostic.spans.map(\.source))
    }
    stored.files = stored.files.filter { live.contains($0.key) }
    workspace.removeTexts { $0.index >= schemaSources && !live.contains($0) }
  }
}

extension CompilationInput {
  /// Whether another input has the same schema and options, so that only files can differ.
  fileprivate func hasSameSchema(as other: CompilationInput) -> Bool {
    func isSame(_ left: Source, _ right: Source) -> Bool {
      left.path == right.path && left.bytes == right.bytes
    }
    return schema.elementsEqual(other.schema, by: isSame)
      && extensions.elementsEqual(other.extensions, by: isSame)
      && options == other.options && configuration?.bytes == other.configuration?.bytes
      && modules.elementsEqual(other.modules) {
        $0.name == $1.name && $0.schemaModule == $1.schemaModule
      }
  }
}
