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
}

extension UploadStream: Hashable {
  package static func == (left: UploadStream, right: UploadStream) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
