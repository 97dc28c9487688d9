import Foundation
import RelayStore

/// The real GraphQL server of Tests/Integration: one process for all tests, which ends with them.
final class PythonServer: Sendable {
  enum Failure: Error { case noPort }

  /// Where the server listens.
  let url: URL
  private let process: PythonProcess

  private static let start = Task { try await PythonServer() }

  /// The server, started when first asked for.
  static func shared() async throws -> PythonServer { try await start.value }

  private init() async throws {
    process = try await PythonProcess("Server")
    guard let digits = process.line.split(separator: " ").last, let port = Int(digits),
      let url = URL(string: "http://127.0.0.1:\(port)")
    else { throw Failure.noPort }
    self.url = url
  }

  /// A way to it whose data no other test shares.
  func transport() -> HTTPTransport {
    HTTPTransport(
      url: url.appending(path: "graphql"), headers: ["X-Session": UUID().uuidString],
      timeout: .seconds(30))
  }

  /// A route that answers badly.
  func transport(_ misbehaviour: Misbehaviour) -> HTTPTransport {
    HTTPTransport(
      url: url.appending(path: "misbehave/\(misbehaviour.rawValue)"), timeout: .seconds(30))
  }
}
