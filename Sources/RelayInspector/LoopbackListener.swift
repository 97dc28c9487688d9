#if DEBUG || RELAY_INSPECTOR
  import Dispatch
  import Foundation
  import RelayStore

  /// A socket that listens on loopback, and responds to each connection once.
  ///
  /// One thread accepts connections, and each connection runs on its own thread. Connections above
  /// the limit wait until another one ends.
  final class LoopbackListener: Sendable {
    /// A closure that returns the response to the head of a request, given the listener's port.
    typealias Responder = @Sendable (_ head: Data, _ port: UInt16) -> Data

    /// The limits for connections.
    struct Limits {
      /// The maximum number of concurrent connections.
      var connections = 32
      /// The time limit for the head of a request.
      var head = Duration.seconds(2)
      /// The time limit for the response.
      var response = Duration.seconds(30)
    }

    /// The failure of a system call.
    struct Failure: Error, CustomStringConvertible {
      let call: String
      let code: Int32
      var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
    }

    private struct State {
      var connections = 0
      var isStopped = false
      /// Whether the descriptors are closed, so that their numbers may belong to other files.
      var isClosed = false
    }

    let port: UInt16
    /// The socket, used by the accepting thread and closed when that thread ends.
    let socket: Int32
    /// The ends of a pipe that wakes the accepting thread: each byte signals a change of the state.
    private let (wakeOutput, wakeInput): (Int32, Int32)
    private let limits: Limits
    private let accept: @Sendable (Int32) -> Int32
    private let respond: Responder
    private let state = Locked(State(), rank: .leaf)
    /// Signalled once the descriptors are closed.
    private let end = DispatchSemaphore(value: 0)

    /// Listens on 127.0.0.1, and starts to respond.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any.
    ///   - limits: The limits for connections.
    ///   - accept: The call that accepts a connection; tests inject failures here.
    ///   - respond: Returns the responses; called on the threads of connections.
    /// - Throws: ``Failure`` if the port is in use.
    init(
      port: UInt16, limits: Limits = Limits(),
      accept: @escaping @Sendable (Int32) -> Int32 = { LoopbackSocket.accept($0) },
      respond: @escaping Responder
    ) throws {
      (socket, self.port) = try LoopbackSocket.listen(port: port)
      do { (wakeOutput, wakeInput) = try LoopbackSocket.makePipe() } catch {
        close(socket)
        throw error
      }
      self.limits = limits
      self.accept = accept
      self.respond = respond
      Thread.detachNewThread { [self] in run() }
    }

    /// Stops listening; the port is free when this returns. Responses that are being sent are
    /// completed. Idempotent.
    func stop() {
      state.withLock { state in
        state.isStopped = true
        wake(state)
      }
      end.wait()
      // Releases other callers.
      end.signal()
    }

    private func wake(_ state: State) {
      // A full pipe wakes the thread as well.
      if !state.isClosed { _ = write(wakeInput, [0], 1) }
    }

    // MARK: Accepting

    private func run() {
      while let hasRoom = state.withLock({ state in
        state.isStopped ? nil : state.connections < limits.connections
      }) {
        // Without capacity, connections wait in the system's queue.
        wait(forConnections: hasRoom, milliseconds: -1)
        guard hasRoom else { continue }
        let connection = accept(socket)
        if connection >= 0 {
          serve(connection)
          continue
        }
        switch errno {
        case EINTR, EAGAIN, EWOULDBLOCK, ECONNABORTED, EPROTO: continue
        // The connection remains in the queue, so the socket would immediately be ready again.
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: wait(forConnections: false, milliseconds: 100)
        default: return finish()
        }
      }
      finish()
    }

    /// Waits until the state has changed or, optionally, there is a connection.
    private func wait(forConnections: Bool, milliseconds: Int32) {
      var files = [
        pollfd(fd: wakeOutput, events: Int16(POLLIN), revents: 0),
        pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      ]
      poll(&files, forConnections ? 2 : 1, milliseconds)
      if files[0].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(wakeOutput, &bytes, bytes.count)
      }
    }

    private func finish() {
      state.withLock { state in
        state.isClosed = true
        for file in [socket, wakeOutput, wakeInput] { close(file) }
      }
      end.signal()
    }

    private func serve(_ connection: Int32) {
      state.withLock { $0.connections += 1 }
      Thread.detachNewThread { [self] in
        let connection = LoopbackConnection(connection)
        if let head = connection.head(within: limits.head) {
          connection.send(respond(head, port), within: limits.response)
        }
        connection.end()
        state.withLock { state in
          state.connections -= 1
          wake(state)
        }
      }
    }
  }
#endif
