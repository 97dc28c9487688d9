#if os(Linux) && canImport(Glibc)
  /// A connection that is no request, which the thread of a client serves too: a WebSocket's.
  package protocol CurlSocket: AnyObject, Sendable {
    /// Adds the connection to those of a multi handle, on its thread.
    func join(_ multi: CurlMulti)

    /// Ends the connection with the code of an error.
    func fail(_ code: Int32)
  }

  /// The connections of a multi handle that are no requests, confined to its thread.
  package protocol CurlSocketTable: AnyObject {
    /// Whether no connection is open.
    var isEmpty: Bool { get }

    /// Continues a connection that is established, or ends one that could not be.
    func endTransfer(_ easy: LibCurl.Handle, _ code: Int32)

    /// Sends and receives what is possible without waiting.
    ///
    /// - Returns: The time until the next deadline; zero if there is more to receive already.
    func advance() -> Duration

    /// Waits for data of these connections and of the multi handle's requests, a wake-up or the end of
    /// `milliseconds`.
    ///
    /// - Returns: A code of the multi interface; 0 is success.
    func poll(milliseconds: Int32) -> Int32

    /// Ends every connection with an error.
    func endAll()
  }
#endif
