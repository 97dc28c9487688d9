public import Foundation

extension Upload {
  /// Creates an upload of data in memory.
  public init(
    _ data: Data, fileName: String, contentType: String = "application/octet-stream"
  ) {
    self.init(Array(data), fileName: fileName, contentType: contentType)
  }

  /// Creates an upload of a file on disk.
  ///
  /// Nothing is read or checked here. Each time the request is sent, the file is opened, has the
  /// length that it has then, and is read chunk by chunk while it is sent. It must not become
  /// shorter meanwhile; what is appended is not sent. A file that cannot be read is an error that
  /// names it, before anything is sent.
  ///
  /// - Parameters:
  ///   - url: The URL of a regular file.
  ///   - fileName: The file name that is sent to the server; `nil` for that of `url`.
  ///   - contentType: The media type of the content.
  public init(
    file url: URL, fileName: String? = nil, contentType: String = "application/octet-stream"
  ) {
    self.init(
      .file(path: url.isFileURL ? url.path : url.absoluteString),
      fileName: fileName ?? url.lastPathComponent, contentType: contentType)
  }

  /// Calls a closure with each chunk of the content, for transports that send files by themselves.
  /// The next chunk is read once the closure has returned.
  ///
  /// - Throws: ``RelayError`` with code `request` when a file cannot be read, and when a stream was
  ///   read before; the error of a stream; the error of `body`.
  public func forEachChunk(
    _ body: @Sendable (_ chunk: [UInt8]) async throws -> Void
  ) async throws {
    var request = RequestBody()
    try request.append(self)
    // The closure does not outlive this call.
    try await withoutActuallyEscaping(body) { try await request.forEachChunk($0) }
  }

  /// Returns the whole content, for tests and small files.
  ///
  /// - Throws: As ``forEachChunk(_:)``.
  public func contents() async throws -> [UInt8] {
    if case .bytes(let bytes) = content { return bytes }
    let result = Locked<[UInt8]>([], rank: .leaf)
    try await forEachChunk { chunk in result.withLock { $0 += chunk } }
    return result.withLock { $0 }
  }
}
