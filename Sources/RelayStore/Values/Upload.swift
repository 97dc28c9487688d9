/// A file, as the value of a variable of the schema's upload scalar: bytes, a file on disk, or a
/// stream.
///
/// Name the type in `customScalarTypes` of the configuration (`"Upload": "RelayStore.Upload"`),
/// then pass it like any other value:
///
///     let file = Upload(bytes, fileName: "me.png", contentType: "image/png")
///     try await environment.commit(SetAvatarMutation(file: file))
///
/// `HTTPTransport` sends it as the GraphQL multipart request specification says: null in the
/// variables, and the content in a part of its own. Files and streams are read while they are sent,
/// never as a whole.
///
/// Bytes and files can be sent any number of times. A stream is read once: a request with one that
/// would have to be sent again fails with an error that says so. An upload that one request has at
/// several places is sent once, with all of their paths.
public struct Upload: Sendable, Hashable {
  /// The source of an upload's bytes.
  package enum Content: Sendable, Hashable {
    case bytes([UInt8])
    case file(path: String)
    case stream(UploadStream)

    /// Bytes are hashed by their number: equal uploads are found without reading each of them.
    package func hash(into hasher: inout Hasher) {
      switch self {
      case .bytes(let bytes): hasher.combine(bytes.count)
      case .file(let path): hasher.combine(path)
      case .stream(let stream): hasher.combine(stream)
      }
    }
  }

  /// The file name that is sent to the server.
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
  /// The sequence is iterated once: from the moment the connection is ready for the first byte, and
  /// no faster than the server receives; with a `URLSession`, which sends a temporary file, before
  /// the request is sent. Iteration is cancelled when the request ends before. The
  /// sequence must be `Sendable`, because the transport iterates it in a task of its own. Copies of
  /// an upload share the stream.
  ///
  /// - Parameters:
  ///   - stream: The chunks, in order.
  ///   - length: The number of bytes. The request fails if the stream has more or fewer. `nil`
  ///     sends the request without a `Content-Length`, which not every server accepts.
  ///   - fileName: The file name that is sent to the server.
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

  /// Whether the content is a stream that was read already, so that it cannot be sent again.
  package var isSpent: Bool {
    if case .stream(let stream) = content { stream.isTaken } else { false }
  }
}

extension Upload: JSONConvertible {
  /// Refuses the JSON of a response.
  ///
  /// - Throws: Always; no server answers with a file.
  public init(json: JSONValue) throws {
    throw ScalarMismatch(expected: "an upload, which no server sends")
  }

  /// Null, as a placeholder for the file.
  public var json: JSONValue { .null }
}

/// A file with its path in the variables of a request. The same file may have several paths.
public struct UploadPart: Sendable, Hashable {
  /// The path to the file: names and indices, outermost first, like `["input", "files", "0"]`.
  public var path: [String]
  /// The file.
  public var file: Upload

  /// Creates a part; the path begins with the name of a variable.
  public init(path: [String], file: Upload) {
    self.path = path
    self.file = file
  }

  /// Returns the same file with its path as seen from one level above.
  package func below(_ name: String) -> UploadPart { UploadPart(path: [name] + path, file: file) }
}
