#if os(Linux) && canImport(Glibc)
  import RelayStore
  internal import CLibCurl
  import Foundation

  /// A libcurl easy handle: a transfer or a raw connection. Only one thread may use it at a time.
  package final class CurlEasy {
    package let handle: LibCurl.Handle
    let curl: LibCurl
    /// The buffer of `CURL_ERROR_SIZE` bytes for libcurl's description of a failure.
    ///
    /// libcurl writes to it until `deinit` destroys `handle`; only then is the buffer deallocated.
    private let errorText: UnsafeMutableBufferPointer<CChar>
    private var headerFields: LibCurl.List?

    /// Creates a handle with the options shared by all transfers.
    ///
    /// - Parameter url: An HTTP or HTTPS URL.
    /// - Throws: `URLError` when memory is exhausted or libcurl does not support an option.
    package init(
      _ curl: LibCurl, url: String, certificates: HTTPTransport.Certificates
    ) throws {
      guard let handle = curl.functions.pointee.easy_init() else {
        throw curl.error(LibCurl.Code.outOfMemory)
      }
      self.handle = handle
      self.curl = curl
      errorText = .allocate(capacity: 256)
      errorText.initialize(repeating: 0)
      try set(LibCurl.Option.errorText, to: errorText.baseAddress)
      try set(LibCurl.Option.url, to: url)
      let httpAndHTTPS = 3
      try set(LibCurl.Option.protocols, to: httpAndHTTPS)
      try set(LibCurl.Option.usesNoSignals, to: 1)
      try set(LibCurl.Option.suppressesProxyHeaders, to: 1)
      if let authorities = certificates.authorities {
        try set(LibCurl.Option.authorities, to: authorities.path)
      }
      if let client = certificates.client {
        try set(LibCurl.Option.clientCertificate, to: client.path)
        try set(LibCurl.Option.clientKey, to: client.path)
      }
    }

    deinit {
      curl.functions.pointee.easy_cleanup(handle)
      curl.functions.pointee.slist_free_all(headerFields)
      errorText.deallocate()
    }

    /// - Throws: `URLError` for any code other than 0.
    private func check(_ code: Int32) throws {
      if code != 0 { throw curl.error(code) }
    }

    /// Sets an option in the range of longs (0) or offsets (30,000).
    func set(_ option: Int32, to value: Int) throws {
      try check(
        option >= LibCurl.Option.firstOffset
          ? relay_curl_set_offset(curl.functions, handle, option, relay_curl_offset(value))
          : relay_curl_set_long(curl.functions, handle, option, value))
    }

    /// Sets an option in the range of pointers (10,000).
    ///
    /// libcurl copies strings and ``LibCurl/Option/copiedBody``; any other pointer must outlive the
    /// handle.
    func set(_ option: Int32, to pointer: UnsafeRawPointer?) throws {
      try check(relay_curl_set_pointer(curl.functions, handle, option, pointer))
    }

    func set(_ option: Int32, to text: String) throws {
      try text.withCString { try set(option, to: UnsafeRawPointer($0)) }
    }

    /// Sets an option in the range of functions (20,000) to a callback that receives or supplies
    /// bytes.
    func set(_ option: Int32, to receive: relay_curl_receive) throws {
      try check(relay_curl_set_receive(curl.functions, handle, option, receive))
    }

    /// Sets an option in the range of functions to a callback that rewinds the bytes to send.
    func set(_ option: Int32, toSeek seek: relay_curl_seek) throws {
      try check(relay_curl_set_seek(curl.functions, handle, option, seek))
    }

    /// Sets an option in the range of functions to a callback that runs before a request is sent.
    func set(_ option: Int32, toBeforeRequest call: relay_curl_before_request) throws {
      try check(relay_curl_set_before_request(curl.functions, handle, option, call))
    }

    /// Sets the header fields, one per line.
    func setHeaderFields(_ lines: [String]) throws {
      for line in lines {
        guard let longer = curl.functions.pointee.slist_append(headerFields, line) else {
          throw curl.error(LibCurl.Code.outOfMemory)
        }
        headerFields = longer
      }
      try set(LibCurl.Option.headerFields, to: headerFields.map { UnsafeRawPointer($0) })
    }

    /// Lets the multi handle remove this transfer at once. Otherwise the removal blocks all other
    /// transfers until a pending name lookup ends.
    package func abandonNameLookup() { try? set(LibCurl.Option.exitsQuickly, to: 1) }

    /// Resumes a transfer paused in either direction. libcurl runs its callbacks during the call.
    func resume() { _ = curl.functions.pointee.easy_pause(handle, 0) }

    /// The value of `info`, a long or an offset; 0 when libcurl does not support it.
    func integer(_ info: Int32) -> Int {
      if info >= LibCurl.Info.firstOffset {
        var value: relay_curl_offset = 0
        _ = relay_curl_get_offset(curl.functions, handle, info, &value)
        return Int(value)
      }
      var value = 0
      _ = relay_curl_get_long(curl.functions, handle, info, &value)
      return value
    }

    /// The socket of the connection; `nil` when there is none.
    package var socket: Int32? {
      var socket: Int32 = -1
      let code = relay_curl_get_socket(curl.functions, handle, &socket)
      return code == 0 && socket >= 0 ? socket : nil
    }

    /// Whether the connection can have several requests at a time.
    var isMultiplexed: Bool { integer(LibCurl.Info.httpVersion) > 2 }

    /// libcurl's description of a failure; may be empty.
    var failureText: String { String(cString: Array(errorText)) }
  }
#endif
