import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Apollo's codegen configuration", .timeLimit(.minutes(1)))
struct ApolloConfigurationTests {
  private static let input =
    "\"input\": {\"schemaSearchPaths\": [\"s\"], \"operationSearchPaths\": [\"o\"]}"

  @Test(
    "what is wrong in the file is an error with its place and key",
    arguments: [
      ("{", "1:2: error: Expected a member name."),
      ("{\"a\": 1,,}", "1:9: error: Expected a member name."),
      ("[]", "1:1: error: The file is a list; it must be an object."),
      ("{}", "1:1: error: The file has no \"schemaNamespace\"."),
      (
        "{\n \"schemaNamespace\": 3}",
        "2:2: error: \"schemaNamespace\" is a number; it must be a string."
      ),
      ("{\"schemaNamespace\": \"A\"}", "1:1: error: The file has no \"input\"."),
      (
        "{\"schemaNamespace\": \"A\", \"input\": {\"a\": 1,\n\"a\": 2}}",
        "2:1: error: \"input.a\" is given twice; the other is on line 1. Remove one of them."
      ),
      (
        "{\"schemaNamespace\": \"A\", \"input\": []}",
        "1:26: error: \"input\" is a list; it must be an object."
      ),
      (
        "{\"schemaNamespace\": \"A\", \"input\": {\"schemaSearchPaths\": [\"a\",\n 4]}}",
        "2:2: error: \"input.schemaSearchPaths[1]\" is a number; it must be a string."
      ),
      (
        "{\"schemaNamespace\": \"A\", \"input\": {\"schemaSearchPaths\": []}}",
        "1:36: error: \"input.schemaSearchPaths\" has no pattern."
      ),
      (
        "{\"schemaNamespace\": \"A\", \(input),\n\"options\": {\"conversionStrategies\": {\"enumCases\": \"x\"}}}",
        "2:38: error: \"options.conversionStrategies.enumCases\" is \"x\"; Apollo knows camelCase, none."
      ),
      (
        "{\"schemaNamespace\": \"A\", \(input),\n\"options\": {\"pruneGeneratedFiles\": \"no\"}}",
        "2:13: error: \"options.pruneGeneratedFiles\" is a string; it must be true or false."
      ),
      (
        "{\"schemaNamespace\": \"A\", \(input),\n\"output\": {\"operations\": {\"relative\": {\"accessModifier\": \"open\"}}}}",
        "2:40: error: \"output.operations.relative.accessModifier\" is \"open\"; Apollo knows public, internal."
      ),
      (
        "{\"schemaNamespace\": \"A\", \(input),\n\"options\": {\"selectionSetInitializers\": {\"operations\": 1}}}",
        "2:42: error: \"options.selectionSetInitializers.operations\" is a number; it must be true or false."
      ),
      (
        "{\"schemaNamespace\": \"A\", \(input),\n\"output\": {\"testMocks\": {\"absolute\": {\"path\": []}}}}",
        "2:39: error: \"output.testMocks.absolute.path\" is a list; it must be a string."
      ),
      (
        "{\"schemaNamespace\": \"A\", \(input),\n\"schemaDownload\": {\"downloadTimeout\": \"1\"}}",
        "2:20: error: \"schemaDownload.downloadTimeout\" is a string; it must be a number."
      ),
      (
        "{\"schemaNamespace\": \"A\", \(input),\n\"schemaDownload\": {\"headers\": [{\"value\": \"x\"}]}}",
        "2:32: error: \"schemaDownload.headers[0]\" has no \"key\"."
      ),
    ])
  func errors(text: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try ApolloConfiguration(Source(path: "c.json", text), named: "c.json")
    }
    #expect(error?.description == "c.json:\(message)")
  }

  @Test("a file that nests too deeply is an error, not a crash")
  func depth() {
    let text = String(repeating: "[", count: 100_000)
    let error = #expect(throws: ConfigurationError.self) {
      try LocatedJSON(Source(path: "c.json", text))
    }
    #expect(error?.description == "c.json:1:257: error: The JSON nests too deeply.")
  }

  @Test("names with escapes and repeated names do not confuse the places of others")
  func places() throws {
    let json = try LocatedJSON(
      Source(
        path: "c.json", "{\"a\\\"b\": {\"x\": [1, {\"y\": 2}]},\n\"c\": {\"x\": [\n{}, \"d\"]}}"))
    #expect(json["c"]?.line == 2)
    #expect(try json["c"]?["x"]?.elements().map(\.line) == [3, 3])
  }

  @Test(
    "the wider access of schema types and operations is that of all generated code",
    arguments: [
      ("{\"embeddedInTarget\": {\"name\": \"A\"}}", "{\"inSchemaModule\": {}}", "internal"),
      ("{\"embeddedInTarget\": {\"name\": \"A\"}}", "{\"relative\": {}}", "public"),
      ("{\"swiftPackage\": {}}", "{\"inSchemaModule\": {}}", "public"),
    ])
  func access(types: String, operations: String, level: String) throws {
    let text =
      "{\"schemaNamespace\": \"A\", \(Self.input), \"output\": {\"schemaTypes\": {\"moduleType\": \(types)}, \"operations\": \(operations)}}"
    let configuration = try ApolloConfiguration(Source(path: "c.json", text), named: "c.json")
    #expect(configuration.accessLevel == level)
  }

  @Test(
    "the document format says whether operations have ids and texts",
    arguments: [
      ("\"operationDocumentFormat\": [\"definition\"]", false, true),
      ("\"operationDocumentFormat\": [\"operationId\"]", true, false),
      ("\"operationDocumentFormat\": [\"definition\", \"operationId\"]", true, true),
      ("\"apqs\": \"automaticallyPersist\"", true, true),
      ("\"apqs\": \"persistedOperationsOnly\"", true, false),
    ])
  func documentFormat(option: String, hasIDs: Bool, hasTexts: Bool) throws {
    let text = "{\"schemaNamespace\": \"A\", \(Self.input), \"options\": {\(option)}}"
    let configuration = try ApolloConfiguration(Source(path: "c.json", text), named: "c.json")
    #expect(configuration.documentFormat == (hasIDs, hasTexts))
  }

  @Test("options of Apollo iOS 2 are known by name")
  func options2() throws {
    let text =
      "{\"schemaNamespace\": \"A\", \(Self.input), \"options\": {\"markTypesNonisolated\": true, "
      + "\"additionalCapitalizationRules\": [{\"term\": {\"string\": \"id\"}}], \"other\": 1}}"
    let notes = try ApolloConfiguration(Source(path: "c", text), named: "c").notes
      .filter { $0.subject.hasPrefix("options.") }
    #expect(notes.map(\.kind) == [.mapped, .manual, .manual])
    let unknown = notes.filter { $0.text.hasPrefix("This key is not one of Apollo iOS 1 or 2") }
    #expect(unknown.map(\.subject) == ["options.other: 1"])
  }
}
