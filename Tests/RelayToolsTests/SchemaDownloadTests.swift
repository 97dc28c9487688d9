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
