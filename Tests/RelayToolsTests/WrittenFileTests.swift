import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("The files that commands write", .timeLimit(.minutes(1)))
struct WrittenFileTests {
  private func project() throws -> TemporaryProject {
    try TemporaryProject(["src/Feed.graphql": "query Feed { me { name } }", "none/README": ""])
  }

  /// Runs each command that writes a file named in an argument or the configuration.
  private func writers(
    _ body: (_ write: (TemporaryProject, _ path: String) -> CommandResult, _ name: String) throws
      -> Void
  ) throws {
    let introspection = try introspection()
    let server = try StubHTTPServer { _ in (200, introspection) }
    try body({ $0.run("operations", ["--output", $1]) }, "operations --output")
    try body(
      { _, path in
        runRelayCompiler(["schema", "download", "--output", path, server.url])
      }, "schema download --output")
    try body(
      { project, path in
        let text = """
          {"schema": "schema.graphql", "src": "src", "persistConfig": {"file": "\(path)"}}
          """
        guard (try? project.write(["relay.config.json": text])) != nil else {
          return CommandResult(.usage)
        }
        return project.run("operations")
      }, "persistConfig")
  }

  private func introspection() throws -> String {
    """
    {"data": {"__schema": {"queryType": {"name": "Query"}, "directives": [], "types": [
      {"kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [{"name": "a", "args": [],
        "type": {"kind": "SCALAR", "name": "Int"}}]}, {"kind": "SCALAR", "name": "Int"}]}}}
    """
  }

  @Test("the target of a link is written, the link stays, and permissions stay")
  func links() throws {
    try writers { write, name in
      let project = try project()
      let manager = FileManager.default
      try project.write(["real/file.json": "old"])
      let path = project.folder.path + "/"
      try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path + "real/file.json")
      try manager.createSymbolicLink(
        atPath: path + "link.json", withDestinationPath: "real/inner.json")
      try manager.createSymbolicLink(
        atPath: path + "real/inner.json", withDestinationPath: "file.json")
      let result = write(project, path + "link.json")
      #expect(result.exitCode == .success, "\(name): \(result.errors)")
      for (link, target) in [("link", "real/inner.json"), ("real/inner", "file.json")] {
        let found = try? manager.destinationOfSymbolicLink(atPath: path + link + ".json")
        #expect(found == target, "\(name)")
      }
      #expect(project.read("real/file.json")?.contains("query") ?? false || name.contains("schema"))
      #expect(project.read("real/file.json") != "old", "\(name)")
      let mode = try manager.attributesOfItem(atPath: path + "real/file.json")[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o640, "\(name)")
      try manager.removeItem(atPath: path + "real/file.json")
      #expect(write(project, path + "link.json").exitCode == .success, "\(name)")
      #expect(project.read("real/file.json") != nil, "\(name)")
      let left = try manager.contentsOfDirectory(atPath: path + "real").sorted()
      #expect(left == ["file.json", "inner.json"])
    }
  }

  @Test("a link to itself, and a folder, are errors and stay")
  func refused() throws {
    try writers { write, name in
      let project = try project()
      let path = project.folder.path + "/loop.json"
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "loop.json")
      #expect(write(project, path).exitCode == .usage, "\(name)")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "loop.json")
      let folder = write(project, project.folder.path + "/none")
      #expect(
        folder.exitCode == .usage && folder.errors.contains("Is a directory"), "\(folder.errors)")
    }
  }

  @Test("a pipe is written into and stays one")
  func pipes() throws {
    try writers { write, name in
      let project = try project()
      let path = project.folder.path + "/pipe"
      #expect(mkfifo(path, 0o600) == 0)
      let reader = Process()
      let output = Pipe()
      reader.executableURL = URL(filePath: "/bin/cat")
      reader.arguments = [path]
      reader.standardOutput = output
      try reader.run()
      // Otherwise the reader would wait forever.
      defer { reader.terminate() }
      let result = write(project, path)
      #expect(result.exitCode == .success, "\(name): \(result.errors)")
      var status = stat()
      let isPipe = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
      #expect(isPipe, "\(name)")
      guard isPipe else { return }
      #expect(!output.fileHandleForReading.readDataToEndOfFile().isEmpty, "\(name)")
    }
  }

  @Test("a descriptor's name means the descriptor, and what else is written there stays")
  func descriptors() throws {
    for path in ["/dev/stdout", "/dev/fd/1"] {
      let project = try project()
      try project.write(["log": "first\n"])
      let result = try BuiltProgram.run(
        ["operations", "--output", path], ">>log", in: project.folder)
      #expect(result.code == 0, "\(result.errors)")
      let text = try #require(project.read("log"))
      #expect(text.hasPrefix("first\n{\n") && text.hasSuffix("}\n1 operation\n"), "\(text)")
    }
  }

  @Test("a generated file that is a link stays one")
  func generatedLink() throws {
    let project = try project()
    #expect(project.compile().exitCode == .success)
    let path = project.folder.path
    try FileManager.default.moveItem(
      atPath: path + "/out/Feed.graphql.swift", toPath: path + "/Moved.swift")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/out/Feed.graphql.swift", withDestinationPath: "../Moved.swift")
    try project.write(["src/Feed.graphql": "query Feed { me { id } }"])
    #expect(project.compile().exitCode == .success)
    let link = try? FileManager.default.destinationOfSymbolicLink(
      atPath: path + "/out/Feed.graphql.swift")
    #expect(link == "../Moved.swift")
    #expect(project.read("Moved.swift")?.contains("var name") == false)
  }
}
