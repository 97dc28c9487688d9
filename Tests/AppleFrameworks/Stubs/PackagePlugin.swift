// The declarations of SwiftPM's PackagePlugin that the plugins use, from Sources/PackagePlugin of
// SwiftPM 6.3: the toolchain has no textual interface for it. `swift build` compiles against the
// real one. The bodies are stubs.

@_exported public import Foundation

public protocol Plugin {
  init()
}

extension Plugin {
  public static func main() throws {}
}

public protocol BuildToolPlugin: Plugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command]
}

public protocol CommandPlugin: Plugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws
}

public struct PluginContext {
  public struct Tool {
    public let name: String
    public let url: URL
  }

  public let package: Package
  public let pluginWorkDirectoryURL: URL
  public func tool(named name: String) throws -> Tool { throw CancellationError() }
}

public struct Package {
  public let id: String
  public let displayName: String
  public let directoryURL: URL
  public let targets: [any Target]
  public let dependencies: [PackageDependency]
}

public struct PackageDependency {
  public let package: Package
}

public protocol Target {
  var id: String { get }
  var name: String { get }
  var directoryURL: URL { get }
  var dependencies: [TargetDependency] { get }
}

extension Target {
  public var sourceModule: (any SourceModuleTarget)? { self as? any SourceModuleTarget }
  public var recursiveTargetDependencies: [any Target] { [] }
}

public enum TargetDependency {
  case target(any Target)
}

public protocol SourceModuleTarget: Target {
  var moduleName: String { get }
  var sourceFiles: FileList { get }
}

public struct FileList: Sequence {
  public func makeIterator() -> IndexingIterator<[File]> { [].makeIterator() }
}

public struct File {
  public let url: URL
}

public enum Command {
  case buildCommand(
    displayName: String?, executable: URL, arguments: [String], environment: [String: String] = [:],
    inputFiles: [URL] = [], outputFiles: [URL] = [])
}

public enum Diagnostics {
  public static func error(_ message: String, file: String? = #file, line: Int? = #line) {}
  public static func warning(_ message: String, file: String? = #file, line: Int? = #line) {}
}
