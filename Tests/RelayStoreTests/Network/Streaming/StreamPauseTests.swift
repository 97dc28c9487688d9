import Foundation
import Testing

@testable import RelayNetwork
@testable import RelayStore

@Suite("Back pressure and idle time of streams", .timeLimit(.minutes(1)))
struct StreamPauseTests {
  private static let block = [UInt8](repeating: UInt8(ascii: "x"), count: 4_000)
  private static let blockCount = 64 << 20 / block.count

  @Test(
    "the client stops reading while the consumer is busy, and goes on after that",
    arguments: ClientKind.allCases.filter(\.canPause))
  func pause(kind: ClientKind) async throws {
    let (blocked, sentCount) = (WireGate(), Locked(0))
    let server = try RawServer { exchange in
      exchange.send(StreamWire.head)
      var isBlocked = false
      for _ in 0..<Self.blockCount {
        if !isBlocked, exchange.isBlocked(forMilliseconds: 400) {
          isBlocked = true
          blocked.open()
        }
        exchange.send(StreamWire.chunk(Self.block))
        sentCount.withLock { $0 += 1 }
      }
      if !isBlocked { blocked.open() }
      return exchange.send(StreamWire.end)
    }
    defer { server.stop() }
    var (size, longest) = (0, 0)
    // The client's pause does not count as idle time.
    try await kind.transport(server).stream(timeout: .milliseconds(200)) { event in
      guard case .bytes(let bytes) = event else { return }
      if size == 0 {
        await blocked.wait()
        #expect(sentCount.withLock { $0 } < Self.blockCount)
      }
      size += bytes.count
      longest = max(longest, bytes.count)
    }
    #expect(size == Self.blockCount * Self.block.count)
    if kind == .standard {
      #expect(longest >= ResponsePipe.highWaterMark)
      #expect(longest < ResponsePipe.highWaterMark + 64 * 1024)
    }
  }

  @Test("a stream that decodes to far more than is sent is buffered up to the same mark")
  func bomb() async throws {
    let bomb = try #require(
      HostileHTTPResponses.cases.first { $0.name == "a gzip bomb in chunks" })
    let head = bomb.head.replacing(
      "\r\n\r\n", with: "\r\nContent-Type: text/event-stream\r\n\r\n")
    let server = try RawServer { exchange in
      exchange.send(Array(head.utf8) + bomb.start)
      for _ in 0..<100 where !exchange.send(bomb.part) { break }
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    var (size, longest) = (0, 0)
    await #expect(throws: CancellationError.self) {
      try await ClientKind.standard.transport(server).stream {
        guard case .bytes(let bytes) = $0 else { return }
        size += bytes.count
        longest = max(longest, bytes.count)
        // The last bytes may be waiting for more.
        if size >= 99 * 2_000_000 { throw CancellationError() }
      }
    }
    #expect(longest < ResponsePipe.highWaterMark + 64 * 1024)
  }

  #if canImport(FoundationNetworking)
    @Test("a session that cannot pause ends a stream that arrives faster than it is consumed")
    func backlog() async throws {
      let server = try RawServer { exchange in
        exchange.send(StreamWire.head)
        // The loop has an end: a session on Linux may continue to receive after it was told to
        // stop.
        for _ in 0..<2_000 where !exchange.send(StreamWire.chunk(Self.block)) { break }
        exchange.waitForEnd()
        return false
      }
      defer { server.stop() }
      let transport = ClientKind.session.transport(server)
      var isFirst = true
      let rejection = await #expect(throws: ResponseBuffer.Rejection.self) {
        try await transport.stream(byteLimit: 1 << 20) {
          guard case .bytes = $0, isFirst else { return }
          isFirst = false
          await server.next(.disconnected)
        }
      }
      #expect(rejection?.problem == "arrives faster than it is consumed")
    }
  #endif

  @Test("the idle timeout of the request ends with the head", arguments: ClientKind.allCases)
  func headTimeout(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      if exchange.index > 0 {
        exchange.send(StreamWire.head)
        exchange.wait(milliseconds: 600)
        exchange.send(StreamWire.chunk("late"))
        return exchange.send(StreamWire.end)
      }
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let transport = kind.transport(server, timeout: .milliseconds(300))
    let error = await #expect(throws: URLError.self) { try await transport.streamedBody() }
    #expect(error?.code == .timedOut)
    #expect(try await transport.streamedBody() == Array("late".utf8))
  }

  @Test("a stream has its own idle timeout on request", arguments: ClientKind.allCases)
  func streamTimeout(kind: ClientKind) async throws {
    let server = try RawServer { exchange in
      exchange.send(Array(StreamWire.head.utf8) + StreamWire.chunk("one"))
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    var count = 0
    let transport = kind.transport(server)
    let error = await #expect(throws: URLError.self) {
      try await transport.stream(timeout: .milliseconds(50)) { _ in count += 1 }
    }
    #expect(error?.code == .timedOut && count == 2)
    await server.next(.disconnected)
  }

  @Test("a pipe delivers what precedes its end, in order")
  func order() async throws {
    let pipe = ResponsePipe()
    var response = HTTPResponse()
    response.status = 200
    pipe.begin(response)
    for text in ["one", "two"] { Array(text.utf8).withUnsafeBytes { pipe.append($0) } }
    pipe.end(.failure(URLError(.networkConnectionLost)))
    pipe.end(.success(response))
    var events: [String] = []
    await #expect(throws: URLError(.networkConnectionLost)) {
      try await pipe.consume(resume: {}) { event in
        switch event {
        case .head(let head): events.append("\(head.status)")
        case .bytes(let bytes): events.append(String(decoding: bytes, as: UTF8.self))
        }
      }
    }
    #expect(events == ["200", "onetwo"])
  }

  @Test("a pipe is paused from its high-water mark until it is emptied")
  func marks() async throws {
    let pipe = ResponsePipe()
    let half = [UInt8](repeating: 0, count: ResponsePipe.highWaterMark / 2)
    half.withUnsafeBytes { pipe.append($0) }
    #expect(!pipe.pauseIfFull() && !pipe.endPause())
    half.withUnsafeBytes { pipe.append($0) }
    #expect(pipe.pauseIfFull() && pipe.isPaused && !pipe.endPause())
    pipe.end(.success(HTTPResponse()))
    var resumptions = 0
    _ = try await pipe.consume(resume: { resumptions += 1 }) { _ in
      #expect(pipe.endPause() && !pipe.endPause())
    }
    #expect(resumptions == 1 && !pipe.isPaused)
  }

  @Test("a closed pipe ends at once, and ends a pause")
  func closed() async throws {
    let pipe = ResponsePipe()
    let bytes = [UInt8](repeating: 0, count: ResponsePipe.highWaterMark)
    bytes.withUnsafeBytes { pipe.append($0) }
    #expect(pipe.pauseIfFull())
    pipe.close()
    #expect(pipe.endPause() && pipe.size == 0)
    bytes.withUnsafeBytes { pipe.append($0) }
    #expect(!pipe.pauseIfFull() && pipe.size == 0)
    await #expect(throws: CancellationError.self) {
      try await pipe.consume(resume: {}) { _ in Issue.record("An event is delivered.") }
    }
  }
}
