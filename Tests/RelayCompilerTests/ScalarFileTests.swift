import Foundation
import Testing

@testable import RelayCompiler

@Suite("CustomScalars/<Name>.swift", .timeLimit(.minutes(1)))
struct ScalarFileTests {
  private let schema = """
    "An instant." scalar Moment scalar Code scalar Unused input In { code: Code }
    type Query { at: Moment find(in: In, at: Moment): Int }
    """

  @Test("the command makes a file for each scalar that a field, variable or input refers to")
  func made() throws {
    let project = try TemporaryProject([
      "schema.graphql": schema, "src/A.swift": "graphql(\"query A($in: In) { at find(in: $in) }\")",
    ])
    let missing = Project.shownPath(
      project.folder.appendingPathComponent("CustomScalars/Code.swift"))
    #expect(project.compile("--validate").errors.contains("  \(missing)\n"))
    let result = project.compile()
    #expect(result.errors == "" && result.exitCode == .success)
    let folder = Project.shownPath(project.folder) + "/CustomScalars"
    #expect(
      result.output == "\(folder)/Code.swift\n\(folder)/Moment.swift\nA.graphql.swift\n"
        + "Schema.graphql.swift\n4 files, 4 changed\n")
    let moment = try #require(project.read("CustomScalars/Moment.swift"))
    #expect(!moment.hasPrefix(OutputDirectory.header))
    #expect(
      moment.contains(
        "extension Schema {\n  /// An instant.\n  public typealias Moment = Swift.String\n}\n"))
    #expect(project.read("CustomScalars/Unused.swift") == nil)
    let shared = try #require(project.read("out/Schema.graphql.swift"))
    #expect(!shared.contains("typealias") && shared.contains("\"Moment\": Moment.self"))
    #expect(project.compile("--validate").exitCode == .success)
  }

  @Test("scalar files that are made among the sources leave the output up to date")
  func amongSources() throws {
    let project = try TemporaryProject([
      "schema.graphql": schema, "src/A.swift": "graphql(\"query A { at }\")",
      "relay.config.json":
        #"{"schema": "schema.graphql", "src": "src", "artifactDirectory": "src/out"}"#,
    ])
    #expect(project.compile().exitCode == .success)
    #expect(project.read("src/CustomScalars/Moment.swift") != nil)
    #expect(project.compile("--validate") == CommandResult(.success))
    #expect(project.compile().output == "2 files, 0 changed\n")
    let used = "graphql(\"query B { at }\")"
    try project.write(["src/CustomScalars/Moment.swift": used])
    #expect(project.compile().exitCode == .success)
    #expect(project.read("src/out/Moment.graphql.swift")?.contains("struct BQuery") == true)
  }

  @Test("an existing scalar file is never overwritten or removed")
  func kept() throws {
    let project = try TemporaryProject([
      "schema.graphql": schema, "src/A.swift": "graphql(\"query A { at }\")",
    ])
    _ = project.compile()
    try project.write(["CustomScalars/Moment.swift": "// mine"])
    #expect(project.compile().output == "2 files, 0 changed\n")
    #expect(project.read("CustomScalars/Moment.swift") == "// mine")
    try project.write(["src/A.swift": ""])
    #expect(project.compile().exitCode == .success)
    #expect(project.read("CustomScalars/Moment.swift") == "// mine")
    #expect(project.read("out/Schema.graphql.swift")?.contains("enum Schema {\n") == true)
  }

  @Test("a CustomScalars folder inside the artifact directory is an error and is left unchanged")
  func inside() throws {
    let project = try TemporaryProject([
      "schema.graphql": schema, "src/A.swift": "graphql(\"query A { at }\")",
      "out/CustomScalars/Moment.swift": "// mine",
    ])
    let result = project.compile()
    #expect(result.exitCode == .usage)
    #expect(
      result.errors.contains("Move the folder to ") && result.errors.contains("/CustomScalars\"."))
    #expect(project.read("out/CustomScalars/Moment.swift") == "// mine")
    #expect(project.read("out/A.graphql.swift") == nil)
    #expect(project.compile("--validate").exitCode == .usage)
    try project.write(["CustomScalars/Moment.swift": "// mine"])
    try FileManager.default.removeItem(
      at: project.folder.appendingPathComponent("out/CustomScalars"))
    #expect(project.compile().exitCode == .success)
    #expect(project.read("CustomScalars/Moment.swift") == "// mine")
  }

  @Test("a scalar file anywhere among the sources declares the scalar")
  func found() throws {
    let project = try TemporaryProject([
      "schema.graphql": schema, "src/A.swift": "graphql(\"query A { at }\")",
      "src/Model/CustomScalars/Moment.swift":
        "extension Schema { public typealias Moment = Int }",
    ])
    #expect(project.compile().errors == "")
    #expect(project.read("CustomScalars/Moment.swift") == nil)
    #expect(project.read("out/Schema.graphql.swift")?.contains("typealias") == false)
  }

  @Test("a scalar in customScalarTypes gets no file, and having both is an error")
  func both() throws {
    let project = try TemporaryProject([
      "schema.graphql": schema, "src/A.swift": "graphql(\"query A { at }\")",
      "relay.config.json": """
      {"schema": "schema.graphql", "src": "src", "artifactDirectory": "out", "customScalarTypes": {"Moment": "Int"}}
      """,
    ])
    #expect(project.compile().exitCode == .success)
    #expect(project.read("CustomScalars/Moment.swift") == nil)
    try project.write(["src/CustomScalars/Moment.swift": ""])
    let result = project.compile()
    #expect(result.exitCode == .usage && result.errors.contains("Remove one of them."))
  }

  @Test("a default value without a Swift literal is left to the server and the store")
  func defaults() throws {
    let project = try TemporaryProject([
      "schema.graphql": schema,
      "src/A.swift":
        "graphql(\"query A($at: Moment! = \\\"now\\\", $in: In = {code: 1}) { find(in: $in, at: $at) }\")",
    ])
    #expect(project.compile().errors == "")
    let text = try #require(project.read("out/A.graphql.swift"))
    // The variable can be omitted, but cannot be null.
    #expect(text.contains("at: Schema.Moment? = nil"))
    #expect(text.contains("`in`: GraphQLNullable<In> = .none"))
    #expect(text.contains(##"variableDefaults: #"{"at":"now","in":{"code":1}}"#"##))
  }

  @Test("in a plugin build an undeclared scalar is a String, and no file is made")
  func plugin() throws {
    let project = try TemporaryProject([
      "schema.graphql": schema, "src/A.swift": "graphql(\"query A { at }\")",
    ])
    let output = project.folder.appendingPathComponent("plugin").path
    let source = project.folder.appendingPathComponent("src/A.swift").path
    let result = project.compile("--output", output, "--file", source, "A.graphql.swift")
    #expect(result.errors == "")
    #expect(project.read("CustomScalars/Moment.swift") == nil)
    #expect(
      project.read("plugin/Schema.graphql.swift")?.contains("typealias Moment = String") == true)
  }

  @Test("of two scalars whose names differ only in case, one gets a file")
  func cases() throws {
    let project = try TemporaryProject([
      "schema.graphql": "scalar Date scalar DATE type Query { a: Date b: DATE }",
      "src/A.swift": "graphql(\"query A { a b }\")",
    ])
    #expect(project.compile().errors == "")
    #expect(project.read("CustomScalars/DATE.swift") != nil)
    #expect(
      project.read("out/Schema.graphql.swift")?.contains("typealias Date = String") == true)
  }
}
