#if os(Linux) && canImport(Glibc)
  internal import CLibCurl
  import Foundation

  /// Raw connections, over which bytes are sent and received as they are, or encrypted by TLS.
  extension LibCurl {
    /// A socket to wait for, beside libcurl's own.
    package struct WaitingSocket {
      let descriptor: Int32
      let events: Int16
      package var occurred: Int16 = 0

      package init(descriptor: Int32, events: Int16) {
        self.descriptor = descriptor
        self.events = events
      }
    }

    /// The result of sending or receiving.
    package enum Transfer {
      /// The number of bytes; received 0, the end of the connection.
      case count(Int)
      /// Nothing can be sent or received yet.
      case again
      /// The code of an error.
      case failure(Int32)
    }

    /// Sends some bytes without waiting.
    ///
    /// After `again`, the TLS library requires the same bytes at the same address.
    package func send(_ bytes: UnsafeRawBufferPointer, over easy: Handle) -> Transfer {
      var count: relay_curl_size = 0
      let code = LibCurl.inside {
        functions.pointee.easy_send(easy, bytes.baseAddress, relay_curl_size(bytes.count), &count)
      }
      return transfer(code, count)
    }

    /// Receives up to the size of `buffer` without waiting.
    package func receive(into buffer: UnsafeMutableRawBufferPointer, over easy: Handle) -> Transfer
    {
      var count: relay_curl_size = 0
      let code = LibCurl.inside {
        functions.pointee.easy_recv(
          easy, buffer.baseAddress, relay_curl_size(buffer.count), &count)
      }
      return transfer(code, count)
    }

    private func transfer(_ code: Int32, _ count: relay_curl_size) -> Transfer {
      switch code {
      case 0: .count(Int(count))
      case Code.again: .again
      default: .failure(code)
      }
    }

    /// The socket of a connection; `nil` when it has none.
    package func socket(of easy: Handle) -> Int32? {
      var socket: Int32 = -1
      let code = relay_curl_get_socket(functions, easy, &socket)
      return code == 0 && socket >= 0 ? socket : nil
    }

    /// Waits for data, for one of `sockets`, for a call of ``wake(_:)`` or for the end of
    /// `milliseconds`; sets the events that have occurred.
    package func poll(
      _ multi: Handle, _ sockets: inout [WaitingSocket], milliseconds: Int32
    ) -> Int32 {
      var entries = sockets.map {
        relay_curl_socket(descriptor: $0.descriptor, events: $0.events, occurred: 0)
      }
      let code = entries.withUnsafeMutableBufferPointer {
        functions.pointee.multi_poll(
          multi, $0.baseAddress, UInt32($0.count), milliseconds, nil)
      }
      for (index, entry) in entries.enumerated() { sockets[index].occurred = entry.occurred }
      return code
    }

    /// Sets the options of a raw connection.
    ///
    /// - Parameter origin: The URL of the server, with its scheme.
    /// - Throws: `URLError` for an option that is not supported.
    package func setConnectOptions(
      of easy: Handle, to origin: String, certificates: HTTPTransport.Certificates
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
      try set(Option.url, origin)
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
