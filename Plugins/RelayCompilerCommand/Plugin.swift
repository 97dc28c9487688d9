import Foundation
import PackagePlugin

/// The command `relay-compile`, for packages that commit the generated code.
///
/// It compiles the documents of all the package's configurations, or of selected targets:
///
///     swift package --allow-writing-to-package-directory relay-compile
///     swift package --allow-writing-to-package-directory relay-compile --target App --target Cards
@main
struct RelayCompilerCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let targets = context.package.targets.compactMap(\.sourceModule).map {
      CompileArguments.Target(name: $0.name, folders: [$0.directoryURL])
    }
    try Self.compile(
      targets, arguments: arguments, in: context.package.directoryURL,
      by: try context.tool(named: "relay-compile").url)
  }

  /// Runs the compiler in the folder of the package or project, and reports failures.
  static func compile(
    _ targets: [CompileArguments.Target], arguments: [String], in root: URL, by tool: URL
  ) throws {
    let runs: [[String]]
    do {
      let own = try CompileArguments(arguments)
      if own.asksForHelp { return print(CompileArguments.help) }
      runs = try own.runs(for: targets, in: root)
    } catch let mistake as CompileArguments.Mistake {
      return Diagnostics.error(mistake.description)
    }
    for arguments in runs {
      let process = Process()
      process.executableURL = tool
      process.currentDirectoryURL = root
      process.arguments = arguments
      try process.run()
      process.waitUntilExit()
      let command = "relay-compiler " + arguments.joined(separator: " ")
      switch (process.terminationReason, process.terminationStatus) {
      case (.exit, 0): continue
      case (.exit, 1): Diagnostics.error("\(command) found errors.")
      case (.exit, 2):
        // Wrong arguments would fail for the other configurations too.
        return Diagnostics.error(
          "\(command) did not run: its arguments or the configuration are wrong, or a file cannot be "
            + "read or written. See the message above.")
      default: Diagnostics.error("\(command) failed.")
      }
    }
  }
}
