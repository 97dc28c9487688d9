import Foundation
import Testing

@testable import RelayNetwork
@testable import RelayStore
@testable import RelayURLSession

@Suite("HTTP on the wire", .timeLimit(.minutes(1)))
struct HTTPClientTests {
  @Test("on Linux libcurl is the default client")
  func choice() throws {
    let url = try #require(URL(string: "http://127.0.0.1/"))
    #expect(ClientKind.session.transport(url).client is SessionClient)
    #if os(Linux) && canImport(Glibc)
      #expect(ClientKind.standard.transport(url).client is CurlClient)
    #else
      #expect(ClientKind.standard.transport(url).client is SessionClient)
    #endif
  }

  @Test("consecutive requests share a connection", arguments: ClientKind.allCases)
  func reuse(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send(Wire.response(["X-Index: \(exchange.index)"], Wire.body))
      return true
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    for index in 0..<5 {
      let response = try await transport.execute(.query)
      #expect(response.status == 200 && response.body == Array(Wire.body.utf8))
      #expect(response.headers["x-index"] == "\(index)")
    }
    #expect(server.connections == 1)
  }

  @Test("a request on a connection that the server has closed is sent on another")
  func closedConnection() async throws {
    let server = try RawServer { exchange in
      if exchange.index == 1 { return false }
      exchange.send(Wire.okResponse)
      return true
    }
    defer { server.stop() }
    let transport = ClientKind.standard.transport(server)
    for _ in 0..<2 { #expect(try await transport.execute(.query).status == 200) }
    #expect(server.connections == 2)
  }

  @Test("concurrent requests do not wait for one another", arguments: ClientKind.allCases)
  func parallel(kind: ClientKind) async throws {
    let arrived = NSCondition()
    let count = Locked(0)
    let server = try RawServer { exchange in
      // No response is sent until all requests have arrived.
      arrived.lock()
      count.withLock { $0 += 1 }
      arrived.broadcast()
      while count.withLock({ $0 }) < 4 { arrived.wait() }
      arrived.unlock()
      exchange.send(Wire.okResponse)
      return true
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    try await withThrowingTaskGroup(of: GraphQLResponse.self) { group in
      for _ in 0..<4 { group.addTask { try await transport.execute(.query) } }
      for try await response in group { #expect(response.body == Array(Wire.body.utf8)) }
    }
    #expect(server.connections == 4)
  }

  /// Responses that are incomplete without their last byte. The last byte of the last chunk is
  /// omitted, because libcurl does not wait for it. They name the end of the connection: otherwise
  /// the client may use it again while the server closes it.
  static let responses = [
    Wire.response(["Connection: close"], Wire.body),
    "HTTP/1.1 100 Continue\r\n\r\n" + Wire.response(["Connection: close"], Wire.body),
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n14\r\n" + Wire.body
      + "\r\n0\r\n\r",
    "HTTP/1.1 204 No Content\r\nX-A: b\r\nConnection: close\r\n\r\n",
  ]

  @Test(
    "a response that is cut off at any byte is a retryable error",
    arguments: ClientKind.allCases, responses)
  func cuts(kind: ClientKind, response: String) async throws {
    let place = Locked(response.utf8.count)
    let server = try RawServer { exchange in
      exchange.send(response.utf8.prefix(place.withLock { $0 }))
      return false
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    #expect(try await transport.execute(.query).status != nil)
    let head = try #require(response.utf8.firstRange(of: "\r\n\r\n".utf8)?.upperBound)
    let headLength = response.utf8.distance(from: response.startIndex, to: head)
    for count in 0..<response.utf8.count {
      let isInHead = count > 0 && (count < headLength || response.contains(" 100 "))
      if isInHead, !kind.survivesTruncatedHeaders { continue }
      place.withLock { $0 = count }
      let failure = await Wire.failure(transport)
      #expect(failure?.code == .transport, "cut after \(count)")
      #expect(failure?.operationName == "FeedQuery" && failure?.underlying is URLError)
      if kind == .standard {
        #expect(failure?.isRetryable == true, "cut after \(count): \(String(describing: failure))")
      }
    }
    // The client is still usable.
    place.withLock { $0 = response.utf8.count }
    #expect(try await transport.execute(.query).status != nil)
  }

  @Test(
    "a response that is not HTTP is an error",
    arguments: [
      "\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
      "{\"data\":{}}", "\0\0\0\0", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\nab",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnone",
    ])
  func garbage(response: String) async throws {
    let server = try RawServer { exchange in
      exchange.send(response)
      return false
    }
    defer { server.stop() }
    #expect(await Wire.failure(ClientKind.standard.transport(server))?.code == .transport)
  }

  @Test(
    "a response that arrives byte by byte is read like any other", arguments: ClientKind.allCases)
  func bytes(kind: ClientKind) async throws {
    for text in Self.responses {
      let server = try RawServer { exchange in
        for byte in text.utf8 { exchange.send([byte]) }
        return false
      }
      defer { server.stop() }
      let response = try await kind.transport(server).execute(.query)
      #expect(response.body == (response.status == 204 ? [] : Array(Wire.body.utf8)))
    }
  }

  @Test("a body without a length ends when its connection ends", arguments: ClientKind.allCases)
  func withoutLength(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send("HTTP/1.1 200 OK\r\n\r\n" + Wire.body)
      return false
    }
    defer { server.stop() }
    #expect(try await kind.transport(server).execute(.query).body == Array(Wire.body.utf8))
  }

  @Test("a cancelled request throws, and its connection is closed", arguments: ClientKind.allCases)
  func cancelled(kind: ClientKind) async throws {
    // No bytes, part of the status line, part of the header, the entire header, part of the body.
    for count in [
      0, 5, 30, Wire.okResponse.utf8.count - Wire.body.utf8.count, Wire.okResponse.utf8.count - 1,
    ] {
      let server = try RawServer { exchange in
        exchange.send(Wire.okResponse.utf8.prefix(count))
        exchange.waitForEnd()
        return false
      }
      defer { server.stop() }
      let transport = kind.transport(server)
      let request = Task { try await transport.execute(.query) }
      await server.next(.waiting)
      request.cancel()
      await #expect(throws: CancellationError.self) { try await request.value }
      if kind == .standard { await server.next(.disconnected) }
    }
  }

  @Test("a request that is cancelled before it starts is never sent")
  func cancelledBefore() async throws {
    let server = try RawServer { exchange in
      exchange.send(Wire.okResponse)
      return true
    }
    defer { server.stop() }
    let transport = ClientKind.standard.transport(server)
    for _ in 0..<20 {
      let request = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await transport.execute(.query)
      }
      await #expect(throws: CancellationError.self) { try await request.value }
    }
    #expect(server.connections == 0)
    #expect(try await transport.execute(.query).status == 200)
  }

  @Test("cancelling many requests at arbitrary times leaves the client usable")
  func cancelledAnytime() async throws {
    let server = try RawServer { exchange in
      exchange.send(Wire.okResponse)
      return true
    }
    defer { server.stop() }
    let transport = ClientKind.standard.transport(server)
    for _ in 0..<50 {
      let requests = (0..<8).map { _ in Task { try await transport.execute(.query) } }
      await Task.yield()
      for request in requests { request.cancel() }
      for request in requests {
        switch await request.result {
        case .success(let response): #expect(response.body == Array(Wire.body.utf8))
        case .failure(let error): #expect(error is CancellationError)
        }
      }
    }
    #expect(try await transport.execute(.query).status == 200)
  }

  @Test("a request to a server that does not respond fails after the timeout")
  func timeout() async throws {
    let server = try RawServer { exchange in
      exchange.send(Wire.okResponse.utf8.prefix(exchange.index * 30))
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let transport = ClientKind.standard.transport(server, timeout: .milliseconds(50))
    for _ in 0..<3 {
      let failure = await Wire.failure(transport)
      #expect(failure?.code == .transport && failure?.isRetryable == true)
      #expect((failure?.underlying as? URLError)?.code == .timedOut && failure?.isTimeout == true)
      #expect(failure?.message.hasSuffix("Timeout was reached") == true)
    }
  }

  @Test("a response may take longer than the timeout while data arrives")
  func slowDrip() async throws {
    let server = try RawServer { exchange in
      for byte in Wire.okResponse.utf8 {
        exchange.send([byte])
        exchange.wait(milliseconds: 40)
      }
      return false
    }
    defer { server.stop() }
    let transport = ClientKind.standard.transport(server, timeout: .seconds(3))
    #expect(try await transport.execute(.query).body == Array(Wire.body.utf8))
  }

  @Test("an upload may take longer than the timeout while data is sent")
  func slowUpload() async throws {
    let server = try RawServer(pause: 100) { exchange in
      exchange.send(Wire.okResponse)
      return false
    }
    defer { server.stop() }
    var request = GraphQLRequest.mutation
    let bytes = [UInt8](repeating: 0x40, count: 24 << 20)
    request.uploads = [VariableUpload(path: ["file"], file: Upload(bytes, fileName: "a"))]
    let transport = ClientKind.standard.transport(server, timeout: .seconds(3))
    #expect(try await transport.execute(request).body == Array(Wire.body.utf8))
  }

  @Test("a timeout may have any length")
  func lengths() async throws {
    let server = try RawServer { exchange in
      exchange.send(Wire.okResponse)
      return true
    }
    defer { server.stop() }
    for timeout in [Duration.seconds(Int64.max), .seconds(1e12), .seconds(100_000)] {
      let transport = ClientKind.standard.transport(server, timeout: timeout)
      #expect(try await transport.execute(.query).status == 200)
    }
    for timeout in [Duration.zero, .seconds(-1)] {
      #expect(
        await Wire.failure(ClientKind.standard.transport(server, timeout: timeout))?.isRetryable
          == true)
    }
  }

  @Test("an unreachable server and an unknown host are retryable errors")
  func unreachable() async throws {
    let gone = try RawServer { _ in false }
    gone.stop()
    for (address, code) in [
      ("http://127.0.0.1:1/graphql", URLError.Code.cannotConnectToHost),
      ("http://nowhere.invalid/graphql", .cannotFindHost),
    ] {
      let url = try #require(URL(string: address))
      for kind in ClientKind.allCases {
        let failure = await Wire.failure(kind.transport(url))
        #expect(failure?.code == .transport && failure?.isRetryable == true, "\(kind)")
        #expect(failure?.isTimeout == false)
        #expect((failure?.underlying as? URLError)?.code == code, "\(kind)")
      }
    }
  }

  @Test(
    "a URL that is not HTTP is an error",
    arguments: ["file:///etc/passwd", "nowhere", "gopher://a"])
  func badAddress(address: String) async throws {
    let url = try #require(URL(string: address))
    let failure = await Wire.failure(ClientKind.standard.transport(url))
    #expect(failure?.code == .transport && failure?.isRetryable == false)
  }
}
