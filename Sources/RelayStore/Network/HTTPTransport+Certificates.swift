#if os(Linux)
  import Foundation
  import FoundationNetworking

  extension HTTPTransport {
    /// The certificates of a transport that sends by libcurl: PEM files, read for each connection.
    ///
    /// On Apple's platforms they are the delegate's of a `URLSession`.
    public struct Certificates: Hashable, Sendable {
      /// The authorities that servers' certificates are checked against, instead of the system's.
      public var authorities: URL?
      /// The client's certificate, its chain and its private key without a password, in one file, for
      /// servers that ask for it.
      public var client: URL?

      public init(authorities: URL? = nil, client: URL? = nil) {
        self.authorities = authorities
        self.client = client
      }
    }

    /// A transport with certificates of its own.
    ///
    /// Where libcurl is not a library of its own (the static SDK) or older than 7.68, every request
    /// fails: nothing is sent without the certificates.
    public init(
      url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60),
      certificates: Certificates
    ) {
      self.url = url
      self.headers = headers
      self.timeout = timeout
      client = Self.makeClient(certificates: certificates)
    }

    private static func makeClient(certificates: Certificates) -> any HTTPClient {
      #if canImport(Glibc) && (arch(x86_64) || arch(arm64))
        if let client = CurlClient(certificates: certificates) { return client }
      #endif
      return NoClient()
    }
  }

  /// The client where there is none that knows certificates.
  private struct NoClient: HTTPClient {
    func send(_ request: URLRequest, byteLimit: Int) async throws -> HTTPAnswer {
      throw CocoaError(
        .featureUnsupported,
        userInfo: [NSLocalizedDescriptionKey: "There is no libcurl to send with these certificates"]
      )
    }
  }
#endif
