import Foundation
import RelayCompiler
import RelayTools
import Testing

/// A Swift package in a temporary folder. Its targets are the folders of `Sources`.
struct ExamplePackage {
  private let folder: Folder
  private let paths: [String]
  private let dependencies: [String: [String]]

  /// - Parameter dependencies: The targets that a target names as its dependencies.
  init(_ files: [String: String], dependencies: [String: [String]]) throws {
    self.dependencies = dependencies
    paths = files.keys.sorted()
    let targets = Set(paths.filter { $0.hasPrefix("Sources/") }.map { $0.split(separator: "/")[1] })
    let declarations = targets.sorted().map {
      ".target(name: \"\($0)\", dependencies: \(dependencies[String($0)] ?? []))"
    }
    let manifest = """
      // swift-tools-version: 6.1
      import PackageDescription
      let package = Package(name: "Shop", targets: [\(declarations.joined(separator: ", "))])
      """
    folder = try Folder(files.merging(["Package.swift": manifest]) { $1 })
  }

  var configuredTargets: [String] {
    paths.filter { $0.hasPrefix("Sources/") && $0.hasSuffix("/relay.config.json") }
      .map { String($0.split(separator: "/")[1]) }
  }

  /// Compiles a target as the build plugin does. Returns its errors and warnings.
  func build(_ target: String) throws -> [String] {
    let step = try #require(
      CompileStep(
        module(target), imports: closure(of: target).map(module), output: folder["out/\(target)"]))
    return diagnostics(runCompile(step.arguments))
  }

  /// Validates a target's configuration. Returns the errors and warnings.
  func validate(_ target: String) -> [String] {
    diagnostics(
      runRelayCompiler([
        "validate", "--config", folder["Sources/\(target)/relay.config.json"].path,
      ]))
  }

  private func module(_ target: String) -> Module {
    let own = paths.filter { $0.hasPrefix("Sources/\(target)/") }
    return Module(
      name: target, folders: [folder["Sources/\(target)"], folder.url],
      files: own.map { folder[$0] }
    )
  }

  /// Returns the targets that a target depends on, dependencies first, as SwiftPM lists them.
  private func closure(of target: String) -> [String] {
    (dependencies[target] ?? []).reduce(into: []) { found, next in
      for name in closure(of: next) + [next] where !found.contains(name) { found.append(name) }
    }
  }

  /// Returns the sorted lines of errors and warnings, with paths in `Sources`.
  private func diagnostics(_ result: CommandResult) -> [String] {
    result.errors.replacing(folder.url.path + "/Sources/", with: "").split(separator: "\n")
      .filter { $0.contains(": error: ") || $0.contains(": warning: ") || $0.hasPrefix("error: ") }
      .map(String.init).sorted()
  }
}
