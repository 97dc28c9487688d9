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
  /// The file is not read or checked here. Each time the request is sent, the file is opened, its
  /// length is fixed, and it is read chunk by chunk while it is sent. In the meantime it must not
  /// become shorter; bytes appended to it are not sent. If the file cannot be read, sending fails
  /// before the first byte with an error that names the file.
  ///
  /// - Parameters:
  ///   - url: The URL of a regular file.
  ///   - fileName: The file name sent to the server; `nil` for the name in `url`.
  ///   - contentType: The media type of the content.
  public init(
    file url: URL, fileName: String? = nil, contentType: String = "application/octet-stream"
  ) {
    self.init(
      .file(path: url.isFileURL ? url.path : url.absoluteString),
      fileName: fileName ?? url.lastPathComponent, contentType: contentType)
  }

  /// Calls a closure with each chunk of the content, for transports that send files by themselves.
  /// The next chunk is read after the closure has returned.
  ///
  /// - Throws: ``RelayError`` with code `request` if a file cannot be read or a stream has already
  ///   been read; the error of a stream; the error of `body`.
  public func forEachChunk(
    _ body: @Sendable (_ chunk: [UInt8]) async throws -> Void
  ) async throws {
    // The closure does not outlive this call.
    try await withoutActuallyEscaping(body) { body in
      switch content {
      case .bytes(let bytes): try await bytes.forEachChunk(body)
      case .file(let path): try await FileReader(path: path).forEachChunk(body)
      case .stream(let stream): try await stream.forEachChunk(fileName: fileName, body)
      }
    }
  }

  /// Returns the entire content, for tests and small files.
  ///
  /// - Throws: As ``forEachChunk(_:)``.
  public func contents() async throws -> [UInt8] {
    if case .bytes(let bytes) = content { return bytes }
    let result = Locked<[UInt8]>([], rank: .leaf)
    try await forEachChunk { chunk in result.withLock { $0 += chunk } }
    return result.withLock { $0 }
  }
}
