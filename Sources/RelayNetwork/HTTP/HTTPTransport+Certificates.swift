#if !canImport(Darwin)
  import Foundation
  import RelayStore

  extension HTTPTransport {
    /// The TLS certificates of a transport that sends with libcurl: PEM files, read for each
    /// connection.
    ///
    /// On Apple platforms, the delegate of a `URLSession` provides certificates.
    public struct Certificates: Hashable, Sendable {
      /// The certificate authorities trusted to sign server certificates, instead of the system's.
      public var authorities: URL?
      /// A file with the client certificate, its chain and its unencrypted private key, for servers
      /// that request a client certificate.
      public var client: URL?

      /// Creates the certificates of a transport. By default, the system's authorities are trusted,
      /// and no client certificate is presented.
      public init(authorities: URL? = nil, client: URL? = nil) {
        self.authorities = authorities
        self.client = client
      }
    }

    /// Creates a transport that sends with the system's libcurl, loaded by its first request.
    ///
    /// Every request fails when libcurl is missing or older than 7.68. The RelayURLSession product
    /// has a transport that sends with a `URLSession` instead.
    ///
    /// - Parameters:
    ///   - url: The URL of the GraphQL endpoint.
    ///   - headers: The header fields of every request.
    ///   - timeout: The idle timeout; see ``timeout``.
    ///   - connectionsPerHost: The maximum number of connections to one host, not counting streamed
    ///     responses. HTTP/2 requests share a connection.
    ///   - certificates: The certificates; by default, the system's authorities and no client
    ///     certificate.
    public init(
      url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60),
      connectionsPerHost: Int = 6, certificates: Certificates = Certificates()
    ) {
      #if os(Linux) && canImport(Glibc)
        let client = CurlClient(certificates: certificates, connectionsPerHost: connectionsPerHost)
      #else
        let client = UnsupportedClient()
      #endif
      self.init(url: url, headers: headers, timeout: timeout, client: client)
    }
  }

  /// A client that fails every request, for the static SDK for Linux, where no library can be
  /// loaded.
  private struct UnsupportedClient: HTTPClient {
    func send(_ request: HTTPRequest, _ exchange: HTTPExchange) async throws -> HTTPResponse {
      throw RelayError.noLibCurl
    }

    func stream(
      _ request: HTTPRequest, _ exchange: HTTPExchange,
      _ receive: (HTTPStreamEvent) async throws -> Void
    ) async throws -> HTTPResponse {
      throw RelayError.noLibCurl
    }
  }

  extension RelayError {
    /// The error of a request when libcurl is missing or older than 7.68.
    static var noLibCurl: RelayError {
      RelayError(
        .transport,
        """
        HTTPTransport needs libcurl 7.68 or later. Install libcurl4 (Debian, Ubuntu) or libcurl (Fedora), or send with \
        a URLSession: HTTPTransport(url:session:) of the product RelayURLSession.
        """)
    }
  }
#endif
