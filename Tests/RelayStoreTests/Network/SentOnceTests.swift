import Foundation
import RelayStoreTesting
import Testing

@testable import RelayNetwork
@testable import RelayStore

/// The client's side of RFC 9110, section 9.2.2.
@Suite("A mutation is sent once", .timeLimit(.minutes(1)))
struct SentOnceTests {
  /// A server that closes the connection of the second request without a response.
  private static func server() throws -> RawServer {
    try RawServer { exchange in
      if exchange.index == 1 { return false }
      exchange.send(Wire.response(["X-Connection: \(exchange.connection)"], Wire.body))
      return true
    }
  }

  @Test(
    "a mutation that has no response on a kept connection is an error",
    arguments: ClientKind.allCases)
  func closedConnection(kind: ClientKind) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let transport = kind.transport(server)
    #expect(try await transport.execute(.query).status == 200)
    let error = await #expect(throws: RelayError.self) { try await transport.execute(.mutation) }
    #expect(error?.code == .transport && error?.status == nil && error?.isRetryable == true)
    #expect(error?.underlying is URLError)
    #expect(server.requests == 2)
  }

  @Test("a query is sent again")
  func query() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let transport = ClientKind.standard.transport(server)
    #expect(try await transport.execute(.query).headers["x-connection"] == "0")
    #expect(try await transport.execute(.query).headers["x-connection"] == "1")
    #expect(server.requests == 3)
  }

  @Test("a stream of a mutation is sent once, too", arguments: ClientKind.allCases)
  func stream(kind: ClientKind) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let transport = kind.transport(server)
    try await transport.stream(.query) { _ in }
    await #expect(throws: RelayError.self) { try await transport.stream(.mutation) { _ in } }
    #expect(server.requests == 2)
  }

  @Test(
    "a mutation whose fields have a value is not sent again with new credentials",
    arguments: [
      (#"{"like": {"id": "1"}, "follow": null}"#, 1), (#"{"like": null, "follow": null}"#, 2),
      ("null", 2),
    ])
  func executed(data: String, count: Int) async throws {
    let body =
      #"{"errors": [{"message": "!", "extensions": {"code": "UNAUTHENTICATED"}}], "data": "#
    let server = StubTransport { _, _ in GraphQLResponse(body: Array((body + data + "}").utf8)) }
    let transport = server.authenticated(by: { [:] }, refresh: {})
    #expect(try await transport.execute(.mutation).errors.count == 1)
    #expect(server.requests.count == count)
  }

  #if os(Linux) && canImport(Glibc)
    /// A client whose connections age with a virtual time.
    private final class AgingClient: Sendable {
      private let age = Locked(Duration.zero)
      let transport: HTTPTransport

      /// - Parameter limit: libcurl applies it to the real age, too. The default value is that of
      ///   an app.
      init(_ server: RawServer, limit: Duration = CurlIdleConnections.AgeLimit().duration) {
        let start = ContinuousClock.now
        transport = HTTPTransport(
          url: server.url, headers: [:], timeout: .seconds(60),
          client: CurlClient(ageLimit: .init(limit) { [age] in start + age.withLock { $0 } }))
      }

      /// Sends a request after a time, and returns the number of its connection.
      func connection(_ request: GraphQLRequest, after time: Duration) async throws -> String? {
        age.withLock { $0 += time }
        return try await transport.execute(request).headers["x-connection"]
      }
    }

    @Test("a mutation is sent on a new connection when the kept one was idle for too long")
    func age() async throws {
      let server = try RawServer { exchange in
        exchange.send(Wire.response(["X-Connection: \(exchange.connection)"], Wire.body))
        return true
      }
      defer { server.stop() }
      #expect(CurlIdleConnections.AgeLimit().duration == .seconds(2))
      let client = AgingClient(server, limit: .seconds(600))
      #expect(try await client.connection(.query, after: .zero) == "0")
      #expect(try await client.connection(.mutation, after: .seconds(600)) == "0")
      #expect(try await client.connection(.mutation, after: .seconds(600.1)) == "1")
      #expect(try await client.connection(.mutation, after: .seconds(300)) == "1")
      // A query may be sent again, so it need not avoid the connection.
      #expect(try await client.connection(.query, after: .seconds(1_000)) == "1")
      #expect(server.requests == 5)
    }

    @Test("a thousand mutations, ten seconds apart, miss the end of no connection")
    func idle() async throws {
      // The server's limit for idle connections, five seconds, is over before each request: a
      // client that still used the connection would meet its end.
      let lastConnection = Locked(-1)
      let server = try RawServer { exchange in
        let isOld = lastConnection.withLock { last in
          defer { last = exchange.connection }
          return last == exchange.connection
        }
        if isOld { return false }
        exchange.send(Wire.okResponse)
        return true
      }
      defer { server.stop() }
      let client = AgingClient(server)
      for _ in 0..<1_000 { _ = try await client.connection(.mutation, after: .seconds(10)) }
      #expect(server.requests == 1_000 && server.connections == 1_000)
    }
  #endif
}
