import Foundation
import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Sending uploads again", .timeLimit(.minutes(1)))
struct ResendingTests {
  private let clock = VirtualClock()

  /// An upload of each kind, and whether it can be sent again.
  private static func uploads(_ file: TemporaryFile) -> [(Upload, Bool)] {
    [
      (Upload([1, 2], fileName: "a"), true), (Upload(file: file.url), true),
      (Upload(stream: chunks(2), fileName: "a.mov"), false),
    ]
  }

  private static func expectSpent(_ error: RelayError?, status: Int?) {
    #expect(
      error?.message.contains("\"a.mov\" is a stream, and a stream can be read only once") == true)
    #expect(error?.isRetryable == false && error?.status == status)
    #expect((error?.underlying as? RelayError)?.status == status)
    #expect(error?.operationName == "SetAvatar")
  }

  @Test("a retry sends bytes and files again, not streams", arguments: ClientKind.allCases)
  func retries(kind: ClientKind) async throws {
    let file = try TemporaryFile([1, 2])
    for (upload, isRepeatable) in Self.uploads(file) {
      let server = try RawServer { exchange in
        exchange.send(
          exchange.index == 0 ? Wire.response([], "", status: "503 Busy") : Wire.okResponse)
        return true
      }
      defer { server.stop() }
      let transport = kind.transport(server).retrying(clock: clock)
      let task = Task { try await transport.execute(.uploading(upload, kind: .query)) }
      if isRepeatable {
        try await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        #expect(try await task.value.status == 200)
      } else {
        Self.expectSpent(
          await #expect(throws: RelayError.self) { try await task.value }, status: 503)
      }
    }
  }

  @Test("refreshed credentials send bytes and files again, not streams")
  func authentication() async throws {
    let file = try TemporaryFile([1, 2])
    for (upload, isRepeatable) in Self.uploads(file) {
      let server = try RawServer { exchange in
        exchange.send(
          exchange.request.contains("Token: new")
            ? Wire.okResponse : Wire.response([], "", status: "401 Unauthorized"))
        return true
      }
      defer { server.stop() }
      let token = Locked("old")
      let transport = ClientKind.standard.transport(server).authenticated(
        by: { ["Token": token.withLock { $0 }] }, refresh: { token.withLock { $0 = "new" } })
      if isRepeatable {
        #expect(try await transport.execute(.uploading(upload)).status == 200)
      } else {
        let error = await #expect(throws: RelayError.self) {
          try await transport.execute(.uploading(upload))
        }
        Self.expectSpent(error, status: 401)
      }
      // The next request uses new credentials.
      #expect(try await transport.execute(.mutation).status == 200)
    }
  }

  @Test("a response with the code UNAUTHENTICATED is the cause of such an error")
  func responseAsCause() async throws {
    let server = StubTransport { request, _ in
      for upload in request.uploads { _ = try await upload.file.contents() }
      return GraphQLResponse(
        json: ["errors": [["message": "expired", "extensions": ["code": "UNAUTHENTICATED"]]]])
    }
    let transport = server.authenticated(by: { [:] }, refresh: {})
    let error = await #expect(throws: RelayError.self) {
      try await transport.execute(.uploading(Upload(stream: chunks(1), fileName: "a.mov")))
    }
    Self.expectSpent(error, status: nil)
    #expect(error?.code == .graphQL && error?.errors.map(\.message) == ["expired"])
  }

  @Test("a redirect sends bytes and files again, not streams", arguments: ClientKind.allCases)
  func redirects(kind: ClientKind) async throws {
    let file = try TemporaryFile([1, 2])
    for (upload, isRepeatable) in Self.uploads(file) {
      let server = try RawServer { exchange in
        exchange.send(
          exchange.request.hasPrefix("POST /graphql ")
            ? Wire.response(["Location: /new"], "", status: "307 Moved") : Wire.okResponse)
        return true
      }
      defer { server.stop() }
      let transport = kind.transport(server)
      if isRepeatable {
        #expect(try await transport.execute(.uploading(upload)).status == 200)
      } else {
        let error = await #expect(throws: RelayError.self) {
          try await transport.execute(.uploading(upload))
        }
        Self.expectSpent(error, status: 307)
        #expect(error?.message.contains("/new") == true)
      }
    }
  }

  @Test("on a connection that the server has closed, bytes and files are sent again, not streams")
  func closedConnection() async throws {
    let file = try TemporaryFile([1, 2])
    for (upload, isRepeatable) in Self.uploads(file) {
      let server = try RawServer { exchange in
        if exchange.index == 1 { return false }
        exchange.send(Wire.okResponse)
        return true
      }
      defer { server.stop() }
      let transport = ClientKind.standard.transport(server)
      #expect(try await transport.execute(.query).status == 200)
      if isRepeatable {
        #expect(try await transport.execute(.uploading(upload, kind: .query)).status == 200)
        #expect(server.connections == 2)
      } else {
        let error = await #expect(throws: RelayError.self) {
          try await transport.execute(.uploading(upload, kind: .query))
        }
        #expect(error?.code == .transport && error?.isRetryable == false)
        #expect(
          error?.message.contains("it has a stream, and a stream can be read only once") == true)
        #expect((error?.underlying as? URLError)?.code == .networkConnectionLost)
      }
    }
  }

  @Test("a stream that was not read yet is sent by the next attempt")
  func unread() async throws {
    let gone = try RawServer { _ in false }
    gone.stop()
    let server = try RawServer { exchange in
      exchange.send(Wire.okResponse)
      return true
    }
    defer { server.stop() }
    let unreachable = HTTPTransport(url: try #require(URL(string: "http://127.0.0.1:1/graphql")))
    let reachable = ClientKind.standard.transport(server)
    let attempts = Locked(0)
    let transport = reachable.intercepting { request, next in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      return attempt == 1
        ? try await unreachable.execute(request) : try await next.execute(request)
    }.retrying(clock: clock)
    let upload = Upload(stream: chunks(2), fileName: "a.mov")
    let task = Task { try await transport.execute(.uploading(upload, kind: .query)) }
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    #expect(try await task.value.status == 200)
  }

  @Test("an interceptor that sends a stream again gets an error")
  func interceptor() async throws {
    let server = try RawServer { exchange in
      exchange.send(Wire.okResponse)
      return true
    }
    defer { server.stop() }
    let transport = ClientKind.standard.transport(server).intercepting { request, next in
      _ = try await next.execute(request)
      return try await next.execute(request)
    }
    let error = await #expect(throws: RelayError.self) {
      try await transport.execute(.uploading(Upload(stream: chunks(1), fileName: "a.mov")))
    }
    #expect(error?.code == .request && error?.message.contains("cannot be sent again") == true)
  }
}
