import Foundation
import RelayNetwork
import RelayStore
import Testing

@Suite("Limits of received responses", .timeLimit(.minutes(1)))
struct ResponseLimitTests {
  private static func environment(_ transport: some Transport, bytes: Int) -> RelayEnvironment {
    RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          responseLimits: ResponseLimits(bytes: bytes), garbageCollection: .manual)),
      transport: transport)
  }

  @Test(
    "a response that exceeds a limit is not received further, whatever it consists of",
    arguments: ClientKind.allCases, HostileHTTPResponses.cases)
  func endless(kind: ClientKind, response: HostileHTTPResponses.Case) async throws {
    #if canImport(FoundationNetworking)
      // A session on Linux receives gigabytes before it ends.
      if kind == .session { return }
    #else
      if kind == .session, !response.isForSessions { return }
    #endif
    let server = try RawServer { exchange in
      HostileHTTPResponses.send(response, over: exchange)
      return false
    }
    defer { server.stop() }
    let environment = Self.environment(
      kind.transport(server), bytes: HostileHTTPResponses.byteLimit)
    let error = await #expect(throws: RelayError.self) {
      try await environment.fetch(TodoListQuery())
    }
    // A session leaves its connection open for a while.
    if kind == .standard { await server.next(.disconnected) }
    #expect(error?.operationName == "TodoListQuery")
    switch response.outcome {
    case .rejected(let words):
      #expect(error?.code == .response && error?.isRetryable == false)
      #expect(error?.message == "Response for \"TodoListQuery\" \(words)")
    case .truncated(let status):
      #expect(error?.code == .transport && error?.status == status)
      #expect(error?.message.contains("HTTP status \(status) instead of a response") == true)
      #expect(error?.excerpt?.isEmpty == false)
    }
    #expect(environment.store.statistics.isEmpty)
  }

  @Test("a depth that is set later is limited like the first one")
  func laterDepth() throws {
    var limits = ResponseLimits(depth: 600)
    #expect(limits.depth == 512)
    limits.depth = 100_000
    #expect(limits.depth == 512)
    limits.depth = 3
    #expect(limits.depth == 3)
  }

  @Test(
    "a response of exactly the limit is accepted, and of one byte more is rejected",
    arguments: ClientKind.allCases)
  func exact(kind: ClientKind) async throws {
    let body = #"{"data":{"todos":[]}}"#
    for count in [body.utf8.count, 1_000, 100_000] {
      let server = try RawServer { exchange in
        let space = String(repeating: " ", count: count - body.utf8.count)
        exchange.send(Wire.response([], body + space))
        return true
      }
      defer { server.stop() }
      let transport = kind.transport(server)
      for (limit, isAccepted) in [(count, true), (count + 1, true), (count - 1, false), (0, false)]
      {
        let environment = Self.environment(transport, bytes: limit)
        do {
          let snapshot = try await environment.fetch(TodoListQuery())
          #expect(isAccepted && snapshot.data?.todos.isEmpty == true, "\(limit)")
        } catch {
          #expect(!isAccepted && (error as? RelayError)?.code == .response, "\(limit): \(error)")
        }
      }
    }
  }

  /// `{"data":{"todos":[]}}` and 60,000 spaces, compressed with gzip: 116 bytes.
  private static let gzip = Data(
    base64Encoded: """
      H4sIAAAAAAACA+3BsQ0AEBAAwFXkx7CKKCT6L+jE7tZQ3N2JOfaIemLnzBW19XsLAAAAAAAAAAAAAAAA
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwGceeQckEHXqAAA=
      """, options: .ignoreUnknownCharacters)

  @Test(
    "a compressed response is measured by its decoded size",
    arguments: ClientKind.allCases, [false, true])
  func decoded(kind: ClientKind, isChunked: Bool) async throws {
    let gzip = try #require(Self.gzip)
    let server = try RawServer { exchange in
      let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
      if isChunked {
        exchange.send("\(head)Transfer-Encoding: chunked\r\n\r\n")
        for byte in gzip { exchange.send(Array("1\r\n".utf8) + [byte, 13, 10]) }
        exchange.send("0\r\n\r\n")
      } else {
        exchange.send(Array("\(head)Content-Length: \(gzip.count)\r\n\r\n".utf8) + gzip)
      }
      return true
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    let count = 60_021
    let snapshot = try await Self.environment(transport, bytes: count).fetch(TodoListQuery())
    #expect(snapshot.data?.todos.isEmpty == true)
    for limit in [count - 1, gzip.count] {
      let error = await #expect(throws: RelayError.self) {
        try await Self.environment(transport, bytes: limit).fetch(TodoListQuery())
      }
      #expect(
        error?.message == "Response for \"TodoListQuery\" has more than \(limit) bytes.")
    }
  }

  @Test("only the beginning of an error page is received, whatever the limit is")
  func longPages() async throws {
    let length = 64 << 20
    // Skip responses with an expansion: the server has sent such a response completely before the
    // client can reject it.
    for response in HostileHTTPResponses.cases where response.expansion == 1 {
      guard case .truncated(let status) = response.outcome else { continue }
      let isReadToItsEnd = Locked<Bool?>(nil)
      let server = try RawServer { exchange in
        let isRead = HostileHTTPResponses.send(response, over: exchange, byteLimit: length / 64)
        isReadToItsEnd.withLock { $0 = isRead }
        return false
      }
      defer { server.stop() }
      let environment = Self.environment(ClientKind.standard.transport(server), bytes: 256 << 20)
      let error = await #expect(throws: RelayError.self) {
        try await environment.fetch(TodoListQuery())
      }
      await server.next(.disconnected)
      #expect(error?.status == status && error?.excerpt?.isEmpty == false)
      #expect(isReadToItsEnd.withLock { $0 } == false, "\(response.name)")
    }
  }

  #if os(Linux)
    @Test("a rejected response uses at most twice its limit of memory")
    func memory() async {
      await #expect(processExitsWith: .success) {
        let limit = 32 << 20
        for response in HostileHTTPResponses.cases {
          let server = try RawServer { exchange in
            // The first request allocates lasting memory: the thread and the connection's buffers.
            if exchange.index == 0 { exchange.send(Wire.okResponse) }
            if exchange.index == 0 { return true }
            HostileHTTPResponses.send(response, over: exchange, byteLimit: limit / 8)
            return false
          }
          defer { server.stop() }
          let transport = HTTPTransport(url: server.url)
          var limited = GraphQLRequest.query
          limited.responseByteLimit = limit
          let request = limited
          _ = try await transport.execute(request)
          try Memory.resetPeak()
          let before = try Memory.kilobytes("VmRSS")
          await #expect(throws: RelayError.self) { try await transport.execute(request) }
          await server.next(.disconnected)
          let growth = try (Memory.kilobytes("VmHWM") - before) << 10
          print("\(response.name): \(growth >> 10) KiB of \(limit >> 10)")
          #expect(growth <= 2 * limit, "\(response.name)")
        }
      }
    }
  #endif
}

#if os(Linux)
  /// The memory of this process, as Linux reports it.
  enum Memory {
    /// Resets the peak (`VmHWM`).
    static func resetPeak() throws {
      try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    }

    static func kilobytes(_ field: String) throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(field + ":") })
      return try #require(Int(line.filter(\.isNumber)))
    }
  }
#endif
