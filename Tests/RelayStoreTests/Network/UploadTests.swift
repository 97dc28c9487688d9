import Foundation
import RelayStoreTesting
import Testing

@testable import RelayNetwork
@testable import RelayStore

/// A file in its own folder, removed with this object.
final class TemporaryFile: Sendable {
  let url: URL
  private let folder: URL

  init(_ bytes: [UInt8] = [], size: Int? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    url = folder.appendingPathComponent("photo.png")
    try Data(bytes).write(to: url)
    guard let size else { return }
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: UInt64(size))
    try file.close()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

extension GraphQLRequest {
  /// A request that uploads a file.
  static func uploading(_ file: Upload, kind: OperationKind = .mutation) -> GraphQLRequest {
    var request = GraphQLRequest(
      operationName: "SetAvatar", kind: kind, text: "mutation SetAvatar",
      variables: ["file": .null])
    request.uploads = [VariableUpload(path: ["file"], file: file)]
    return request
  }
}

/// A stream of `count` chunks; each repeats its number 1,000 times.
func chunks(_ count: UInt8) -> AsyncStream<[UInt8]> {
  AsyncStream { continuation in
    for number in 0..<count {
      continuation.yield([UInt8](repeating: 0x30 + number, count: 1_000))
    }
    continuation.finish()
  }
}

@Suite("Uploads", .timeLimit(.minutes(1)))
struct UploadTests {
  /// The content of the upload in a multipart request, without the framing of chunks.
  private static func content(of request: String) -> String? {
    guard let start = request.range(of: "filename="),
      let begin = request[start.upperBound...].range(of: "\r\n\r\n"),
      let end = request[begin.upperBound...].range(of: "\r\n--RelayStore-")
    else { return nil }
    return String(request[begin.upperBound..<end.lowerBound])
  }

  private static func length(of request: String) -> Int? {
    let head = request.lowercased()
    return head.range(of: "content-length: ").flatMap {
      Int(head[$0.upperBound...].prefix { $0.isNumber })
    }
  }

  @Test(
    "bytes, data, a file and a stream with a length arrive as they are, after their length",
    arguments: ClientKind.allCases)
  func arrives(kind: ClientKind) async throws {
    let requests = Locked<[String]>([])
    let server = try RawServer { exchange in
      requests.withLock { $0.append(exchange.request) }
      exchange.send(Wire.okResponse)
      return true
    }
    defer { server.stop() }
    let bytes = (0..<600_000).map { UInt8(0x30 + $0 % 64) }
    let file = try TemporaryFile(bytes)
    let single = AsyncStream<UInt8> { continuation in
      for byte in bytes { continuation.yield(byte) }
      continuation.finish()
    }
    let parts: [ArraySlice<UInt8>] = [
      bytes[..<100_000], bytes[100_000..<100_001], [], bytes[100_001...],
    ]
    let several = AsyncStream<ArraySlice<UInt8>> { continuation in
      for part in parts { continuation.yield(part) }
      continuation.finish()
    }
    let uploads = [
      Upload(bytes, fileName: "a"), Upload(Data(bytes), fileName: "a"), Upload(file: file.url),
      Upload(stream: several, length: bytes.count, fileName: "a"),
      Upload(stream: single, length: bytes.count, fileName: "a"),
    ]
    let transport = kind.transport(server)
    for upload in uploads {
      #expect(try await transport.execute(.uploading(upload)).status == 200)
    }
    let received = requests.withLock { $0 }
    #expect(received.count == uploads.count)
    for request in received {
      #expect(Self.content(of: request)?.utf8.elementsEqual(bytes) == true)
      let end = try #require(request.range(of: "\r\n\r\n")?.upperBound)
      #expect(Self.length(of: request) == request[end...].utf8.count)
    }
    #expect(received[2].contains("filename=\"photo.png\""))
  }

  @Test("a stream without a length is sent in chunks", arguments: ClientKind.allCases)
  func withoutLength(kind: ClientKind) async throws {
    let head = Locked("")
    let server = try RawServer(reading: .draining) { exchange in
      head.withLock { $0 = exchange.request }
      exchange.send(Wire.okResponse)
      return true
    }
    defer { server.stop() }
    let upload = Upload(stream: chunks(3), fileName: "a")
    #expect(try await kind.transport(server).execute(.uploading(upload)).status == 200)
    // A session sends a temporary file, whose length is known.
    let isChunked = head.withLock { $0.contains("transfer-encoding: chunked\r\n") }
    #expect(isChunked == (kind == .standard) || Self.length(of: head.withLock { $0 }) != nil)
  }

