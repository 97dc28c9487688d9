#if URLSESSION
  import Foundation
  import RelayStore

  #if canImport(FoundationNetworking)
    import FoundationNetworking
    import RelayNetwork
  #endif

  extension HTTPTransport {
    #if canImport(FoundationNetworking)
      /// Creates a transport that sends with a `URLSession` instead of libcurl.
      ///
      /// A `URLSession` on Linux crashes the process when a connection ends inside a response's
      /// header fields, and receives more than the byte limit before it stops. Use it only where
      /// libcurl cannot be loaded, as with the static SDK for Linux.
      ///
      /// - Parameters:
      ///   - url: The URL of the GraphQL endpoint.
      ///   - headers: The header fields of every request.
      ///   - timeout: The idle timeout; see ``/RelayNetwork/HTTPTransport/timeout``.
      ///   - connectionsPerHost: The maximum number of connections to one host, not counting
      ///     streamed responses. A session passed as `session` has its own limit.
      ///   - session: A session with its proxies, cache and cookies; with `nil`, the transport
      ///     creates one without cookies and cache. The transport sends with copies of the session
      ///     and calls its delegate only for authentication.
      public init(
        url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60),
        connectionsPerHost: Int = 6, session: URLSession?
      ) {
        self.init(
          url: url, headers: headers, timeout: timeout,
          client: SessionClient(session, connectionsPerHost: connectionsPerHost))
      }
    #else
      /// Creates a transport.
      ///
      /// - Parameters:
      ///   - url: The URL of the GraphQL endpoint.
      ///   - headers: The header fields of every request.
      ///   - timeout: The idle timeout; see ``timeout``.
      ///   - connectionsPerHost: The maximum number of connections to one host, not counting
      ///     streamed responses. HTTP/2 requests share a connection. A session passed as `session`
      ///     has its own limit.
      ///   - session: A session with its proxies, cache and cookies; by default, the transport
      ///     creates one without cookies and cache.
      public init(
        url: URL, headers: [String: String] = [:], timeout: Duration = .seconds(60),
        connectionsPerHost: Int = 6, session: URLSession? = nil
      ) {
        self.init(
          url: url, headers: headers, timeout: timeout,
          client: SessionClient(session, connectionsPerHost: connectionsPerHost))
      }
    #endif
  }
#endif
