import Foundation
import Testing

@testable import RelayCompiler

@Suite("relay-compiler validate", .timeLimit(.minutes(10)))
struct ValidateCommandTests {
  @Test("fields that fragment arguments make differ are reported as compile does, once")
  func conflicts() throws {
    let project = try TemporaryProject([
      "schema.graphql": "type Query { me: User } type User { id: ID! name(length: Int): String }",
      "src/Feed.graphql": """
      query Feed { me { ...Name @arguments(length: 1) ...Other } }
      fragment Name on User @argumentDefinitions(length: {type: "Int"}) { name(length: $length) }
      fragment Other on User { name(length: 2) }
      """,
    ])
    let files = ["schema.graphql", "src/Feed.graphql"]
      .map { project.folder.appendingPathComponent($0).path }
    let validated = runRelayCompiler(["validate", "--schema", files[0], files[1]])
    let compiled = project.compile()
    let message = "because fragments with different arguments give them differing arguments"
    for result in [validated, compiled] {
      let text = result.output + result.errors
      #expect(text.components(separatedBy: message).count == 2, "\(text)")
    }
    let specified = runRelayCompiler(["validate", "--spec", "--schema", files[0], files[1]])
    #expect(!(specified.output + specified.errors).contains(message))
  }
}
