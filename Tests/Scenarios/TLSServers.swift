#if os(Linux)
  import Foundation
  import RelayNetwork
  import RelayStore

  /// The servers of Tests/Integration/TLS and their certificates: one process shared by all tests.
  struct TLSServers: Sendable {
    enum Name: String, Codable {
      case valid, http1, expired, plain
      case wrongHost = "wrong-host"
      case unknownIssuer = "unknown-issuer"
      case selfSigned = "self-signed"
      case clientCertificateTLS12 = "client-certificate-1.2"
      case clientCertificateTLS13 = "client-certificate-1.3"
      case unasked
      case tickets
      case pings
    }

    /// The servers' description of themselves, printed at the start.
    private struct Summary: Decodable {
      var ports: [String: Int]
      var proxy: Int
      var folder: String
    }

    private let process: PythonProcess
    private let summary: Summary

    private static let start = Task { try await TLSServers() }

    /// The servers, started by the first call.
    static func shared() async throws -> TLSServers { try await start.value }

    private init() async throws {
      process = try await PythonProcess("TLS")
      summary = try JSONDecoder().decode(Summary.self, from: Data(process.line.utf8))
    }

    /// Returns the proxy's address, with its credentials.
    func proxy(user: String? = "user:password") -> String {
      "http://" + (user.map { $0 + "@" } ?? "") + "127.0.0.1:\(summary.proxy)"
    }

    func url(of server: Name, scheme: String = "https") -> URL {
      URL(string: "\(scheme)://127.0.0.1:\(summary.ports[server.rawValue] ?? 0)/graphql")
        ?? URL(filePath: "/")
    }

    func certificate(_ name: String) -> URL {
      URL(filePath: summary.folder).appending(path: "\(name).pem")
    }

    /// Returns a transport that trusts the tests' certificate authority.
    func transport(to server: Name, client: String? = nil) -> HTTPTransport {
      HTTPTransport(
        url: url(of: server), timeout: .seconds(30),
        certificates: .init(
          authorities: certificate("authority"), client: client.map(certificate)))
    }
  }

  /// The servers' response.
  private struct ProtocolResponse: Decodable {
    struct Fields: Decodable {
      var `protocol`: String
      /// The number of the connection; only from servers that send bytes after a response.
      var connection: Int?
    }
    var data: Fields
  }

  extension Transport {
    /// Returns the HTTP version of a connection to one of the servers.
    func protocolVersion() async throws -> String { try await answer(to: "Protocol").protocol }

    /// Returns the number of the connection that carried a request.
    func connectionNumber(_ kind: OperationKind = .query) async throws -> Int? {
      try await answer(to: "Protocol", kind).connection
    }

    /// Waits for the arrival of the bytes that a server sends after its responses.
    func settle() async throws { _ = try await answer(to: "Settle") }

    private func answer(
      to operation: String, _ kind: OperationKind = .query
    ) async throws -> ProtocolResponse.Fields {
      let request = GraphQLRequest(
        operationName: operation, kind: kind, text: "query \(operation) { protocol }")
      let response = try await execute(request)
      return try JSONDecoder().decode(ProtocolResponse.self, from: Data(response.body)).data
    }

    /// Returns the error of a connection on which no request succeeds; `nil` if one does.
    func failure() async -> RelayError? {
      do {
        _ = try await protocolVersion()
        return nil
      } catch {
        return error as? RelayError
      }
    }
  }

  extension RelayError {
    /// The kind of the connection's failure.
    var fault: URLError.Code? { (underlying as? URLError)?.code }
  }
#endif
