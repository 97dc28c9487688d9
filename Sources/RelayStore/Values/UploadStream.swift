/// The chunks of an upload that can be read once, shared by all copies of the upload.
package final class UploadStream: Sendable {
  /// A consumer of chunks. The next chunk is produced after it returns.
  package typealias Body = @Sendable ([UInt8]) async throws -> Void

  /// The number of bytes read at once from a file or a stream of bytes.
  package static let chunkSize = 256 * 1024

  /// The declared number of bytes; `nil` if unknown.
  package let length: Int?
  private let produce: @Sendable (_ body: Body) async throws -> Void
  private let hasReader = Locked(false, rank: .leaf)

  init(length: Int?, _ produce: @escaping @Sendable (_ body: Body) async throws -> Void) {
    self.length = length
    self.produce = produce
  }

  /// Whether the stream was read, or is being read.
  package var isTaken: Bool { hasReader.withLock { $0 } }

  /// Calls a closure with each chunk.
  ///
  /// - Returns: `false`, without calling it, if the stream was already taken.
  package func take(_ body: Body) async throws -> Bool {
    let isFirst = hasReader.withLock { hasReader in
      defer { hasReader = true }
      return !hasReader
    }
    if isFirst { try await produce(body) }
    return isFirst
  }

  /// Calls a closure with each chunk, and checks the length.
  ///
  /// - Throws: ``RelayError`` with code `request` if the stream fails, was already taken or has
  ///   another length than declared; the error of `body`.
  package func forEachChunk(fileName: String, _ body: @escaping Body) async throws {
    let sent = Locked(0 as Int64, rank: .leaf)
    let isFirst: Bool
    do {
      isFirst = try await take { [length] chunk in
        let size = sent.withLock { sent in
          sent += Int64(chunk.count)
          return sent
        }
        if let length, size > length {
          throw RelayError(
            .request,
            "The stream of \"\(fileName)\" has more than the declared \(length.counted("byte")).")
        }
        if !chunk.isEmpty { try await body(chunk) }
      }
    } catch let error where error is RelayError || error is CancellationError {
      throw error
    } catch {
      throw RelayError(
        .request, "The stream of \"\(fileName)\" failed: \(error)", underlying: error)
    }
    if !isFirst { throw spentError(fileName) }
    try Task.checkCancellation()
    let size = sent.withLock { $0 }
    if let length, size < length {
      throw RelayError(
        .request,
        "The stream of \"\(fileName)\" has \(size.counted("byte")) instead of the declared \(length)."
      )
    }
  }

  package func spentError(_ fileName: String) -> RelayError {
    RelayError(
      .request,
      "The stream of \"\(fileName)\" was read by an earlier request, and cannot be sent again. Make a new upload."
    )
  }
}

extension [UInt8] {
  /// Calls a closure with each chunk.
  package func forEachChunk(_ body: UploadStream.Body) async throws {
    var rest = self[...]
    while !rest.isEmpty {
      try await body(Array(rest.prefix(UploadStream.chunkSize)))
      rest = rest.dropFirst(UploadStream.chunkSize)
    }
  }
}

extension UploadStream: Hashable {
  package static func == (left: UploadStream, right: UploadStream) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
