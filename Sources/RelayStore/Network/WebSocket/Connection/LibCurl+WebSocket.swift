#if os(Linux) && canImport(Glibc)
  import Foundation

  extension LibCurl {
    /// Sets the options of a raw connection for a WebSocket.
    ///
    /// - Parameter errorText: The buffer for the description of a failure; it must outlive `easy`.
    /// - Throws: `URLError` for an option that libcurl does not support.
    func setOptions(
      of easy: Handle, _ origin: WebSocketOrigin, _ certificates: HTTPTransport.Certificates,
      errorText: UnsafeRawPointer?
    ) throws {
      func check(_ code: Int32) throws {
        if code != 0 { throw error(code) }
      }
      func set(_ option: Int32, _ value: Int) throws {
        try check(self.set(option, of: easy, to: value))
      }
      func set(_ option: Int32, _ text: String) throws {
        try check(text.withCString { self.set(option, of: easy, to: $0) })
      }
      try check(self.set(Option.errorText, of: easy, to: errorText))
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