  @Test(
    "an upload at several places is one part with several paths", arguments: ClientKind.allCases)
  func severalPlaces(kind: ClientKind) async throws {
    let body = Locked("")
    let server = try RawServer { exchange in
      body.withLock { $0 = exchange.request }
      exchange.send(Wire.okResponse)
      return true
    }
    defer { server.stop() }
    let file = try TemporaryFile(Array("file".utf8))
    let stream = Upload(stream: chunks(2), length: 2_000, fileName: "s")
    let (bytes, other) = (Upload([0x61], fileName: "b"), Upload([0x62], fileName: "b"))
    let variables: Variables = [
      "first": stream, "files": [bytes, stream, Upload(file: file.url), other],
      "last": [Upload([0x61], fileName: "b"), Upload(file: file.url)],
    ]
    var request = GraphQLRequest(
      operationName: "Add", kind: .mutation, text: "mutation Add", variables: variables.json)
    request.uploads = variables.uploads
    #expect(try await kind.transport(server).execute(request).status == 200)
    let text = body.withLock { $0 }
    let map = [
      #""0":["variables.first","variables.files.1"]"#,
      #""1":["variables.files.0","variables.last.0"]"#,
      #""2":["variables.files.2","variables.last.1"]"#, #""3":["variables.files.3"]"#,
    ]
    #expect(text.contains("{" + map.joined(separator: ",") + "}"))
    #expect(text.components(separatedBy: "filename=").count == 5)
  }

  @Test("a stream with two names, and a media type with a line break, are errors that say so")
  func invalidParts() async throws {
    let server = try RawServer { _ in false }
    defer { server.stop() }
    let stream = Upload(stream: chunks(1), fileName: "a.png")
    var renamed = stream
    renamed.fileName = "b.png"
    let rows = [
      ([stream, renamed], "The stream of \"a.png\" is sent as \"b.png\" too"),
      (
        [Upload([1], fileName: "c.png", contentType: "image/png\r\nX: y")],
        "The media type of \"c.png\" contains a line break"
      ),
    ]
    for (uploads, message) in rows {
      var request = GraphQLRequest.mutation
      request.uploads = uploads.enumerated().map { VariableUpload(path: ["\($0)"], file: $1) }
      let error = await #expect(throws: RelayError.self) {
        try await ClientKind.standard.transport(server).execute(request)
      }
      #expect(error?.code == .request && error?.message.contains(message) == true)
    }
    #expect(server.connections == 0)
  }

  @Test("the content of each kind of upload can be read by a custom transport")
  func contents() async throws {
    let bytes = [UInt8](repeating: 7, count: 600_000)
    let file = try TemporaryFile(bytes)
    #expect(try await Upload(bytes, fileName: "a").contents() == bytes)
    #expect(try await Upload(file: file.url).contents() == bytes)
    let stream = Upload(stream: chunks(2), fileName: "a.txt")
    #expect(try await stream.contents().count == 2_000)
    let error = await #expect(throws: RelayError.self) { try await stream.contents() }
    #expect(error?.code == .request && error?.message.contains("\"a.txt\"") == true)
    #expect(stream == stream && stream != Upload(stream: chunks(2), fileName: "a.txt"))
  }

