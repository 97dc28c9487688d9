import RelayStore

/// The body of a request, as a sequence of pieces. Files and streams are read while they are sent.
///
/// Its files remain open until it is released.
package struct RequestBody: Sendable {
  /// A piece of the body, and how its bytes are read.
  package enum Piece: Sendable {
    case bytes([UInt8])
    case file(FileReader)
    case stream(UploadStream, fileName: String)
  }

  package private(set) var pieces: [Piece] = []
  /// The number of bytes; `nil` if a stream does not declare its length, or the sum overflows
  /// `Int`.
  package private(set) var length: Int? = 0

  /// Creates an empty body.
  package init() {}

  /// The bytes, if all of them are in memory.
  var bytes: [UInt8]? {
    var result: [UInt8] = []
    for piece in pieces {
      guard case .bytes(let bytes) = piece else { return nil }
      result += bytes
    }
    return result
  }

  /// Whether the body can be sent, or sent again, because none of its streams has been read.
  var isUnspent: Bool {
    pieces.allSatisfy { if case .stream(let stream, _) = $0 { !stream.isTaken } else { true } }
  }

  package mutating func append(_ text: String) { append(Array(text.utf8)) }

  package mutating func append(_ bytes: [UInt8]) {
    pieces.append(.bytes(bytes))
    addLength(bytes.count)
  }

  /// Appends the content of an upload; opens its file.
  ///
  /// - Throws: ``RelayError`` with code `request` if the file cannot be read or the stream has
  ///   already been read.
  package mutating func append(_ upload: Upload) throws {
    switch upload.content {
    case .bytes(let bytes): append(bytes)
    case .file(let path):
      let file = try FileReader(path: path)
      pieces.append(.file(file))
      addLength(file.length)
    case .stream(let stream):
      if stream.isTaken { throw stream.spentError(upload.fileName) }
      pieces.append(.stream(stream, fileName: upload.fileName))
      addLength(stream.length)
    }
  }

  private mutating func addLength(_ added: Int?) {
    guard let old = length, let added else { return length = nil }
    let (sum, isTooLarge) = old.addingReportingOverflow(added)
    length = isTooLarge ? nil : sum
  }

  /// Calls a closure with each chunk of the body, from the start.
  ///
  /// - Throws: ``RelayError`` with code `request` if a file or a stream cannot be read; the error
  ///   of `body`.
  package func forEachChunk(_ body: @escaping UploadStream.Body) async throws {
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): try await bytes.forEachChunk(body)
      case .file(let file): try await file.forEachChunk(body)
      case .stream(let stream, let fileName):
        try await stream.forEachChunk(fileName: fileName, body)
      }
    }
  }
}
