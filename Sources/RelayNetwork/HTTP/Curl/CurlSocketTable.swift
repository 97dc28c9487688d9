#if os(Linux) && canImport(Glibc)
  /// A connection that a client's thread serves but that belongs to no HTTP request: a WebSocket.
  package protocol CurlSocket: AnyObject, Sendable {
    /// Adds the connection to a multi handle, on its thread.
    func join(_ multi: CurlMulti)

    /// Ends the connection with a libcurl error code.
    func fail(_ code: Int32)
  }

  /// The connections of a multi handle that do not belong to HTTP requests, confined to its thread.
  package protocol CurlSocketTable: AnyObject {
    /// Whether no connection is open.
    var isEmpty: Bool { get }

    /// Continues an established connection, or ends one that failed to connect.
    func endTransfer(_ easy: LibCurl.Handle, _ code: Int32)

    /// Sends and receives as much as possible without blocking.
    ///
    /// - Returns: The time until the next deadline; zero when more data is already available.
    func advance() -> Duration

    /// Waits for data on these connections or on the multi handle's requests, for a wake-up, or
    /// until `milliseconds` have passed.
    ///
    /// - Returns: A code of the multi interface; 0 is success.
    func poll(milliseconds: Int32) -> Int32

    /// Ends every connection with an error.
    func endAll()
  }
#endif
