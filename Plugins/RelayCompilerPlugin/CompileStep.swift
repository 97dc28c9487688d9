import Foundation

/// A module, as SwiftPM or Xcode describes it.
struct Module {
  let name: String
  /// The folders that may contain its configuration or schema, nearest first.
  let folders: [URL]
  /// All its files.
  let files: [URL]

  var project: Project? { Project(lookingIn: folders) }

  /// The Swift and GraphQL files, except `inputs` and generated files, sorted by path.
  func sources(without inputs: [URL]) -> [URL] {
    let excluded = Set(inputs.map(\.standardizedFileURL.path))
    return files.filter { url in
      guard !excluded.contains(url.standardizedFileURL.path) else { return false }
      if url.lastPathComponent.hasSuffix(OutputNames.suffix) { return false }
      return ["swift", "graphql", "gql"].contains(url.pathExtension)
    }.sorted { $0.path < $1.path }
  }
}

/// One compiler run for one module.
///
/// The outputs are one generated file for each source file, with or without tags, and one file of
/// shared types. They depend only on the set of the module's files, because the build system runs
/// the plugin again only when that set changes.
struct CompileStep {
  let arguments: [String]
  let inputs: [URL]
  let outputs: [URL]

  /// Creates the step that generates files in the folder `output`; `nil` if the module has neither
  /// a configuration nor a schema.
  ///
  /// - Parameter imports: The modules that `module` depends on, dependencies first. Only modules
  ///   with a configuration or schema count: `module` may use their fragments and shared types.
  init?(_ module: Module, imports: [Module], output: URL) {
    guard let project = module.project else { return nil }
    let sources = module.sources(without: project.inputs)
    var names = OutputNames()
    let files = sources.map { ($0, names.name(for: $0.lastPathComponent)) }
    let used = imports.compactMap { module in module.project.map { (module, $0) } }
    let imported = used.flatMap { module, project -> [(module: String, file: URL)] in
      let config = project.option == "--config" ? [project.file] : []
      return (config + module.sources(without: project.inputs)).map { (module.name, $0) }
    }
    // The compiler compares the schemas. A configuration names its own.
    let schemas = used.filter { $0.1.option == "--schema" }.map { ($0.0.name, $0.1.file) }
    // As one expression, this would take the Swift compiler nine seconds.
    var arguments = ["compile", project.option, project.file.path, "--output", output.path]
    arguments += ["--module", module.name]
    for (module, file) in schemas { arguments += ["--import-schema", module, file.path] }
    for (module, file) in imported { arguments += ["--import", module, file.path] }
    for (file, name) in files { arguments += ["--file", file.path, name] }
    self.arguments = arguments
    let others = used.flatMap(\.1.inputs).filter { !project.inputs.contains($0) }
    var seen = Set(imported.map(\.file.path))
    inputs =
      sources + project.inputs + imported.map(\.file)
      + others.filter { seen.insert($0.path).inserted }
    outputs = (files.map(\.1) + [OutputNames.shared]).map { output.appendingPathComponent($0) }
  }
}
