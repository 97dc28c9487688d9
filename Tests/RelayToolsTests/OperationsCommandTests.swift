import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler operations", .timeLimit(.minutes(1)))
struct OperationsCommandTests {
  private let feed = "graphql(\"query Feed { me { name } }\")\n"
  private let text = "query Feed{me{id name}}"
  private let config = """
    {"schema": "schema.graphql", "src": "src", "artifactDirectory": "out", "persistConfig": {"file": "operations.json"}}
    """

  @Test(
    "SHA-256 hashes match the examples of the standard",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func hashes(text: String, hash: String) {
    #expect(SHA256.hexadecimal(text) == hash)
  }

  @Test("generated code has the operation's id, and its text only with includeQueryText")
  func generated() throws {
    let project = try TemporaryProject(["src/Feed.swift": feed, "relay.config.json": config])
    #expect(project.compile().errors == "")
    let id = SHA256.hexadecimal(text)
    let code = try #require(project.read("out/Feed.graphql.swift"))
    #expect(code.contains("id: \"\(id)\",") && !code.contains("text:"))
    let both = config.replacingOccurrences(
      of: "\"operations.json\"", with: "\"operations.json\", \"includeQueryText\": true")
    try project.write(["relay.config.json": both])
    #expect(project.compile().errors == "")
    let withText = try #require(project.read("out/Feed.graphql.swift"))
    #expect(withText.contains("id: \"\(id)\",") && withText.contains("text: \"\(text)\","))
  }

  @Test("generated code without a text lists the variables that the text declares")
  func variables() throws {
    let project = try TemporaryProject([
      "schema.graphql": """
      type Query { me(a: Int, b: Int): User } type User { id: ID! }
      type Mutation { add(name: String): Added } type Added { edge: UserEdge }
      type UserEdge { cursor: String node: User }
      """,
      "src/Feed.swift": """
      graphql("query Feed($b: Int, $a: Int = 1) { me(a: $a, b: $b) { id } }")
      graphql("query Plain { me { id } }")
      graphql("mutation Add($name: String, $to: [ID!]!) { add(name: $name) { edge @appendEdge(connections: $to) { node { id } } } }")
      graphql("mutation Put($to: [ID!]!) { add { edge @appendEdge(connections: $to) { node { id } } } }")
      """,
      "relay.config.json": config,
    ])
    #expect(project.compile().errors == "")
    let code = try #require(project.read("out/Feed.graphql.swift"))
    let plans = code.components(separatedBy: "= OperationPlan(").dropFirst().map { plan in
      plan.split(separator: "\n").prefix { !$0.contains("__variables") }
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(plans.count == 4)
    #expect(plans.first?[2] == #"variables: "b a","#)
    #expect(plans.first?[3].hasPrefix("variableDefaults: ") == true)
    #expect(plans[1].first == #"name: "Plain","# && !plans[1].joined().contains("variables:"))
    #expect(plans[2].contains(#"variables: "name","#) && plans[3].contains(#"variables: "","#))
    let both = config.replacingOccurrences(
      of: "\"operations.json\"", with: "\"operations.json\", \"includeQueryText\": true")
    try project.write(["relay.config.json": both])
    #expect(project.compile().errors == "")
    #expect(project.read("out/Feed.graphql.swift")?.contains("variables: \"") == false)
  }

  @Test("the manifest maps ids to texts and is written to the configured file")
  func relay() throws {
    let project = try TemporaryProject(["src/Feed.swift": feed, "relay.config.json": config])
    #expect(project.run("operations", ["--validate"]).exitCode == .errors)
    #expect(project.read("operations.json") == nil)
    #expect(project.run("operations").output == "1 operation\n")
    #expect(
      project.read("operations.json") == "{\n  \"\(SHA256.hexadecimal(text))\": \"\(text)\"\n}\n")
    #expect(project.run("operations", ["--validate"]).exitCode == .success)
    #expect(project.read("out/Feed.graphql.swift") == nil)
  }

  @Test("Apollo's format lists ids, names, kinds and texts, and is printed without a file")
  func apollo() throws {
    let project = try TemporaryProject(["src/Feed.swift": feed])
    let result = project.run("operations", ["--format", "apollo"])
    #expect(result.exitCode == .success)
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    #expect(json?["format"] as? String == "apollo-persisted-query-manifest")
    #expect(json?["version"] as? Int == 1)
    let operation = (json?["operations"] as? [[String: String]])?.first
    #expect(
      operation == [
        "id": SHA256.hexadecimal(text), "name": "Feed", "type": "query", "body": text,
      ])
  }

  @Test("--validate without a file to check is an error that says what to set")
  func validateWithoutFile() throws {
    let project = try TemporaryProject(["src/Feed.swift": feed])
    for arguments in [["--validate"], ["--format", "apollo", "--validate"]] {
      let result = project.run("operations", arguments)
      #expect(result.exitCode == .usage && result.output == "")
      #expect(
        result.errors.hasPrefix(
          "error: \"--validate\" has no file to check. Set \"file\" of \"persistConfig\" in "
            + "relay.config.json, or name one with --output.\n"))
    }
    let path = project.folder.path + "/manifest.json"
    #expect(project.run("operations", ["--validate", "--output", path]).exitCode == .errors)
    #expect(project.run("operations", ["--output", path]).exitCode == .success)
    #expect(project.run("operations", ["--validate", "--output", path]).exitCode == .success)
  }

  @Test(
    "an unsupported persistConfig is rejected with a message",
    arguments: [
      (#"{"url": "http://localhost"}"#, "\"relay-compiler operations\" writes"),
      (#"{"file": "a.json", "algorithm": "MD5"}"#, "the compiler only supports SHA256"),
    ])
  func refused(persistConfig: String, message: String) throws {
    let project = try TemporaryProject([
      "relay.config.json": #"{"schema": "schema.graphql", "persistConfig": \#(persistConfig)}"#
    ])
    let result = project.run("operations")
    #expect(result.exitCode == .usage && result.errors.contains(message), "\(result.errors)")
  }

  @Test("fileNamePrefix requires definitions to be named after their file")
  func prefix() throws {
    let config = config.replacingOccurrences(
      of: "\"src\":", with: "\"fileNamePrefix\": true, \"src\":")
    let project = try TemporaryProject([
      "relay.config.json": config,
      "src/my-feed.swift":
        "graphql(\"query myFeedQuery { me { ...myFeed_user } } fragment myFeed_user on User { id }\")",
    ])
    #expect(project.compile().errors == "")
    try project.write(["src/Feed.swift": "graphql(\"query Other { me { id } }\")"])
    #expect(
      project.compile().errors.contains(
        "src/Feed.swift:1:16: error: Operation \"Other\" in \"Feed.swift\" must be called \"FeedQuery\""
      ))
    try project.write(["src/Feed.swift": "graphql(\"fragment Feeds on User { id }\")"])
    #expect(project.compile().errors.contains("must be called \"Feed\" or \"Feed_<name>\""))
  }
}
