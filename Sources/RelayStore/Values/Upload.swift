/// A file, as the value of a variable of the schema's upload scalar.
///
/// Name it in `customScalarTypes` of the configuration (`"Upload": "RelayStore.Upload"`), then give it like
/// any other value:
///
///     try await environment.commit(SetAvatarMutation(file: Upload(bytes, fileName: "me.png", contentType: "image/png")))
///
/// ``HTTPTransport`` sends it as the GraphQL multipart request specification says: null in the
/// variables, and the bytes behind them.
public struct Upload: Sendable, Hashable {
  /// The content.
  public var bytes: [UInt8]
  /// The name the server is told.
  public var fileName: String
  /// The media type.
  public var contentType: String

  public init(
    _ bytes: [UInt8], fileName: String, contentType: String = "application/octet-stream"
  ) {
    self.bytes = bytes
    self.fileName = fileName
    self.contentType = contentType
  }
}

extension Upload: JSONConvertible {
  /// - Throws: Always; no server answers with a file.
  public init(json: JSONValue) throws {
    throw ScalarMismatch(expected: "an upload, which no server sends")
  }

  /// Null, which stands where the file belongs.
  public var json: JSONValue { .null }
}

/// A file with its path in the variables of a request.
public struct UploadPart: Sendable, Hashable {
  /// The names and positions that lead to it, the outermost first: `["input", "files", "0"]`.
  public var path: [String]
  /// The file.
  public var file: Upload

  public init(path: [String], file: Upload) {
    self.path = path
    self.file = file
  }

  /// The same file, seen from one level above.
  package func below(_ name: String) -> UploadPart { UploadPart(path: [name] + path, file: file) }
}
