import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Downloading a schema", .timeLimit(.minutes(1)))
struct SchemaDownloadTests {
  private static let schema = """
    {"data":{"__schema":{"queryType":{"name":"Query"},"directives":[],"types":[{"kind":"OBJECT","name":"Query",
    "fields":[{"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]}]}}}
    """
  private static let refusal = #"{"errors":[{"message":"Cannot query field \"isOneOf\"."}]}"#

  /// Downloads a schema from a server that responds with `response`.
  ///
  /// - Returns: The result of the command, and the number of requests that it sent.
  private func download(
    _ response: @escaping @Sendable (_ selectsNewFields: Bool) -> (status: Int, body: String)
  ) throws -> (result: CommandResult, requests: Int) {
    let count = RequestCount()
    let server = try StubHTTPServer { request in
      count.add()
      return response(request.contains("isOneOf"))
    }
    defer { server.stop() }
    let result = runRelayCompiler(["schema", "download", server.url])
    return (result, count.value)
  }

  /// `@unchecked Sendable`: `count` is used only under the lock.
  private final class RequestCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func add() { lock.withLock { count += 1 } }
  }

  @Test("the downloaded schema is printed as SDL")
  func prints() throws {
    let (result, requests) = try download { _ in (200, Self.schema) }
    #expect(result.exitCode == .success && requests == 1)
    #expect(result.output == "type Query {\n  a: Int\n}\n")
  }

  @Test(
    "if a server does not support the newest introspection fields, a second request omits them",
    arguments: [200, 400, 422, 500])
  func older(status: Int) throws {
    let (result, requests) = try download { isNew in
      isNew ? (status, Self.refusal) : (200, Self.schema)
    }
    #expect(result.exitCode == .success && requests == 2)
    #expect(result.output == "type Query {\n  a: Int\n}\n")
  }

  @Test("a refusal is printed on one line, with its control characters as escapes")
  func refusal() throws {
    let server = try StubHTTPServer { _ in (403, "No\n::error::x\u{1B}[2J\u{7F}") }
    defer { server.stop() }
    let shown = #"responded with status 403. No\n::error::x\u{1B}[2J\u{7F}"# + "\n"
    #expect(runRelayCompiler(["schema", "download", server.url]).errors.hasSuffix(shown))
    let project = try TemporaryProject(only: ["App/A.swift": ""])
    #expect(project.initialize(["--schema", server.url]).errors.contains(shown))
  }

  @Test("init downloads the schema with the headers, and without them names the option")
  func headers() throws {
    let server = try StubHTTPServer { request in
      let isAllowed = request.contains("\r\nA: 1\r\n") && request.contains("\r\nB: 2\r\n")
      return isAllowed ? (200, Self.schema) : (401, "Log in first.")
    }
    defer { server.stop() }
    let project = try TemporaryProject(only: ["App/A.swift": ""])
    let refused = project.initialize(["--schema", server.url])
    #expect(refused.exitCode == .usage)
    #expect(
      refused.errors.hasSuffix("\nIf the server needs a header, add --header \"NAME: VALUE\".\n"))
    #expect(project.read("schema.graphql") == nil)
    let result = project.initialize(
      ["--schema", server.url, "--header", "A: 1", "--header", "B: 2"])
    #expect(result.exitCode == .success, "\(result.errors)")
    #expect(project.read("schema.graphql") == "type Query {\n  a: Int\n}\n")
  }

  @Test("a header is for a URL, and has a name and a value")
  func headerMistakes() {
    for schema in [[], ["--schema", "schema.graphql"]] {
      let result = runRelayCompiler(["init", "--header", "A: 1"] + schema)
      #expect(result.exitCode == .usage)
      #expect(
        result.errors.hasPrefix(
          "error: \"--header\" is for a server: name its URL with \"--schema URL\".\n"))
    }
    for header in ["A", "A: 1\r\nB: 2"] {
      let result = runRelayCompiler(
        ["init", "--schema", "http://127.0.0.1:1/", "--header", header])
      #expect(result.errors.hasPrefix("error: \"--header\" takes \"NAME: VALUE\".\n"))
    }
  }

  @Test("a refusal is not retried, and the server's message is reported")
  func refusing() throws {
    let (forbidden, once) = try download { _ in (403, "Log in first.") }
    #expect(forbidden.exitCode == .errors && once == 1)
    #expect(forbidden.errors.contains("responded with status 403. Log in first."))
    let (refused, twice) = try download { isNew in
      (200, isNew ? Self.refusal : #"{"errors":[{"message":"Off."}]}"#)
    }
    #expect(refused.exitCode == .errors && twice == 2)
    #expect(refused.errors.contains("The server says: Cannot query field \"isOneOf\"."))
  }
}
