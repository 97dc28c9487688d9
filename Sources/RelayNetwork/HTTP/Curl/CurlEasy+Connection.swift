#if os(Linux) && canImport(Glibc)
  internal import CLibCurl

  /// A raw connection, over which bytes are sent and received as they are, or encrypted by TLS.
  extension CurlEasy {
    /// The result of sending or receiving.
    package enum Transfer {
      /// The number of bytes; received 0, the end of the connection.
      case count(Int)
      /// Nothing can be sent or received yet.
      case again
      /// The code of an error.
      case failure(Int32)
    }

    /// Makes the transfer end when the connection is established.
    ///
    /// - Throws: `URLError` for an option that is not supported.
    package func setConnectsOnly() throws {
      try set(LibCurl.Option.connectsOnly, to: 1)
      // `CURL_HTTP_VERSION_1_1`: HTTP/2 has no upgrades, and a server could choose it under TLS.
      try set(LibCurl.Option.httpVersion, to: 2)
      try set(LibCurl.Option.tunnelsThroughProxy, to: 1)
      // libcurl would print the response of a proxy.
      for option in [LibCurl.Option.receiveBody, LibCurl.Option.receiveHeader] {
        try set(option) { _, _, count, _ in count }
      }
    }

    /// Sends some bytes without waiting.
    ///
    /// After `again`, the TLS library requires the same bytes at the same address.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
      transfer {
        curl.functions.pointee.easy_send(
          handle, bytes.baseAddress, relay_curl_size(bytes.count), &$0)
      }
    }

    /// Receives up to the size of `buffer` without waiting.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
      transfer {
        curl.functions.pointee.easy_recv(
          handle, buffer.baseAddress, relay_curl_size(buffer.count), &$0)
      }
    }

    private func transfer(_ body: (inout relay_curl_size) -> Int32) -> Transfer {
      var count: relay_curl_size = 0
      return switch LibCurl.inside({ body(&count) }) {
      case 0: .count(Int(count))
      case LibCurl.Code.again: .again
      case let code: .failure(code)
      }
    }
  }
#endif