  @Test("a file that cannot be read is an error that names it", arguments: ClientKind.allCases)
  func unreadable(kind: ClientKind) async throws {
    let server = try RawServer { _ in false }
    defer { server.stop() }
    let folder = FileManager.default.temporaryDirectory
    for (url, reason) in [
      (folder.appendingPathComponent("none-\(UUID().uuidString)"), "No such file or directory"),
      (folder, "it is not a regular file"),
    ] {
      let error = await #expect(throws: RelayError.self) {
        try await kind.transport(server).execute(.uploading(Upload(file: url)))
      }
      #expect(error?.code == .request && error?.operationName == "SetAvatar")
      #expect(error?.message.contains("\"\(url.path)\"") == true)
      #expect(error?.message.contains(reason) == true)
    }
    #expect(server.connections == 0)
  }

  private struct Broken: Error {}

  @Test(
    "a stream that fails, or has another length than declared, is an error that names it",
    arguments: ClientKind.allCases)
  func wrongStreams(kind: ClientKind) async throws {
    let server = try RawServer(reading: .draining) { _ in false }
    defer { server.stop() }
    let broken = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Broken()) }
    let rows: [(Upload, String)] = [
      (Upload(stream: broken, fileName: "a.png"), "failed: Broken()"),
      (Upload(stream: chunks(3), length: 3_001, fileName: "a.png"), "has 3000 bytes instead of"),
      (Upload(stream: chunks(3), length: 2_999, fileName: "a.png"), "more than the declared 2999"),
    ]
    for (upload, words) in rows {
      let error = await #expect(throws: RelayError.self) {
        try await kind.transport(server).execute(.uploading(upload))
      }
      #expect(error?.code == .request && error?.isRetryable == false)
      #expect(error?.message.hasPrefix("The stream of \"a.png\" ") == true)
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test("a stream is sent while it is produced", arguments: [nil, 2_000])
  func incremental(length: Int?) async throws {
    let (chunks, continuation) = AsyncStream<[UInt8]>.makeStream()
    let server = try RawServer(reading: .head) { exchange in
      // The head arrives before the stream has any bytes.
      continuation.yield([UInt8](repeating: 0x61, count: 2_000))
      continuation.finish()
      exchange.wait(milliseconds: -1)
      exchange.send(Wire.response(["Connection: close"], Wire.body))
      // Closing a connection with unread bytes resets it, and the response is lost.
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let upload = Upload(stream: chunks, length: length, fileName: "a")
    let response = try await ClientKind.standard.transport(server).execute(.uploading(upload))
    #expect(response.status == 200)
  }

  @Test("a server that rejects a request need not wait for its stream")
  func rejectedEarly() async throws {
    let server = try RawServer(reading: .head) { exchange in
      exchange.send(Wire.response([], "too large", status: "413 Too Large"))
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let (idle, continuation) = AsyncStream<[UInt8]>.makeStream()
    let error = await #expect(throws: RelayError.self) {
      try await ClientKind.standard.transport(server).execute(
        .uploading(Upload(stream: idle, length: 1 << 20, fileName: "a")))
    }
    #expect(error?.status == 413)
    continuation.finish()
  }

  @Test("a cancelled request ends its stream", arguments: ClientKind.allCases)
  func cancelled(kind: ClientKind) async throws {
    let server = try RawServer(reading: .head) { exchange in
      exchange.waitForEnd()
      return false
    }
    defer { server.stop() }
    let (nothing, never) = AsyncStream<Void>.makeStream()
    let (reads, read) = AsyncStream<Void>.makeStream()
    let (ends, ended) = AsyncStream<Void>.makeStream()
    let idle = AsyncStream<[UInt8]>(
      unfolding: {
        read.finish()
        for await _ in nothing {}
        return nil
      }, onCancel: { ended.finish() })
    let transport = kind.transport(server)
    let task = Task {
      try await transport.execute(.uploading(Upload(stream: idle, fileName: "a")))
    }
    if kind == .standard { await server.next(.waiting) }
    for await _ in reads {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    for await _ in ends {}
    never.finish()
  }

  @Test("a body whose length Int cannot hold is sent without a length")
  func greatestLength() throws {
    var body = RequestBody()
    body.append("a")
    #expect(body.length == 1)
    try body.append(
      Upload(stream: AsyncStream<[UInt8]> { $0.finish() }, length: .max, fileName: "large.bin"))
    #expect(body.length == nil)
    body.append("b")
    #expect(body.length == nil)
  }

  #if os(Linux)
    @Test("a file of 200 MB is sent in less than 8 MB of memory")
    func memory() async {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let size = 200 << 20
        let file = try TemporaryFile(size: size)
        let server = try RawServer(reading: .draining) { exchange in
          #expect(exchange.index % 2 == 0 || exchange.bodySize > size)
          exchange.send(Wire.okResponse)
          return true
        }
        defer { server.stop() }
        for kind in ClientKind.allCases {
          let transport = kind.transport(server)
          // The first request allocates lasting memory: the thread and the connection's buffers.
          _ = try await transport.execute(.mutation)
          try Memory.resetPeak()
          let before = try Memory.kilobytes("VmRSS")
          let progress = TransferProgress()
          let request = GraphQLRequest.uploading(Upload(file: file.url))
          request.context.progress = progress
          _ = try await transport.execute(request)
          let growth = try Memory.kilobytes("VmHWM") - before
          print("\(kind): \(growth) KiB for \(size >> 10) KiB")
          if kind == .standard {
            #expect(progress.current.sent.count > size)
            #expect(growth < 8 << 10)
          }
        }
      }
      print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
  #endif
}
