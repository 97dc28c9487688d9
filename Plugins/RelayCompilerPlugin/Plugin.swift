import Foundation
import PackagePlugin

/// The build-tool plugin: generates Swift for the graphql tags of a target during the build.
@main
struct RelayCompilerPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    guard let target = target.sourceModule else { return [] }
    let module = Module(target, in: context.package.directoryURL)
    guard
      let step = CompileStep(
        module, imports: Self.imports(of: target, in: context.package),
        output: context.pluginWorkDirectoryURL)
    else {
      Diagnostics.error(
        "Target \"\(target.name)\" uses the plugin of relay-compiler and has no schema. "
          + "Put schema.graphql or relay.config.json into the target's folder or next to "
          + "Package.swift."
      )
      return []
    }
    return [.compile(step, target: target.name, by: try context.tool(named: "relay-compile").url)]
  }

  /// The modules that the target depends on, dependencies first.
  private static func imports(of target: any SourceModuleTarget, in package: Package) -> [Module] {
    var folders: [String: URL] = [:]
    var queue = [package]
    while let next = queue.popLast() {
      for target in next.targets where folders[target.id] == nil {
        folders[target.id] = next.directoryURL
      }
      queue += next.dependencies.map(\.package)
    }
    return target.recursiveTargetDependencies.compactMap { dependency in
      guard let module = dependency.sourceModule, let folder = folders[dependency.id] else {
        return nil
      }
      return Module(module, in: folder)
    }
  }
}

extension Module {
  /// A target's module in the package at the given folder.
  init(_ target: any SourceModuleTarget, in package: URL) {
    self.init(
      name: target.moduleName, folders: [target.directoryURL, package],
      files: target.sourceFiles.map(\.url))
  }
}

extension Command {
  /// The command that runs a step with the compiler `tool`.
  static func compile(_ step: CompileStep, target: String, by tool: URL) -> Command {
    .buildCommand(
      displayName: "Compiling graphql tags of \(target)", executable: tool,
      arguments: step.arguments, inputFiles: step.inputs, outputFiles: step.outputs)
  }
}
