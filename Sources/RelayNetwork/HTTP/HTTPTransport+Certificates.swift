#if os(Linux)
  import RelayStore
  import Foundation
  import FoundationNetworking

  extension HTTPTransport {
    /// The TLS certificates of a transport that sends with libcurl: PEM files, read for each
    /// connection.
    ///
    /// On Apple platforms, the delegate of a `URLSession` provides certificates.
    public struct Certificates: Hashable, Sendable {
      /// The certificate authorities that server certificates are verified against, instead of the
      /// system's.
      public var authorities: URL?
      /// The client certificate, its chain and its unencrypted private key in one file, for servers
      /// that request a client certificate.
      public var client: URL?

      /// Creates the certificates of a transport. By default, servers are verified against the
      /// system's authorities, and no client certificate is presented.
      public init(authorities: URL? = nil, client: URL? = nil) {
        self.authorities = authorities
        self.client = client
      }
    }

    /// Creates a transport with its own certificates.
    ///
    /// Every request fails if libcurl is not a library of its own (the static SDK) or is older than
    /// 7.68: nothing is sent without the certificates.
    public init(
      url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60),
      connectionsPerHost: Int = 6, certificates: Certificates
    ) {
      self.url = url
      self.headers = headers
      self.timeout = timeout
      client = Self.makeClient(certificates: certificates, connectionsPerHost: connectionsPerHost)
    }

    private static func makeClient(
      certificates: Certificates, connectionsPerHost: Int
    ) -> any HTTPClient {
      #if canImport(Glibc)
        if let client = CurlClient(
          certificates: certificates, connectionsPerHost: connectionsPerHost)
        {
          return client
        }
      #endif
      return UnsupportedClient()
    }
  }

  /// A client that fails every request, where no client supports certificates.
  private struct UnsupportedClient: HTTPClient {
    func send(_ request: URLRequest, _ exchange: HTTPExchange) async throws -> HTTPResponse {
      throw error
    }

    func stream(
      _ request: URLRequest, _ exchange: HTTPExchange,
      _ receive: (HTTPStreamEvent) async throws -> Void
    ) async throws -> HTTPResponse {
      throw error
    }

    private var error: CocoaError {
      CocoaError(
        .featureUnsupported,
        userInfo: [NSLocalizedDescriptionKey: "There is no libcurl to send with these certificates"]
      )
    }
  }
#endif
