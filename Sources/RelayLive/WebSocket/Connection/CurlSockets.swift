#if os(Linux) && canImport(Glibc)
  import RelayNetwork
  import RelayStore

  /// The WebSocket connections of a multi handle, confined to its thread.
  final class CurlSockets: CurlSocketTable {
    private let curl: LibCurl
    private let multi: LibCurl.Handle
    private var sockets: [LibCurl.Handle: CurlWebSocket] = [:]
    /// The receive buffer shared by all connections.
    ///
    /// It is used only inside ``CurlWebSocket/advance(_:_:)``, on this thread, and deallocated by
    /// `deinit`.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: 64 * 1024, alignment: 16)

    init(_ curl: LibCurl, _ multi: LibCurl.Handle) {
      self.curl = curl
      self.multi = multi
    }

    deinit { buffer.deallocate() }

    var isEmpty: Bool { sockets.isEmpty }

    func add(_ socket: CurlWebSocket) {
      sockets[socket.handle] = socket
      if curl.add(socket.handle, to: multi) != 0 {
        socket.fail(LibCurl.Code.outOfMemory)
        remove(socket)
      }
    }

    func endTransfer(_ easy: LibCurl.Handle, _ code: Int32) {
      sockets[easy]?.beginHandshake(code)
    }

    func advance() -> Duration {
      let now = ContinuousClock.now
      var wait = Duration.seconds(1_000)
      for socket in sockets.values {
        socket.advance(now, buffer)
        if socket.hasEnded {
          remove(socket)
        } else if socket.hasMore {
          wait = .zero
        } else if let deadline = socket.deadline {
          wait = min(wait, now.duration(to: deadline))
        }
      }
      return wait
    }

    func poll(milliseconds: Int32) -> Int32 {
      var waiting: [LibCurl.WaitingSocket] = []
      var owners: [CurlWebSocket] = []
      for socket in sockets.values {
        let events = socket.awaitedEvents
        guard events != 0, let descriptor = socket.easy.socket else { continue }
        waiting.append(.init(descriptor: descriptor, events: events))
        owners.append(socket)
      }
      let code = curl.poll(multi, &waiting, milliseconds: milliseconds)
      for (socket, entry) in zip(owners, waiting) where entry.occurred != 0 {
        socket.handleEvents(entry.occurred)
      }
      return code
    }

    func endAll() {
      for socket in sockets.values {
        socket.fail(LibCurl.Code.outOfMemory)
        remove(socket)
      }
    }

    /// Removes a connection, closing its socket.
    private func remove(_ socket: CurlWebSocket) {
      sockets[socket.handle] = nil
      socket.easy.abandonNameLookup()
      LibCurl.inside { curl.remove(socket.handle, from: multi) }
    }
  }
#endif
