#if os(Linux) && canImport(Glibc)
  import Foundation
  import Glibc
  import Testing

  @testable import RelayLive
  @testable import RelayNetwork
  @testable import RelayStore

  @Suite("Opening a WebSocket connection", .timeLimit(.minutes(1)))
  struct WebSocketOpeningTests {
    private let client: CurlClient

    init() { client = CurlClient() }

    private func failure(_ request: WebSocketRequest) async -> RelayError? {
      await #expect(throws: RelayError.self) {
        try await client.connect(to: request) { Issue.record("There is an event: \($0)") }
      }
    }

    private func failure(_ server: RawServer) async -> RelayError? {
      await failure(
        WebSocketRequest(url: server.url, subprotocols: [WebSocketPeer.subprotocol]))
    }

    @Test("fails when the server ends the connection at any byte of the handshake")
    func truncations() async throws {
      let server = try RawServer { exchange in
        exchange.send(WebSocketPeer(exchange).acceptance.utf8.prefix(exchange.index))
        return false
      }
      defer { server.stop() }
      for count in 0..<150 {
        let error = await failure(server)
        #expect(error?.code == .transport, "after \(count) bytes")
        #expect(error?.message.contains("inside the handshake") == true, "after \(count) bytes")
        #expect(error?.isRetryable == true)
      }
    }

    @Test("fails with the status and the GraphQL errors of a rejection")
    func rejection() async throws {
      let server = try RawServer { exchange in
        exchange.send(
          Wire401.response)
        return exchange.index == 0
      }
      defer { server.stop() }
      let error = await failure(server)
      #expect(error?.status == 401)
      #expect(error?.errors.map(\.message) == ["No token."])
      #expect(error?.isRetryable == false)
      #expect(
        error?.message
          == "The WebSocket handshake with 127.0.0.1 failed with HTTP status 401: No token.")
    }

    private enum Wire401 {
      static let body = #"{"errors":[{"message":"No token."}]}"#
      static let response =
        "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test("fails with the delay that an overloaded server asks for")
    func overload() async throws {
      let server = try RawServer { exchange in
        exchange.send("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n\r\nplease wait")
        return false
      }
      defer { server.stop() }
      let error = await failure(server)
      #expect(error?.status == 503)
      #expect(error?.retryAfter == .seconds(7))
      #expect(error?.isRetryable == true)
      #expect(error?.excerpt == "please wait")
    }

    @Test("follows no redirect, and says so")
    func redirect() async throws {
      let server = try RawServer { exchange in
        exchange.send(
          "HTTP/1.1 307 No\r\nLocation: ws://127.0.0.1:1/secret\r\nContent-Length: 0\r\n\r\n")
        return false
      }
      defer { server.stop() }
      let error = await failure(server)
      #expect(error?.status == 307)
      #expect(error?.message.contains("a redirect to ws://127.0.0.1:1. Handshakes") == true)
      #expect(error?.message.contains("secret") == false)
      #expect(server.connections == 1)
    }

    @Test("fails when the server does not prove that it speaks WebSocket")
    func wrongAccept() async throws {
      let server = try RawServer { exchange in
        exchange.send(
          WebSocketPeer(exchange).acceptance.replacing(
            "Sec-WebSocket-Accept: ", with: "Sec-WebSocket-Accept: x"))
        return false
      }
      defer { server.stop() }
      let error = await failure(server)
      #expect(error?.underlying as? WebSocketHandshakeError == .wrongAccept)
    }

    @Test("fails where there is no implementation, and names the alternatives")
    func unsupported() async throws {
      let connector = WebSocketConnectors.make(sharing: OtherClient())
      let request = WebSocketRequest(url: try #require(URL(string: "ws://127.0.0.1/")))
      let error = await #expect(throws: RelayError.self) {
        try await connector.connect(to: request) { _ in }
      }
      #expect(error?.code == .transport)
      #expect(error?.message.contains("server-sent events or multipart subscriptions") == true)
    }

    @Test("shares the thread of an HTTP client")
    func sharedClient() {
      #expect(WebSocketConnectors.make(sharing: client) as? CurlClient === client)
      #expect(WebSocketConnectors.make() is CurlClient)
    }

    private struct OtherClient: HTTPClient {
      func send(_ request: HTTPRequest, _ exchange: HTTPExchange) async throws -> HTTPResponse {
        HTTPResponse()
      }

      func stream(
        _ request: HTTPRequest, _ exchange: HTTPExchange,
        _ receive: (HTTPStreamEvent) async throws -> Void
      ) async throws -> HTTPResponse {
        HTTPResponse()
      }
    }

    @Test("fails when nothing listens on the port")
    func refused() async throws {
      let server = try WebSocketPeer.echoServer()
      server.stop()
      // A port without a listener.
      let error = await failure(
        WebSocketRequest(url: try #require(URL(string: "ws://127.0.0.1:1/"))))
      #expect(error?.isRetryable == true)
      #expect((error?.underlying as? URLError)?.code == .cannotConnectToHost)
    }

    @Test(
      "fails for a URL that is neither of WebSocket nor of HTTP", arguments: ["ftp://a/", "ws:/a"])
    func unsupportedURL(text: String) async throws {
      let error = await failure(WebSocketRequest(url: try #require(URL(string: text))))
      #expect((error?.underlying as? URLError)?.code == .unsupportedURL)
    }

    @Test("fails after the time limit when the server never answers the handshake")
    func timeout() async throws {
      let server = try RawServer { exchange in
        exchange.waitForEnd()
        return false
      }
      defer { server.stop() }
      var request = WebSocketRequest(url: server.url)
      request.timeout = .milliseconds(50)
      let error = await failure(request)
      #expect(error?.isTimeout == true)
      #expect(error?.isRetryable == true)
      await server.next(.disconnected)
    }

    @Test("fails with the received part of a rejection whose end never comes")
    func unfinishedRejection() async throws {
      let server = try RawServer { exchange in
        exchange.send("HTTP/1.1 403 No\r\n\r\nnot for you")
        exchange.waitForEnd()
        return false
      }
      defer { server.stop() }
      var request = WebSocketRequest(url: server.url)
      request.closingTimeout = .milliseconds(50)
      let error = await failure(request)
      #expect(error?.status == 403)
      #expect(error?.excerpt == "not for you")
      await server.next(.disconnected)
    }

    @Test("is cancelled while the server has not answered")
    func cancellation() async throws {
      let server = try RawServer { exchange in
        exchange.waitForEnd()
        return false
      }
      defer { server.stop() }
      let request = WebSocketRequest(url: server.url)
      let task = Task { try await client.connect(to: request) { _ in } }
      await server.next(.waiting)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await server.next(.disconnected)
    }

    @Test("is cancelled before it begins")
    func earlyCancellation() async throws {
      let server = try WebSocketPeer.echoServer()
      defer { server.stop() }
      let request = WebSocketRequest(url: server.url)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.connect(to: request) { _ in }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("leaves HTTP requests on the same thread undisturbed")
    func sharedThread() async throws {
      let sockets = try WebSocketPeer.echoServer()
      defer { sockets.stop() }
      let http = try RawServer { exchange in
        exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        return true
      }
      defer { http.stop() }
      let recorder = WebSocketRecorder()
      let connection = try await client.connect(
        to: WebSocketRequest(url: sockets.url, subprotocols: [WebSocketPeer.subprotocol]),
        receive: recorder.receive)
      for index in 0..<20 {
        let response = try await client.send(
          HTTPRequest(url: http.url), HTTPExchange(byteLimit: 100))
        #expect(response.body == Array("{}".utf8))
        try await connection.send(Array("\(index)".utf8))
        #expect(await recorder.next() == .text("\(index)"))
      }
    }

    @Test("leaves no file open after 200 connections, however they end")
    func fileDescriptors() async {
      await #expect(processExitsWith: .success) {
        let server = try RawServer { exchange in
          var peer = WebSocketPeer(exchange)
          switch exchange.index % 5 {
          case 0:
            exchange.send("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n")
            return false
          case 1: return false
          case 2: exchange.send(peer.acceptance)
          case 3:
            exchange.send(peer.acceptance)
            peer.send(0x88, "")
          default:
            exchange.send(peer.acceptance)
            while let (first, payload) = peer.next(), peer.send(first, payload) {
              if first == 0x88 { break }
            }
          }
          exchange.waitForEnd()
          return false
        }
        let client = CurlClient()
        func openFiles() throws -> Int {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        var count = 0
        for index in 0..<205 {
          let recorder = WebSocketRecorder()
          let request = WebSocketRequest(
            url: server.url, subprotocols: [WebSocketPeer.subprotocol])
          if let connection = try? await client.connect(to: request, receive: recorder.receive) {
            if index % 2 == 0 { connection.close(code: .normalClosure, reason: "") }
            if index % 5 == 2 { connection.cancel() }
            connection.close(code: .normalClosure, reason: "")
            _ = await recorder.all()
          }
          await server.next(.disconnected)
          // After the first connections, the thread and its own files exist.
          if index == 4 { count = try openFiles() }
        }
        exit(try openFiles() <= count + 2 ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }
  }
#endif
