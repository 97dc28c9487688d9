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
    for header in ["A", "A: 1\r\nB: 2", ": x", "X Y: z", "Ä: 1"] {
      let result = runRelayCompiler(
        ["init", "--schema", "http://127.0.0.1:1/", "--header", header])
      #expect(result.errors.hasPrefix("error: \"--header\" takes \"NAME: VALUE\".\n"))
    }
  }

  @Test(
    "a redirect is not followed, and its target is named", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) throws {
    for (location, isRelative) in [("https://example.org/graphql?a=1", false), ("/v2", true)] {
      let server = try StubHTTPServer(location: location) { _ in (status, "<html>") }
      defer { server.stop() }
      let target = isRelative ? server.url.replacing("/graphql", with: location) : location
      let result = runRelayCompiler(["schema", "download", server.url])
      #expect(result.exitCode == .errors)
      #expect(
        result.errors
          == "error: The server at \"\(server.url)\" responded with status \(status), a redirect to "
          + "\"\(target)\". Redirects are not followed.\n")
    }
  }

  @Test("a refusal without a body ends after the status", arguments: ["", "\r\n"])
  func silent(body: String) throws {
    let (result, _) = try download { _ in (403, body) }
    #expect(result.errors.hasSuffix("responded with status 403.\n"), "\(result.errors)")
  }

  @Test("a response that is too large is an error")
  func tooLarge() throws {
    let server = try StubHTTPServer { _ in (200, String(repeating: " ", count: 1 << 21)) }
    defer { server.stop() }
    let url = server.url
    let error = try #require(throws: SchemaDownloadError.self) {
      try HTTPPost.send(to: url, headers: [], body: "{}", byteLimit: 1 << 20)
    }
    #expect(error.message == "The response of \"\(url)\" is larger than 1 MiB.")
    #expect(try HTTPPost.send(to: url, headers: [], body: "{}").body.count == 1 << 21)
  }

  @Test("the errors of an invalid schema are reported, with and without a file")
  func invalid() throws {
    let invalid = Self.schema.replacing("\"Int\"", with: "\"Missing\"")
    let (printed, _) = try download { _ in (200, invalid) }
    #expect(printed.output == "type Query {\n  a: Missing\n}\n")
    #expect(printed.errors.contains(":2:6: error: "), "\(printed.errors)")
    let project = try TemporaryProject([:])
    let path = project.folder.path + "/new.graphql"
    let server = try StubHTTPServer { _ in (200, invalid) }
    defer { server.stop() }
    let written = runRelayCompiler(["schema", "download", "--output", path, server.url])
    #expect(written.errors.hasPrefix("\(path):2:6: error: "), "\(written.errors)")
    #expect(written.exitCode == .errors && written.output.isEmpty)
    #expect(project.read("new.graphql") == printed.output)
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
