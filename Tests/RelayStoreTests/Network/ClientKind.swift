import Foundation
import RelayNetwork
import RelayStore
import RelayURLSession
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The clients that `HTTPTransport` can send with.
enum ClientKind: CaseIterable {
  case standard, session

  func transport(
    _ server: RawServer, headers: [String: String] = [:], timeout: Duration = .seconds(60)
  ) -> HTTPTransport {
    transport(server.url, headers: headers, timeout: timeout)
  }

  func transport(
    _ url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60)
  ) -> HTTPTransport {
    switch self {
    case .standard: HTTPTransport(url: url, headers: headers, timeout: timeout)
    case .session:
      HTTPTransport(
        url: url, headers: headers, timeout: timeout,
        session: URLSession(configuration: .ephemeral))
    }
  }

  /// Whether the process survives a connection that ends within the header fields.
  var survivesTruncatedHeaders: Bool {
    #if canImport(FoundationNetworking)
      self == .standard
    #else
      true
    #endif
  }
}

/// HTTP responses as strings, and the failures that they cause.
enum Wire {
  static let body = #"{"data":{"feed":[]}}"#
  static let okResponse = response(["Content-Type: application/json"], body)

  static func response(
    _ fields: [String], _ body: String, status: String = "200 OK"
  ) -> String {
    (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields + ["", body])
      .joined(separator: "\r\n")
  }

  static func failure(_ transport: HTTPTransport) async -> RelayError? {
    await #expect(throws: RelayError.self) { try await transport.execute(.query) }
  }
}
