import Foundation
import PackagePlugin

/// The build-tool plugin: generates Swift for the graphql tags of a target during the build.
///
/// The announced outputs are one generated file for each source file, with or without tags, and one
/// file of shared types. They depend only on the set of the target's files, because the build
/// system runs the plugin again only when that set changes.
@main
struct RelayCompilerPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    guard let target = target.sourceModule else { return [] }
    let folders = [target.directoryURL, context.package.directoryURL]
    guard let project = try Project(lookingIn: folders) else {
      Diagnostics.error(
        "Target \"\(target.name)\" uses RelayCompilerPlugin and has no schema. "
          + "Put schema.graphql or relay.config.json into the target's folder or beside Package.swift."
      )
      return []
    }
    let sources = Self.sources(of: target, without: project.inputs)
    let output = context.pluginWorkDirectoryURL
    var names = OutputNames()
    let files = sources.map { ($0, names.name(for: $0.lastPathComponent)) }
    var arguments = ["compile", project.option, project.file.path, "--output", output.path]
    arguments += ["--module", target.moduleName]
    let imports = try Self.imports(of: target, in: context.package)
    for (module, file) in imports { arguments += ["--import", module, file.path] }
    for (source, name) in files { arguments += ["--file", source.path, name] }
    let outputs = files.map(\.1) + [OutputNames.shared]
    return [
      .buildCommand(
        displayName: "Compiling graphql tags of \(target.name)",
        executable: try context.tool(named: "relay-compiler").url, arguments: arguments,
        inputFiles: sources + project.inputs + imports.map(\.file),
        outputFiles: outputs.map { output.appendingPathComponent($0) })
    ]
  }

  /// The source files of the modules that the target depends on, dependencies first.
  ///
  /// Only modules with a configuration or schema count. The target may use their fragments and
  /// shared types.
  private static func imports(
    of target: any SourceModuleTarget, in package: Package
  ) throws -> [(module: String, file: URL)] {
    var folders: [String: URL] = [:]
    var queue = [package]
    while let next = queue.popLast() {
      for target in next.targets where folders[target.id] == nil {
        folders[target.id] = next.directoryURL
      }
      queue += next.dependencies.map(\.package)
    }
    return try target.recursiveTargetDependencies.flatMap { dependency in
      guard let module = dependency.sourceModule, let folder = folders[dependency.id],
        let project = try Project(lookingIn: [module.directoryURL, folder])
      else { return [(module: String, file: URL)]() }
      let files = sources(of: module, without: project.inputs)
      let config = project.option == "--config" ? [project.file] : []
      return (config + files).map { (module.moduleName, $0) }
    }
  }

  /// The target's Swift and GraphQL files, except `inputs` and generated files, sorted by path.
  private static func sources(of target: any SourceModuleTarget, without inputs: [URL]) -> [URL] {
    let excluded = Set(inputs.map(\.standardizedFileURL.path))
    return target.sourceFiles.map(\.url).filter { url in
      guard !excluded.contains(url.standardizedFileURL.path) else { return false }
      if url.lastPathComponent.hasSuffix(OutputNames.suffix) { return false }
      return ["swift", "graphql", "gql"].contains(url.pathExtension)
    }.sorted { $0.path < $1.path }
  }
}

/// The configuration or schema that a target is compiled with.
struct Project {
  /// The compiler's option for `file`: `--config` or `--schema`.
  let option: String
  let file: URL
  /// The files other than sources that the compiler reads.
  let inputs: [URL]

  /// Finds the first configuration in the folders, or the first schema when there is none.
  init?(lookingIn folders: [URL]) throws {
    func first(_ name: String) -> URL? {
      folders.map { $0.appendingPathComponent(name) }
        .first { FileManager.default.fileExists(atPath: $0.path) }
    }
    if let config = first("relay.config.json") {
      self.init(option: "--config", file: config, inputs: [config] + Self.schemas(named: config))
    } else if let schema = first("schema.graphql") {
      self.init(option: "--schema", file: schema, inputs: [schema])
    } else {
      return nil
    }
  }

  private init(option: String, file: URL, inputs: [URL]) {
    self.option = option
    self.file = file
    self.inputs = inputs
  }

  /// The schema files that a configuration names; none when it cannot be read. The compiler itself
  /// reports a configuration's errors.
  private static func schemas(named config: URL) -> [URL] {
    struct Paths: Decodable {
      let schema: String?
      let schemaExtensions: [String]?
    }
    guard let data = try? Data(contentsOf: config),
      let paths = try? JSONDecoder().decode(Paths.self, from: data)
    else { return [] }
    let directory = config.deletingLastPathComponent()
    return ((paths.schema.map { [$0] } ?? []) + (paths.schemaExtensions ?? [])).map {
      URL(fileURLWithPath: $0, relativeTo: directory).standardizedFileURL
    }
  }
}

/// The names of generated files.
///
/// The rule is that of `RelayCompiler/Output/OutputNames.swift`, which a plugin cannot import.
struct OutputNames {
  static let suffix = ".graphql.swift"
  static let shared = "Schema" + suffix

  private var taken: Set<String> = [shared.lowercased()]

  mutating func name(for file: String) -> String {
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    var name = stem + Self.suffix
    var number = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(stem)-\(number)\(Self.suffix)"
      number += 1
    }
    return name
  }
}
