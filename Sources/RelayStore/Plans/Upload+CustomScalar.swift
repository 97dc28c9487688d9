extension Upload: CustomScalar {
  /// - Throws: Always; no server answers with a file.
  public init(json: JSONValue) throws {
    throw ScalarMismatch(expected: "an upload, which no server sends")
  }

  /// Null, which stands where the file belongs.
  public var json: JSONValue { .null }

  public var __uploads: [UploadPart] { [UploadPart(path: [], file: self)] }
}
