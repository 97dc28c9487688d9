import Foundation
import Testing

@testable import RelayNetwork
@testable import RelayStore

@Suite("Streamed HTTP responses", .timeLimit(.minutes(1)))
struct HTTPStreamTests {
  private struct Refusal: Error {}

  @Test(
    "the head and each chunk arrive before the server sends the next one",
    arguments: ClientKind.allCases)
  func immediately(kind: ClientKind) async throws {
    let received = WireGate()
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head(["X-A: b"]))
      for text in ["one", "two", "three"] {
        received.waitOnThread()
        exchange.send(StreamWire.chunk(text))
      }
      received.waitOnThread()
      exchange.send(StreamWire.end)
      return true
    }
    defer { server.stop() }
    var events: [String] = []
    let response = try await kind.transport(server).stream { event in
      switch event {
      case .head(let head): events.append("\(head.status) \(head.headers["x-a"] ?? "")")
      case .bytes(let bytes): events.append(String(decoding: bytes, as: UTF8.self))
      }
      received.open()
    }
    #expect(events == ["200 b", "one", "two", "three"])
    #expect(response.status == 200 && response.body.isEmpty)
    #expect(response.headers["content-type"] == "text/event-stream")
  }

  @Test(
    "a response that is not a stream is returned as a whole, as if it was not to be streamed",
    arguments: ClientKind.allCases,
    [
      Wire.okResponse,
      Wire.response(["Content-Type: text/event-stream"], "slow", status: "503 Unavailable"),
      Wire.response(["Retry-After: 7", "Content-Type: text/html"], "no", status: "429 No"),
      Wire.response(["Location: /other"], "", status: "307 Moved"),
      "HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n",
    ])
  func whole(kind: ClientKind, text: String) async throws {
    let server = try RawServer { exchange in
      exchange.send(text)
      return true
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    let response = try await transport.stream { _ in Issue.record("It is streamed.") }
    let other = try await transport.client.send(
      transport.httpRequest(for: .query), HTTPExchange(byteLimit: 1 << 20))
    #expect(response.status == other.status && response.body == other.body)
    #expect(response.headers == other.headers)
  }

  @Test(
    "a response that is not a stream is limited as if it was not to be streamed",
    arguments: ClientKind.allCases)
  func limits(kind: ClientKind) async throws {
    let body = String(repeating: " ", count: 400_000)
    let server = try RawServer { exchange in
      let status = exchange.index == 0 ? "200 OK" : "500 No"
      // Otherwise the client may use the connection again while the server closes it.
      exchange.send(Wire.response(["Connection: close"], body, status: status))
      return false
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    let rejection = await #expect(throws: ResponseBuffer.Rejection.self) {
      try await transport.stream(byteLimit: 399_999) { _ in }
    }
    #expect(rejection?.problem == "has more than 399999 bytes")
    let page = try await transport.stream { _ in }
    #expect(page.status == 500 && page.body.count == GraphQLResponse.errorPageLimit)
  }

  @Test("a streamed body may be longer than the limit", arguments: ClientKind.allCases)
  func longerThanLimit(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head(type: "multipart/mixed; boundary=\"-\""))
      for _ in 0..<100 { exchange.send(StreamWire.chunk(String(repeating: "x", count: 1_000))) }
      exchange.send(StreamWire.end)
      return true
    }
    defer { server.stop() }
    var count = 0
    // A session that cannot pause limits the bytes left unread; this consumer leaves none.
    try await kind.transport(server).stream(byteLimit: 200) {
      if case .bytes(let bytes) = $0 { count += bytes.count }
    }
    #expect(count == 100_000)
  }

  @Test("a stream that is cut off delivers what came before", arguments: ClientKind.allCases)
  func cut(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send(Array(StreamWire.head.utf8) + StreamWire.chunk("one") + Array("5\r\ntw".utf8))
      return false
    }
    defer { server.stop() }
    var body = ""
    let transport = kind.transport(server)
    let error = await #expect(throws: URLError.self) {
      try await transport.stream {
        if case .bytes(let bytes) = $0 { body += String(decoding: bytes, as: UTF8.self) }
      }
    }
    #expect(body == "onetw")
    if kind == .standard { #expect(error?.code == .networkConnectionLost) }
  }

  @Test("an error of the consumer ends the transfer", arguments: ClientKind.allCases)
  func consumerErrors(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send(Array(StreamWire.head.utf8) + StreamWire.chunk("one"))
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    for isHead in [true, false] {
      await #expect(throws: Refusal.self) {
        try await transport.stream { event in
          if case .head = event, !isHead { return }
          throw Refusal()
        }
      }
      await server.next(.disconnected)
    }
  }

  @Test("cancelling ends an idle stream", arguments: ClientKind.allCases)
  func cancelIdle(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head)
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    let head = WireGate()
    let task = Task { try await transport.stream { _ in head.open() } }
    await head.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await server.next(.disconnected)
  }

  @Test("cancelling ends a stream whose consumer is busy", arguments: ClientKind.allCases)
  func cancelBusy(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head)
      for _ in 0..<1_000
      where !exchange.send(StreamWire.chunk(String(repeating: "x", count: 10_000))) { break }
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    let (busy, free) = (WireGate(), WireGate())
    let task = Task {
      var isCancelled = false
      try await transport.stream(byteLimit: 1 << 30) { event in
        #expect(!isCancelled)
        guard case .bytes = event else { return }
        busy.open()
        await free.wait()
        isCancelled = true
      }
    }
    await busy.wait()
    task.cancel()
    // The connection ends although the consumer has not returned.
    await server.next(.disconnected)
    free.open()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("a stream that is cancelled before it begins is not sent", arguments: ClientKind.allCases)
  func cancelledBefore(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head + StreamWire.end)
      return true
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    for _ in 0..<20 {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await transport.stream { _ in Issue.record("An event is delivered.") }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    if kind == .standard { #expect(server.connections == 0) }
  }

  @Test("cancelling many streams at arbitrary times leaves the client usable")
  func cancelledAnytime() async throws {
    let server = try RawServer { exchange in
      exchange.send(Array(StreamWire.head.utf8) + StreamWire.chunk("one"))
      return exchange.send(StreamWire.end)
    }
    defer { server.stop() }
    let transport = ClientKind.standard.transport(server)
    for _ in 0..<50 {
      let tasks = (0..<8).map { _ in Task { try await transport.streamedBody() } }
      await Task.yield()
      for task in tasks { task.cancel() }
      for task in tasks {
        switch await task.result {
        case .success(let body): #expect(body == Array("one".utf8))
        case .failure(let error): #expect(error is CancellationError)
        }
      }
    }
    #expect(try await transport.streamedBody() == Array("one".utf8))
  }

  @Test("a complete stream leaves its connection to the next", arguments: ClientKind.allCases)
  func reuse(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send(
        Array(StreamWire.head.utf8) + StreamWire.chunk("\(exchange.index)")
          + Array(StreamWire.end.utf8))
      return true
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    for index in 0..<5 {
      #expect(try await transport.streamedBody() == Array("\(index)".utf8))
    }
    #expect(server.connections == 1)
  }

  @Test("ten open streams do not block a query", arguments: ClientKind.allCases)
  func manyStreams(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      guard exchange.request.lowercased().contains("x-stream") else {
        return exchange.send(Wire.okResponse)
      }
      exchange.send(StreamWire.head)
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    var transport = kind.transport(server)
    let query = transport
    transport.headers["X-Stream"] = "1"
    let (streaming, head) = (transport, WireGate())
    let tasks = (0..<10).map { _ in Task { try await streaming.stream { _ in head.open() } } }
    for _ in tasks { await head.wait() }
    #expect(try await query.execute(.query).status == 200)
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
  }

  @Test("a file can be sent for a streamed response", arguments: ClientKind.allCases)
  func upload(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      let hasFile = exchange.request.contains("the content")
      exchange.send(Array(StreamWire.head.utf8) + StreamWire.chunk("\(hasFile)"))
      return exchange.send(StreamWire.end)
    }
    defer { server.stop() }
    let transport = kind.transport(server)
    var request = GraphQLRequest.mutation
    let file = Upload(Array("the content".utf8), fileName: "a")
    request.uploads = [VariableUpload(path: ["file"], file: file)]
    let boundary = MultipartBody.makeBoundary()
    let exchange = HTTPExchange(
      byteLimit: 1_000, body: try MultipartBody.encode(request, boundary: boundary))
    var body: [UInt8] = []
    _ = try await transport.client.stream(
      transport.httpRequest(for: request, boundary: boundary), exchange
    ) { if case .bytes(let bytes) = $0 { body += bytes } }
    #expect(body == Array("true".utf8))
  }

  @Test("a compressed stream is decoded as it arrives", arguments: ClientKind.allCases)
  func compressed(kind: ClientKind) async throws {
    let received = WireGate()
    // Stored deflate blocks, each complete.
    let texts = ["data: one\n\n", "data: two\n\n"].map { Array($0.utf8) }
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head(["Content-Encoding: gzip"]))
      exchange.send(StreamWire.chunk([31, 139, 8, 0, 0, 0, 0, 0, 2, 3]))
      for text in texts {
        let size = UInt8(text.count)
        exchange.send(StreamWire.chunk([0, size, 0, ~size, 255]))
        for byte in text { exchange.send(StreamWire.chunk([byte])) }
        for _ in text { received.waitOnThread() }
      }
      return false
    }
    defer { server.stop() }
    var body: [UInt8] = []
    let transport = kind.transport(server)
    // The end of the compressed data is missing.
    await #expect(throws: URLError.self) {
      try await transport.stream {
        guard case .bytes(let bytes) = $0 else { return }
        body += bytes
        for _ in bytes { received.open() }
      }
    }
    #expect(body == texts.flatMap(\.self))
  }
}
