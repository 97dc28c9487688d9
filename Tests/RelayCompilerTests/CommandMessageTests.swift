import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler

@Suite("Messages about files and the configuration", .timeLimit(.minutes(10)))
struct CommandMessageTests {
  @Test(
    "without a configuration each command says what it takes instead",
    arguments: [
      (["compile"], ", or a schema with --schema."), (["watch"], ", or a schema with --schema."),
      (["validate"], ", or a schema with --schema."), (["format"], ", or the files to format."),
      (["explain", "A"], "."), (["unused"], "."), (["operations"], "."),
    ])
  func noConfiguration(arguments: [String], rest: String) {
    let result = runRelayCompiler(arguments)
    #expect(result.exitCode == .usage)
    #expect(
      result.errors == "error: There is no relay.config.json here. Name one with --config\(rest)\n")
  }
}
