#if canImport(XcodeProjectPlugin)
  import Foundation
  import PackagePlugin
  import XcodeProjectPlugin

  /// The command for targets of an Xcode project; Xcode passes them with `--target`.
  extension RelayCompilerCommand: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      let root = context.xcodeProject.directoryURL
      let targets = context.xcodeProject.targets.map { target in
        CompileArguments.Target(
          xcodeTarget: target.displayName, files: target.inputFiles.map(\.url), project: root)
      }
      try Self.compile(
        targets, arguments: arguments, in: root, by: try context.tool(named: "relay-compile").url)
    }
  }
#endif
