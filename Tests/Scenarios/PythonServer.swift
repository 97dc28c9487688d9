import Foundation
import RelayNetwork
import RelayStore

/// The real GraphQL server of Tests/Integration: one process shared by all tests, which ends with
/// them.
final class PythonServer: Sendable {
  enum Failure: Error { case noPort }

  /// The server's address.
  let url: URL
  private let process: PythonProcess

  private static let start = Task { try await PythonServer() }

  /// The server, started by the first call.
  static func shared() async throws -> PythonServer { try await start.value }

  private init() async throws {
    process = try await PythonProcess("Server")
    guard let digits = process.line.split(separator: " ").last, let port = Int(digits),
      let url = URL(string: "http://127.0.0.1:\(port)")
    else { throw Failure.noPort }
    self.url = url
  }

  /// Returns a transport with its own session, whose data no other test shares.
  func transport() -> HTTPTransport {
    HTTPTransport(
      url: url.appending(path: "graphql"), headers: ["X-Session": UUID().uuidString],
      timeout: .seconds(30))
  }

  /// Returns a transport to a route that responds badly.
  func transport(_ misbehaviour: Misbehaviour) -> HTTPTransport {
    HTTPTransport(
      url: url.appending(path: "misbehave/\(misbehaviour.rawValue)"), timeout: .seconds(30))
  }
}
