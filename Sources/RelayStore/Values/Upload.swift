/// A file, as the value of a variable of the schema's upload scalar.
///
/// Name the type in `customScalarTypes` of the configuration (`"Upload": "RelayStore.Upload"`),
/// then pass it like any other value:
///
///     let file = Upload(bytes, fileName: "me.png", contentType: "image/png")
///     try await environment.commit(SetAvatarMutation(file: file))
///
/// ``HTTPTransport`` sends it as the GraphQL multipart request specification says: null in the
/// variables, and the bytes in a part of their own.
public struct Upload: Sendable, Hashable {
  /// The content of the file.
  public var bytes: [UInt8]
  /// The file name that is sent to the server.
  public var fileName: String
  /// The media type of the content.
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

  /// Null, as a placeholder for the file.
  public var json: JSONValue { .null }
}

/// A file with its path in the variables of a request.
public struct UploadPart: Sendable, Hashable {
  /// The path to the file: names and indices, outermost first, like `["input", "files", "0"]`.
  public var path: [String]
  /// The file.
  public var file: Upload

  public init(path: [String], file: Upload) {
    self.path = path
    self.file = file
  }

  /// Returns the same file with its path as seen from one level above.
  package func below(_ name: String) -> UploadPart { UploadPart(path: [name] + path, file: file) }
}
