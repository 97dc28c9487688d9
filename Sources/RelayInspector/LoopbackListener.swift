#if DEBUG || RELAY_INSPECTOR
  import Dispatch
  import Foundation
  import RelayStore

  /// A socket that listens on loopback, and answers each connection once.
  ///
  /// One thread accepts connections, and each of them has a thread of its own. Those above the limit wait
  /// until another one has ended.
  final class LoopbackListener: Sendable {
    /// The answer to the head of a request, at the port of the listener: the bytes to send.
    typealias Answer = @Sendable (_ head: Data, _ port: UInt16) -> Data

    /// The limits of what connections may take.
    struct Limits {
      /// The maximum number of connections at a time.
      var connections = 32
      /// The time for the head of a request.
      var head = Duration.seconds(2)
      /// The time for the answer.
      var answer = Duration.seconds(30)
    }

    /// The failure of a call of the system.
    struct Failure: Error, CustomStringConvertible {
      let call: String
      let code: Int32
      var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
    }

    private struct State {
      var connections = 0
      var isStopped = false
      /// Whether the descriptors are closed, and their numbers may be those of other files.
      var isClosed = false
    }

    let port: UInt16
    /// The socket, which is used by the thread that accepts, and closed when that ends.
    let socket: Int32
    /// The ends of a pipe by which the thread is woken: each byte says that the state has changed.
    private let (wakeOutput, wakeInput): (Int32, Int32)
    private let limits: Limits
    private let accept: @Sendable (Int32) -> Int32
    private let answer: Answer
    private let state = Locked(State(), rank: .leaf)
    /// Is signalled once the descriptors are closed.
    private let end = DispatchSemaphore(value: 0)

    /// Listens on 127.0.0.1, and begins to answer.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any.
    ///   - limits: The limits of connections.
    ///   - accept: The call that accepts a connection, which tests let fail.
    ///   - answer: The answers; called on the threads of connections.
    /// - Throws: ``Failure`` if the port is not free.
    init(
      port: UInt16, limits: Limits = Limits(),
      accept: @escaping @Sendable (Int32) -> Int32 = { LoopbackSocket.accept($0) },
      answer: @escaping Answer
    ) throws {
      (socket, self.port) = try LoopbackSocket.listen(port: port)
      do { (wakeOutput, wakeInput) = try LoopbackSocket.makePipe() } catch {
        close(socket)
        throw error
      }
      self.limits = limits
      self.accept = accept
      self.answer = answer
      Thread.detachNewThread { [self] in run() }
    }

    /// Stops listening; when it returns, the port is free. Answers that are being sent are sent.
    ///
    /// Calling it again does nothing.
    func stop() {
      state.withLock { state in
        state.isStopped = true
        wake(state)
      }
      end.wait()
      // For other callers.
      end.signal()
    }

    private func wake(_ state: State) {
      // A pipe that is full wakes the thread too.
      if !state.isClosed { _ = write(wakeInput, [0], 1) }
    }

    // MARK: Accepting

    private func run() {
      while let hasRoom = state.withLock({ state in
        state.isStopped ? nil : state.connections < limits.connections
      }) {
        // Without room, connections wait in the queue of the system.
        wait(forConnections: hasRoom, milliseconds: -1)
        guard hasRoom else { continue }
        let connection = accept(socket)
        if connection >= 0 {
          serve(connection)
          continue
        }
        switch errno {
        case EINTR, EAGAIN, EWOULDBLOCK, ECONNABORTED, EPROTO: continue
        // The connection stays in the queue, so the socket would be ready again at once.
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: wait(forConnections: false, milliseconds: 100)
        default: return finish()
        }
      }
      finish()
    }

    /// Waits until the state has changed, or until there is a connection.
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
          connection.send(answer(head, port), within: limits.answer)
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
