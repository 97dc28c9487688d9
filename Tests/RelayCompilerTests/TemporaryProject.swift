import Foundation
import RelayCompiler

/// A project in a temporary folder. The folder is removed when the object is deinitialized.
final class TemporaryProject {
  let folder: URL

  init(_ files: [String: String]) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("relay-compiler-\(UInt64.random(in: 0 ... .max))")
    try write([
      "schema.graphql": "type Query { me: User } type User { id: ID! name: String! }",
      "relay.config.json":
        #"{"schema": "schema.graphql", "src": "src", "artifactDirectory": "out"}"#,
    ])
    try write(files)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ files: [String: String]) throws {
    for (name, text) in files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }

  func read(_ name: String) -> String? {
    try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
  }

  /// The path of the configuration.
  var configuration: String { folder.appendingPathComponent("relay.config.json").path }

  func compile(_ arguments: String...) -> CommandResult {
    runCompile(["compile", "--config", configuration] + arguments)
  }
}
