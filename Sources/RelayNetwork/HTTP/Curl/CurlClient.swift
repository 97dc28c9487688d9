#if os(Linux) && canImport(Glibc)
  import RelayStore
  import Foundation
  import Glibc

  /// A client that sends requests through libcurl's multi interface.
  ///
  /// Ordinary requests share one thread, and streams share another. A thread starts with its first
  /// request and ends after the client is released. `URLSession` on Linux crashes the process when
  /// a connection ends inside the header fields.
  package final class CurlClient: HTTPClient {
    /// The threads of a client. Each one starts on first use.
    package struct Threads: Sendable {
      /// The thread of ordinary requests.
      let requests: CurlThread
      /// The thread of streamed responses and WebSockets. It has no connection limit, because a few
      /// long-lived connections would block all other requests to their host.
      package let streams: CurlThread
    }

    package let certificates: HTTPTransport.Certificates
    private let connectionsPerHost: Int
    private let ageLimit: CurlIdleConnections.AgeLimit
    private let load: @Sendable () throws -> LibCurl
    /// `nil` until the first request loads the library.
    private let loaded = Locked<Threads?>(nil, rank: .leaf)

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: The maximum number of connections to one host, not counting streamed
    ///     responses.
    ///   - ageLimit: The age limit of idle connections.
    ///   - load: Returns the library; called for each request.
    package init(
      certificates: HTTPTransport.Certificates = .init(), connectionsPerHost: Int = 6,
      ageLimit: CurlIdleConnections.AgeLimit = .init(),
      load: @escaping @Sendable () throws -> LibCurl = LibCurl.load
    ) {
      self.ageLimit = ageLimit
      self.certificates = certificates
      self.connectionsPerHost = max(1, connectionsPerHost)
      self.load = load
    }

    deinit {
      let threads = loaded.withLock { $0 }
      threads?.requests.end()
      threads?.streams.end()
    }

    /// Returns the threads, loading the library on first use.
    ///
    /// - Throws: ``RelayError`` with code `transport` when no libcurl can be loaded.
    package func threads() throws -> Threads {
      let curl = try load()
      return loaded.withLock { loaded in
        let threads =
          loaded
          ?? Threads(
            requests: CurlThread(curl, connectionsPerHost: connectionsPerHost, ageLimit: ageLimit),
            streams: CurlThread(curl, connectionsPerHost: nil, ageLimit: ageLimit))
        loaded = threads
        return threads
      }
    }

    package func send(
      _ request: HTTPRequest, _ exchange: HTTPExchange
    ) async throws -> HTTPResponse {
      let thread = try threads().requests
      let transfer = try CurlTransfer(
        request, exchange, by: thread.curl, certificates: certificates,
        wake: { [weak thread] in thread?.wake() })
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          transfer.continuation = continuation
          thread.start(transfer)
        }
      } onCancel: {
        transfer.isCancelled.store(true, ordering: .relaxed)
        thread.wake()
      }
    }

    package func stream(
      _ request: HTTPRequest, _ exchange: HTTPExchange,
      _ receive: (HTTPStreamEvent) async throws -> Void
    ) async throws -> HTTPResponse {
      let (thread, pipe) = (try threads().streams, ResponsePipe())
      let transfer = try CurlTransfer(
        request, exchange, by: thread.curl, certificates: certificates, pipe: pipe,
        wake: { [weak thread] in thread?.wake() })
      @Sendable func cancel() {
        transfer.isCancelled.store(true, ordering: .relaxed)
        pipe.close()
        thread.wake()
      }
      return try await withTaskCancellationHandler {
        thread.start(transfer)
        do {
          return try await pipe.consume(resume: { thread.wake() }, receive)
        } catch let failure as ReceiverFailure where failure.error is ResponseCompletion {
          transfer.isDraining.store(true, ordering: .relaxed)
          pipe.close()
          thread.wake()
          throw failure
        } catch {
          cancel()
          throw error
        }
      } onCancel: {
        cancel()
      }
    }
  }

  /// The thread of a client. It retains itself while it runs, but never the client.
  package final class CurlThread: Sendable {
    private struct State {
      var waiting: [CurlTransfer] = []
      var waitingSockets: [any CurlSocket] = []
      var isRunning = false
      var isEnding = false
      /// The multi handle of the running thread; ``wake()`` interrupts its poll.
      var multi: LibCurl.Handle?
    }

    package let curl: LibCurl
    private let connectionsPerHost: Int?
    private let ageLimit: CurlIdleConnections.AgeLimit
    private let state = Locked(State(), rank: .leaf)

    /// - Parameter connectionsPerHost: The maximum number of connections to one host; `nil` for no
    ///   limit.
    init(
      _ curl: LibCurl, connectionsPerHost: Int?, ageLimit: CurlIdleConnections.AgeLimit
    ) {
      self.curl = curl
      self.connectionsPerHost = connectionsPerHost
      self.ageLimit = ageLimit
    }

    /// Whether the thread is running.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Sends a request. Resumes its continuation exactly once, with a response or an error.
    package func start(_ transfer: CurlTransfer) {
      run(afterAdding: { $0.waiting.append(transfer) })
    }

    /// Opens a connection that does not belong to an HTTP request.
    package func start(_ socket: any CurlSocket) {
      run(afterAdding: { $0.waitingSockets.append(socket) })
    }

    private func run(afterAdding add: (inout State) -> Void) {
      let isFirst = state.withLock { state in
        add(&state)
        defer { state.isRunning = true }
        return !state.isRunning
      }
      if !isFirst {
        wake()
      } else if !launch() {
        stop()
      }
    }

    /// Interrupts the thread's poll, so that it picks up new and cancelled requests.
    package func wake() {
      state.withLock { state in
        if let multi = state.multi { curl.wake(multi) }
      }
    }

    /// Ends the thread once its requests have ended.
    func end() {
      state.withLock { $0.isEnding = true }
      wake()
    }

    private func launch() -> Bool {
      var thread = pthread_t()
      let me = Unmanaged.passRetained(self)
      let code = pthread_create(
        &thread, nil,
        { me in
          if let me { Unmanaged<CurlThread>.fromOpaque(me).takeRetainedValue().run() }
          return nil
        }, me.toOpaque())
      guard code == 0 else {
        me.release()
        return false
      }
      pthread_detach(thread)
      return true
    }

    private func run() {
      Thread.current.name = "RelayStore HTTP"
      // Writing to a closed connection must fail the request, not kill the process with a signal.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      guard let multi = CurlMulti(curl, connectionsPerHost: connectionsPerHost, ageLimit: ageLimit)
      else {
        return stop()
      }
      state.withLock { $0.multi = multi.handle }
      while let (transfers, sockets) = next(isIdle: multi.isIdle) {
        for transfer in transfers { multi.add(transfer) }
        for socket in sockets { socket.join(multi) }
        guard multi.step() else { break }
      }
      stop()
      multi.endAll()
    }

    /// Removes and returns the waiting requests; `nil` when the client is released and no request
    /// is left.
    private func next(isIdle: Bool) -> ([CurlTransfer], [any CurlSocket])? {
      state.withLock { state in
        let isEmpty = state.waiting.isEmpty && state.waitingSockets.isEmpty
        if isIdle, state.isEnding, isEmpty { return nil }
        defer { (state.waiting, state.waitingSockets) = ([], []) }
        return (state.waiting, state.waitingSockets)
      }
    }

    /// Detaches the thread from its state, so that the next request starts a new thread.
    private func stop() {
      let (waiting, sockets) = state.withLock { state in
        defer { state = State(isEnding: state.isEnding) }
        return (state.waiting, state.waitingSockets)
      }
      for socket in sockets { socket.fail(LibCurl.Code.outOfMemory) }
      for transfer in waiting {
        transfer.complete(.failure(curl.error(LibCurl.Code.outOfMemory)))
      }
    }
  }
#endif
