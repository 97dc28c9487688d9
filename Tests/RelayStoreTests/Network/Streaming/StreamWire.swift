import Dispatch
import Foundation
import Testing

@testable import RelayNetwork
@testable import RelayStore

/// Streamed responses on the wire.
enum StreamWire {
  static let head = head()

  static func head(_ fields: [String] = [], type: String = "text/event-stream") -> String {
    (["HTTP/1.1 200 OK", "Content-Type: \(type)", "Transfer-Encoding: chunked"] + fields
      + ["", ""]).joined(separator: "\r\n")
  }

  /// The end of a chunked body.
  static let end = "0\r\n\r\n"

  static func chunk(_ bytes: some Collection<UInt8>) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
  }

  static func chunk(_ text: String) -> [UInt8] { chunk(Array(text.utf8)) }
}

/// A counting gate between a server's thread and a test's task. Either side can wait for the other.
final class WireGate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let (stream, continuation) = AsyncStream<Void>.makeStream()

  /// Lets one waiting thread or task pass.
  func open() {
    semaphore.signal()
    continuation.yield()
  }

  /// Blocks a server's thread.
  func waitOnThread() { semaphore.wait() }

  func wait() async { for await _ in stream { return } }
}

extension HTTPTransport {
  /// Sends a query, and passes on its streamed response.
  @discardableResult
  func stream(
    timeout: Duration? = nil, byteLimit: Int = 1 << 20,
    _ receive: (HTTPStreamEvent) async throws -> Void
  ) async throws -> HTTPResponse {
    let exchange = HTTPExchange(byteLimit: byteLimit, streamTimeout: timeout)
    return try await client.stream(httpRequest(for: .query), exchange, receive)
  }

  /// Sends a query, and returns its complete streamed response.
  func streamedBody(timeout: Duration? = nil) async throws -> [UInt8] {
    var body: [UInt8] = []
    try await stream(timeout: timeout) { if case .bytes(let bytes) = $0 { body += bytes } }
    return body
  }
}

extension ClientKind {
  /// Whether the client stops reading while the consumer of a stream is busy.
  var canPause: Bool {
    #if canImport(FoundationNetworking)
      self == .standard
    #else
      true
    #endif
  }
}
