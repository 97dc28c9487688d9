/// A file, as the value of a variable of the schema's upload scalar: bytes, a file on disk, or a
/// stream.
///
/// Name the type in `customScalarTypes` of the configuration (`"Upload": "RelayStore.Upload"`),
/// then pass it like any other value:
///
///     let file = Upload(bytes, fileName: "me.png", contentType: "image/png")
///     try await environment.commit(SetAvatarMutation(file: file))
///
/// `HTTPTransport` follows the GraphQL multipart request specification: it sends null in the
/// variables, and the content in a separate section. Files and streams are read while they are
/// sent, never all at once.
///
/// Bytes and files can be sent any number of times. A stream is read once: a request that would
/// have to send it again fails with an error that says so. An upload used in several places of one
/// request is sent once, with all of its paths.
public struct Upload: Sendable, Hashable {
  /// The source of an upload's bytes.
  package enum Content: Sendable, Hashable {
    case bytes([UInt8])
    case file(path: String)
    case stream(UploadStream)

    /// Hashes bytes by their count, so that equal uploads are found without reading every byte.
    package func hash(into hasher: inout Hasher) {
      switch self {
      case .bytes(let bytes): hasher.combine(bytes.count)
      case .file(let path): hasher.combine(path)
      case .stream(let stream): hasher.combine(stream)
      }
    }
  }

  /// The file name sent to the server.
  public var fileName: String
  /// The media type of the content.
  public var contentType: String
  package let content: Content

  /// Creates an upload of bytes in memory.
  public init(
    _ bytes: [UInt8], fileName: String, contentType: String = "application/octet-stream"
  ) {
    self.init(.bytes(bytes), fileName: fileName, contentType: contentType)
  }

  /// Creates an upload of a stream of chunks, each an array of bytes or a `Data`.
  ///
  /// The sequence is iterated once. Iteration starts when the connection is ready for the first
  /// byte, and is no faster than the server receives. A `URLSession` sends a temporary file, so
  /// there the sequence is iterated before the request is sent. Iteration is cancelled if the
  /// request ends first. The sequence must be `Sendable`, because the transport iterates it in a
  /// separate task. Copies of an upload share the stream.
  ///
  /// - Parameters:
  ///   - stream: The chunks, in order.
  ///   - length: The number of bytes. The request fails if the stream has more or fewer. `nil`
  ///     sends the request without a `Content-Length`; not every server accepts that.
  ///   - fileName: The file name sent to the server.
  ///   - contentType: The media type of the content.
  public init<Chunks: AsyncSequence & Sendable>(
    stream: Chunks, length: Int? = nil, fileName: String,
    contentType: String = "application/octet-stream"
  ) where Chunks.Element: Sequence, Chunks.Element.Element == UInt8 {
    let stream = UploadStream(length: length) { body in
      for try await chunk in stream { try await body(Array(chunk)) }
    }
    self.init(.stream(stream), fileName: fileName, contentType: contentType)
  }

  /// Creates an upload of a stream of single bytes, such as `URL.AsyncBytes`; otherwise like the
  /// initializer for chunks.
  public init<Bytes: AsyncSequence & Sendable>(
    stream: Bytes, length: Int? = nil, fileName: String,
    contentType: String = "application/octet-stream"
  ) where Bytes.Element == UInt8 {
    let stream = UploadStream(length: length) { body in
      var chunk: [UInt8] = []
      for try await byte in stream {
        chunk.append(byte)
        if chunk.count < UploadStream.chunkSize { continue }
        try await body(chunk)
        chunk.removeAll(keepingCapacity: true)
      }
      if !chunk.isEmpty { try await body(chunk) }
    }
    self.init(.stream(stream), fileName: fileName, contentType: contentType)
  }

  package init(_ content: Content, fileName: String, contentType: String) {
    self.content = content
    self.fileName = fileName
    self.contentType = contentType
  }

  /// Whether the content is a stream that has been read, so that it cannot be sent again.
  package var isSpent: Bool {
    if case .stream(let stream) = content { stream.isTaken } else { false }
  }
}

extension Upload: JSONConvertible {
  /// Rejects a response's JSON.
  ///
  /// - Throws: Always; no server responds with a file.
  public init(json: JSONValue) throws {
    throw ScalarMismatch(expected: "an upload, and servers never send one")
  }

  /// Null, as a placeholder for the file.
  public var json: JSONValue { .null }
}

/// A file with its path in a request's variables. The same file may have several paths.
public struct VariableUpload: Sendable, Hashable {
  /// The path to the file: names and indices, outermost first, such as `["input", "files", "0"]`.
  public var path: [String]
  /// The file.
  public var file: Upload

  /// Creates a part. The path starts with the name of a variable.
  public init(path: [String], file: Upload) {
    self.path = path
    self.file = file
  }

  /// Returns the same file with its path as seen from one level up.
  package func below(_ name: String) -> VariableUpload {
    VariableUpload(path: [name] + path, file: file)
  }
}
