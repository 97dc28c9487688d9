#if os(Linux) && canImport(Glibc)
  internal import CLibCurl

  /// A raw connection that sends and receives bytes as they are, optionally over TLS.
  extension CurlEasy {
    /// The result of a send or receive call.
    package enum Transfer {
      /// The number of bytes. Receiving 0 bytes means that the connection has ended.
      case count(Int)
      /// The call would block; try again later.
      case again
      /// A libcurl error code.
      case failure(Int32)
    }

    /// Makes the transfer end as soon as the connection is established.
    ///
    /// - Throws: `URLError` when libcurl does not support an option.
    package func setConnectsOnly() throws {
      try set(LibCurl.Option.connectsOnly, to: 1)
      // `CURL_HTTP_VERSION_1_1`: HTTP/2 does not support upgrades, but a server could select it
      // under TLS.
      try set(LibCurl.Option.httpVersion, to: 2)
      try set(LibCurl.Option.tunnelsThroughProxy, to: 1)
      // Without these callbacks libcurl prints a proxy's response to standard output.
      for option in [LibCurl.Option.receiveBody, LibCurl.Option.receiveHeader] {
        try set(option) { _, _, count, _ in count }
      }
    }

    /// Sends bytes without blocking.
    ///
    /// After `again`, the TLS library requires the same bytes at the same address.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
      transfer {
        curl.functions.pointee.easy_send(
          handle, bytes.baseAddress, relay_curl_size(bytes.count), &$0)
      }
    }

    /// Receives up to the size of `buffer` without blocking.
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
