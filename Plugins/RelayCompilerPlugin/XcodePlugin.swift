#if canImport(XcodeProjectPlugin)
  import Foundation
  import PackagePlugin
  import XcodeProjectPlugin

  /// The plugin for targets of an Xcode project. See Docs/Editors.md.
  extension RelayCompilerPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let module = Module(
        xcodeTarget: target.displayName, product: target.product?.name,
        files: target.inputFiles.map(\.url), project: context.xcodeProject.directoryURL)
      // Xcode does not tell plugins a target's dependencies. The configuration's "modules" does.
      guard let step = CompileStep(module, imports: [], output: context.pluginWorkDirectoryURL)
      else {
        Diagnostics.error(
          "Target \"\(target.displayName)\" uses the plugin of relay-compiler and has no schema. "
            + "Put schema.graphql or relay.config.json into a folder with the target's name, next "
            + "to the Xcode project, or add it to the target's files.")
        return []
      }
      return [
        .compile(
          step, target: target.displayName, by: try context.tool(named: "relay-compile").url)
      ]
    }
  }
#endif
