import Foundation
import PackagePlugin

/// The command `relay-compile`, for packages that commit the generated code.
///
/// It compiles the documents that the package's `relay.config.json` names:
///
///     swift package --allow-writing-to-package-directory relay-compile
@main
struct RelayCompilerCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let tool = try context.tool(named: "relay-compiler")
    let process = Process()
    process.executableURL = tool.url
    process.currentDirectoryURL = context.package.directoryURL
    process.arguments = ["compile"] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      Diagnostics.error("relay-compiler found errors.")
      return
    }
  }
}
