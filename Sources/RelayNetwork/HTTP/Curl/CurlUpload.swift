#if os(Linux) && canImport(Glibc)
  internal import CLibCurl
  import Foundation
  import RelayStore

  /// A request body that is read while libcurl sends it, confined to the transfer's thread.
  ///
  /// That thread reads files itself. A separate task reads a stream and hands it over through a
  /// ``BodyPipe``. Reading starts only once libcurl is connected and asks for bytes, so a stream
  /// remains unread if the connection attempt fails.
  final class CurlUpload {
    /// The reason why the body could not be read or resent.
    private(set) var failure: (any Error)?
    /// The number of bytes given to libcurl.
    private(set) var suppliedSize = 0

    private let body: RequestBody
    private let wake: @Sendable () -> Void
    /// The index of the current piece, and the number of its bytes already read.
    private var (index, offset) = (0, 0)
    /// The task that reads the current piece when it is a stream.
    private var reading: (pipe: BodyPipe, task: Task<Void, Never>)?
    /// Whether a pause was already ended because the server rejected the request.
    private var hasEndedForRejection = false
    /// Whether the transfer is waiting for the next bytes of a stream.
    private(set) var isPaused = false

    /// - Parameter wake: Called from any thread when a paused body can continue.
    init(_ body: RequestBody, wake: @escaping @Sendable () -> Void) {
      self.body = body
      self.wake = wake
    }

    deinit { stop() }

    /// Stops reading the body.
    func stop() {
      reading?.task.cancel()
      reading?.pipe.close()
      reading = nil
    }

    /// Ends a pause when bytes are available, or when the server needs no more of them.
    ///
    /// - Parameter isRejected: Whether the server has rejected the request. libcurl then ends the
    ///   transfer, but not during a pause, so a rejection ends a pause once. If libcurl keeps
    ///   sending, later pauses wait for bytes again.
    /// - Returns: Whether to resume the transfer.
    func endPause(isRejected: Bool) -> Bool {
      let ends = isRejected && !hasEndedForRejection
      guard isPaused, ends || reading?.pipe.isReadable == true else { return false }
      hasEndedForRejection = ends || hasEndedForRejection
      isPaused = false
      return true
    }

    /// Writes the next bytes to libcurl's buffer; a `relay_curl_supply` callback.
    static func supply(
      _ buffer: UnsafeMutableRawBufferPointer, of context: UnsafeMutableRawPointer?
    ) -> relay_curl_size {
      guard let context else { return relay_curl_abort }
      return Unmanaged<CurlUpload>.fromOpaque(context).takeUnretainedValue().supply(buffer)
    }

    /// Rewinds to an offset; a `relay_curl_seek` callback.
    static func seek(to offset: Int, in context: UnsafeMutableRawPointer?) -> Int32 {
      guard let context else { return 1 }
      return Unmanaged<CurlUpload>.fromOpaque(context).takeUnretainedValue().seek(to: offset)
    }

    private func supply(_ buffer: UnsafeMutableRawBufferPointer) -> relay_curl_size {
      do {
        while body.pieces.indices.contains(index) {
          guard let count = try read(body.pieces[index], into: buffer) else {
            isPaused = true
            return relay_curl_pause
          }
          if count > 0 {
            (offset, suppliedSize) = (offset + count, suppliedSize + count)
            return relay_curl_size(count)
          }
          stop()
          (index, offset) = (index + 1, 0)
        }
        return 0
      } catch {
        failure = error
        return relay_curl_abort
      }
    }

    /// Reads the next bytes of a piece.
    ///
    /// - Returns: The number of bytes, 0 at the end; `nil` while the next bytes of a stream are
    ///   pending.
    private func read(
      _ piece: RequestBody.Piece, into buffer: UnsafeMutableRawBufferPointer
    ) throws -> Int? {
      switch piece {
      case .bytes(let bytes):
        let rest = bytes.dropFirst(offset).prefix(buffer.count)
        rest.withUnsafeBytes { buffer.copyMemory(from: $0) }
        return rest.count
      case .file(let file): return try file.read(into: buffer, at: offset)
      case .stream(let stream, let fileName):
        let pipe = reading?.pipe ?? beginReading(stream, fileName: fileName)
        return try pipe.read(into: buffer)
      }
    }

    private func beginReading(_ stream: UploadStream, fileName: String) -> BodyPipe {
      let pipe = BodyPipe(wake: wake)
      let task = Task {
        do {
          try await stream.forEachChunk(fileName: fileName) {
            try await pipe.write($0)
          }
          pipe.end(.success(()))
        } catch {
          pipe.end(.failure(error))
        }
      }
      reading = (pipe, task)
      return pipe
    }

    /// Rewinds to the start, so that the body can be sent on another connection.
    private func seek(to offset: Int) -> Int32 {
      guard offset == 0, body.isUnspent else {
        failure = Self.resendingError
        return 1
      }
      (index, self.offset, suppliedSize) = (0, 0, 0)
      isPaused = false
      return 0
    }

    /// The error for a connection that the server closed while a stream was being sent.
    private static var resendingError: RelayError {
      RelayError(
        .transport,
        """
        The server closed the connection, and the request cannot be sent again: it has a stream, \
        and a stream can be read only once.
        """,
        underlying: URLError(.networkConnectionLost))
    }
  }
#endif
