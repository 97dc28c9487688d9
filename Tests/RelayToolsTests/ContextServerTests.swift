import Foundation
import GraphQLLanguage
import SeededRandom
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler mcp: messages", .timeLimit(.minutes(1)))
struct ContextServerTests {
  private let project: TemporaryProject

  init() throws {
    project = try TemporaryProject(["src/A.graphql": "query A { me { name } }"])
  }

  @Test(
    "the version of the client is taken if it is known, and otherwise the newest",
    arguments: [
      ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"),
      ("2024-11-05", "2024-11-05"),
      ("2099-01-01", "2025-11-25"),
    ])
  func version(asked: String, answered: String) {
    var client = ContextClient(project)
    let answer = client.request("initialize", ["protocolVersion": .string(asked)])
    #expect(answer["result"]["protocolVersion"]?.text == answered)
    #expect(answer["result"]["capabilities"] == ["tools": .object([])])
    #expect(answer["result"]["serverInfo"]["name"] == "relay-compiler")
  }

  @Test("a ping is answered, and a notification, a response and a blank line are not")
  func quiet() {
    var client = ContextClient(project)
    #expect(client.request("ping")?["result"] == .object([]))
    #expect(
      client.send("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n") == [])
    #expect(client.send("{\"jsonrpc\": \"2.0\", \"method\": \"no/such\"}\r\n \r\n\n") == [])
    #expect(client.send("{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}\n") == [])
  }

  @Test(
    "a line that is no request has an error, and the server goes on",
    arguments: [
      ("{", -32700), ("nothing", -32700), ("\"\u{0}\"", -32700), ("{} {}", -32700), ("1", -32600),
      ("[]", -32600), ("{}", -32600), (#"{"jsonrpc": "2.0", "id": 1}"#, -32600),
      (#"{"jsonrpc": "2.0", "id": [], "method": "ping"}"#, -32600),
      (#"{"jsonrpc": "1.0", "id": 1, "method": "ping"}"#, -32600),
      (#"{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}"#, -32601),
      (#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}"#, -32602),
      (#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rm"}}"#, -32602),
    ])
  func errors(line: String, code: Int) {
    var client = ContextClient(project)
    let answers = client.send(line + "\n")
    #expect(answers.count == 1 && answers.first?["error"]?["code"] == .int(code), "\(answers)")
    #expect(client.request("ping")?["result"] != nil)
  }

  @Test(
    "arguments that a tool does not take are results that name them, for the assistant to read",
    arguments: [
      ("search_schema", .object([]), "The argument \"query\" is missing."),
      ("search_schema", ["query": 1], "The argument \"query\" must be a string."),
      ("search_schema", ["query": "a", "limit": 0], "\"limit\" must be an integer from 1 to 200."),
      ("search_schema", ["query": "a", "kinds": ["x"]], "\"kinds\" must be a list of object, "),
      ("search_schema", ["query": "a", "paths": "yes"], "\"paths\" must be a boolean."),
      ("validate", ["pth": "a"], "Unknown argument \"pth\". Did you mean \"path\"?"),
      ("usages", ["symbols": "a"], "Unknown argument \"symbols\". The tool takes \"of\", "),
      ("explain", ["a"], "\"arguments\" is not an object."), ("usages", ["of": nil], "is missing"),
      ("apply_fix", ["line": "1"], "\"line\" must be an integer"),
    ] as [(String, JSON, String)])
  func arguments(tool: String, arguments: JSON, message: String) {
    var client = ContextClient(project)
    let text = client.text(tool, arguments)
    #expect(text.hasPrefix("failed: ") && text.contains(message), "\(text)")
  }

  @Test("a version without a handshake is served, and an unknown one is refused with those known")
  func stateless() {
    var client = ContextClient(project)
    func params(_ version: JSON, _ members: JSON = .object([])) -> JSON {
      members.adding("_meta", ["io.modelcontextprotocol/protocolVersion": version])
    }
    let found = client.request("server/discover", params("2026-07-28"))["result"]
    #expect(found["supportedVersions"] == ["2026-07-28"])
    #expect(found["capabilities"] == ["tools": .object([])] && found["resultType"] == "complete")
    #expect(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "relay-compiler")
    let listed = client.request("tools/list", params("2026-07-28"))["result"]
    #expect(listed["ttlMs"]?.integer ?? -1 >= 0 && listed["cacheScope"] != nil)
    let called = client.request("tools/call", params("2026-07-28", ["name": "validate"]))["result"]
    #expect(called["resultType"] == "complete" && called["content"]?.items.count == 1)
    let refused = client.request("server/discover", params("2031-01-01"))["error"]
    #expect(refused["code"] == -32022 && refused["data"]["requested"] == "2031-01-01")
    #expect(refused["data"]["supported"]?.items.contains("2025-11-25") == true)
    #expect(client.request("server/discover")?["error"]?["code"] == -32601)
  }

  @Test("a batch is answered in the version that has them, and refused in others")
  func batches() {
    let batch = """
      [{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "method": "x"}, 7]

      """
    var client = ContextClient(project)
    #expect(client.send(batch).first?["error"]?["code"] == -32600)
    _ = client.request("initialize", ["protocolVersion": "2025-03-26"])
    let answers = client.send(batch).first?.items ?? []
    #expect(answers.map { $0["id"] } == [1, .null] && answers.last?["error"] != nil)
  }

  @Test("a line above the limit is skipped, however it is received")
  func longLine() {
    var reader = LineReader(limit: 8)
    #expect(reader.append(Array("12345678\n123456789\n12\n".utf8)).count == 3)
    for byte in Array("123456789abcdef".utf8) { #expect(reader.append([byte]) == []) }
    #expect(reader.append(Array("\nnext".utf8)) == [.tooLong])
    #expect(reader.end() == [.text(ContiguousArray("next".utf8))] && reader.end() == [])
    var client = ContextClient(project)
    let text = "\"" + String(repeating: "x", count: LineReader.defaultLimit) + "\"\n"
    let answers = client.send(text)
    #expect(answers.first?["error"]?["code"] == -32700, "\(answers)")
    #expect(client.request("ping")?["result"] != nil)
  }

  @Test("each tool has a title, a description, a schema of its arguments and annotations")
  func tools() {
    var client = ContextClient(project)
    let tools = client.request("tools/list")?["result"]?["tools"]?.items ?? []
    #expect(
      tools.compactMap { $0["name"]?.text } == [
        "search_schema", "validate", "explain", "usages", "apply_fix",
      ])
    for tool in tools {
      #expect((tool["description"]?.text?.count ?? 0) > 100)
      #expect(tool["inputSchema"]?["type"] == "object")
      #expect(tool["inputSchema"]?["additionalProperties"] == false)
      let writes = tool["name"] == "apply_fix"
      #expect(tool["annotations"]?["readOnlyHint"] == .boolean(!writes))
      #expect(tool["annotations"]?["openWorldHint"] == false)
    }
  }

  @Test("random bytes and damaged messages are answered line by line, and never end the server")
  func fuzz() {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    var client = ContextClient(project)
    let seeds = [
      #"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "validate", "arguments": {"document": "query Q { me { nam } }"}}}"#,
      #"{"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": {"name": "usages", "arguments": {"of": "User.name"}}}"#,
      #"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}}"#,
      #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_schema", "arguments": {"query": "User", "paths": true}}}"#,
    ].map { Array($0.utf8) }
    var reached: [Int: Int] = [:]
    for _ in 0..<1_500 {
      var line = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let index = Int.random(in: 0..<line.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: line[index] = UInt8.random(in: 0...255, using: &random)
        case 1: line.removeSubrange(index..<min(line.count, index + 3))
        default: line.insert(contentsOf: line[..<index].suffix(9), at: index)
        }
        if line.isEmpty { line = [0x20] }
      }
      for answer in client.send(line + [0x0A]) {
        let code = answer["error"]?["code"]?.integer
        #expect(answer["jsonrpc"] == "2.0" || !answer.items.isEmpty, "seed \(seed): \(answer)")
        reached[code ?? 0, default: 0] += 1
      }
    }
    #expect(client.request("ping")?["result"] != nil, "seed \(seed)")
    print("Damaged messages: seed \(seed), answers by code \(reached.sorted { $0.key < $1.key })")
    for code in [0, -32700, -32602, -32601] { #expect(reached[code, default: 0] > 0, "\(code)") }
  }
}
