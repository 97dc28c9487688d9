#if os(Linux) && canImport(Glibc)
  import Foundation

  extension LibCurl {
    /// Sets the options of a raw connection for a WebSocket.
    ///
    /// - Throws: `URLError` for a URL or an option that is not supported.
    func setOptions(
      of easy: Handle, to url: URL, certificates: HTTPTransport.Certificates
    ) throws {
      guard let origin = WebSocketOrigin(url) else { throw error(Code.unsupportedProtocol) }
      func check(_ code: Int32) throws {
        if code != 0 { throw error(code) }
      }
      func set(_ option: Int32, _ value: Int) throws {
        try check(self.set(option, of: easy, to: value))
      }
      func set(_ option: Int32, _ text: String) throws {
        try check(text.withCString { self.set(option, of: easy, to: $0) })
      }
      try set(Option.url, origin.url)
      try set(Option.connectsOnly, 1)
      // `CURL_HTTP_VERSION_1_1`: HTTP/2 has no upgrades, and a server could choose it under TLS.
      try set(Option.httpVersion, 2)
      let httpAndHTTPS = 3
      try set(Option.protocols, httpAndHTTPS)
      try set(Option.usesNoSignals, 1)
      try set(Option.tunnelsThroughProxy, 1)
      try set(Option.suppressesProxyHeaders, 1)
      if let authorities = certificates.authorities {
        try set(Option.authorities, authorities.path)
      }
      if let client = certificates.client {
        try set(Option.clientCertificate, client.path)
        try set(Option.clientKey, client.path)
      }
      // libcurl would print the response of a proxy.
      for option in [Option.receiveBody, Option.receiveHeader] {
        try check(self.set(option, of: easy) { _, _, count, _ in count })
      }
    }
  }
#endif
