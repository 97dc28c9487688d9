import Foundation
import Testing

@Suite("The command plugin's arguments", .timeLimit(.minutes(1)))
struct CompileArgumentsTests {
  private static let written = #"{"schema": "s.graphql", "artifactDirectory": "out"}"#

  /// A package with a configuration at its root, and four targets.
  private func package() throws -> Folder {
    try Folder([
      "relay.config.json": Self.written, "A/relay.config.json": Self.written,
      "Built/relay.config.json": #"{"schema": "s.graphql"}"#, "Broken/relay.config.json": "{",
    ])
  }

  private func runs(_ arguments: String..., in folder: Folder) throws -> [String] {
    let targets = ["Plain", "Broken", "Built", "A"].map {
      CompileArguments.Target(name: $0, folders: [folder[$0]])
    }
    let runs = try CompileArguments(arguments).runs(for: targets, in: folder.url)
    return runs.map { folder.relative($0).joined(separator: " ") }
  }

  @Test("without a target every configuration with an artifact directory is compiled")
  func every() throws {
    let folder = try package()
    #expect(
      try runs("--validate", in: folder) == [
        "compile --config relay.config.json --validate",
        "compile --config A/relay.config.json --validate",
        "compile --config Broken/relay.config.json --validate",
      ])
  }

  @Test("named targets are compiled with their own configuration, or that beside the package")
  func named() throws {
    let folder = try package()
    #expect(
      try runs("--target", "A", "--strict-schema", "--target=Built", in: folder) == [
        "compile --config A/relay.config.json --strict-schema",
        "compile --config Built/relay.config.json --strict-schema",
      ])
    #expect(
      try runs("--target", "Plain", "--target", "A", "--target", "Plain", in: folder) == [
        "compile --config relay.config.json", "compile --config A/relay.config.json",
      ])
  }

  @Test("a configuration or schema among the arguments is compiled as it is")
  func explicit() throws {
    let folder = try package()
    #expect(try runs("--config", "x.json", in: folder) == ["compile --config x.json"])
    #expect(
      try runs("--schema", "s", "--output", "o", in: folder) == ["compile --schema s --output o"])
  }

  @Test(
    "a request for help is recognized wherever it is, and the help names the command's own options")
  func help() throws {
    #expect(try CompileArguments(["--target", "A", "--help"]).asksForHelp)
    #expect(try CompileArguments(["-h"]).asksForHelp)
    #expect(try !CompileArguments(["--target", "--help", "--validate"]).asksForHelp)
    #expect(CompileArguments.help.contains("[--target NAME]…"))
  }

  @Test("mistakes say what to do")
  func mistakes() throws {
    let folder = try package()
    func message(_ arguments: String..., in folder: Folder) throws -> String? {
      #expect(throws: CompileArguments.Mistake.self) {
        let targets = ["Plain", "Main"].map {
          CompileArguments.Target(name: $0, folders: [folder[$0]])
        }
        _ = try CompileArguments(arguments).runs(for: targets, in: folder.url)
      }?.description
    }
    #expect(
      try message("--target", "App", in: folder)
        == "Unknown target \"App\". The targets are \"Main\", \"Plain\".")
    #expect(try message("--target", in: folder) == "\"--target\" takes the name of a target.")
    #expect(
      try message("--config", "x", "--target", "Plain", in: folder)
        == "\"--target\" finds the configuration; do not name one too.")
    let empty = try Folder(["Plain/notes.txt": ""])
    #expect(
      try message("--target", "Plain", in: empty)
        == "Target \"Plain\" has no relay.config.json in its folder or in \"\(empty.url.path)\".")
    #expect(
      try message(in: empty)
        == "Neither the package nor a target has a relay.config.json with an \"artifactDirectory\"."
    )
  }

  @Test("a target of an Xcode project has its configuration among its files or in its folder")
  func xcode() throws {
    let folder = try Folder([
      "Deep/relay.config.json": Self.written, "App/relay.config.json": Self.written,
    ])
    for (files, place) in [(["Deep/relay.config.json", "App/A.swift"], "Deep"), ([], "App")] {
      let target = CompileArguments.Target(
        xcodeTarget: "App", files: files.map { folder[$0] }, project: folder.url)
      let runs = try CompileArguments([]).runs(for: [target], in: folder.url)
      #expect(runs.map(folder.relative) == [["compile", "--config", place + "/relay.config.json"]])
    }
  }
}
