#if os(Linux) && canImport(Glibc)
  internal import CLibCurl

  /// Raw connections, over which bytes are sent and received as they are, or encrypted by TLS.
  extension LibCurl {
    /// A socket to wait for, beside libcurl's own.
    typealias WaitingSocket = relay_curl_socket

    /// The result of sending or receiving.
    enum Transfer {
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
    func send(_ bytes: UnsafeRawBufferPointer, over easy: Handle) -> Transfer {
      var count: relay_curl_size = 0
      let code = LibCurl.inside {
        functions.pointee.easy_send(easy, bytes.baseAddress, relay_curl_size(bytes.count), &count)
      }
      return transfer(code, count)
    }

    /// Receives up to the size of `buffer` without waiting.
    func receive(into buffer: UnsafeMutableRawBufferPointer, over easy: Handle) -> Transfer {
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
    func socket(of easy: Handle) -> Int32? {
      var socket: Int32 = -1
      let code = relay_curl_get_socket(functions, easy, &socket)
      return code == 0 && socket >= 0 ? socket : nil
    }

    /// Waits for data, for one of `sockets`, for a call of ``wake(_:)`` or for the end of
    /// `milliseconds`; sets the events that have occurred.
    func poll(
      _ multi: Handle, _ sockets: inout [WaitingSocket], milliseconds: Int32
    ) -> Int32 {
      sockets.withUnsafeMutableBufferPointer {
        functions.pointee.multi_poll(
          multi, $0.baseAddress, UInt32($0.count), milliseconds, nil)
      }
    }
  }
#endif
