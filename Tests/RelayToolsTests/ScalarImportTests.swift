import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Imports of the modules of scalars", .timeLimit(.minutes(1)))
struct ScalarImportTests {
  @Test(
    "a module does not import itself for a scalar of the configuration that it shares",
    arguments: [("Geo", false), ("App", true)])
  func ownModule(module: String, isImported: Bool) throws {
    let project = try TemporaryProject([
      "schema.graphql": "scalar Point type Query { at: Point }",
      "relay.config.json":
        #"""
      {"schema": "schema.graphql", "src": "src", "artifactDirectory": "out",
       "module": "\#(module)", "customScalarTypes": {"Point": "Geo.Point"}}
      """#,
      "src/At.swift": #"let q = graphql("query AtQuery { at }")"#,
    ])
    #expect(project.compile().errors == "")
    let shared = try #require(project.read("out/Schema.graphql.swift"))
    #expect(shared.contains("public import Geo\n") == isImported)
    #expect(shared.contains("Geo.Point"))
  }
}
