/// The body of a request with files, as `multipart/form-data`.
///
/// Source: GraphQL multipart request specification, version 2.
struct MultipartBody {
  /// The value of the `Content-Type` header field.
  let contentType: String
  let bytes: [UInt8]

  /// Encodes a request.
  ///
  /// - Parameter boundary: The delimiter between the parts; it must not occur in a file.
  init(_ request: GraphQLRequest, boundary: String) {
    contentType = "multipart/form-data; boundary=\(boundary)"
    var bytes: [UInt8] = []
    func part(_ disposition: String, contentType: String, _ content: [UInt8]) {
      bytes += Array("--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\n".utf8)
      bytes += Array("Content-Type: \(contentType)\r\n\r\n".utf8) + content + Array("\r\n".utf8)
    }
    part("name=\"operations\"", contentType: "application/json", request.httpBody)
    let map = request.uploads.enumerated().map { index, upload in
      let path = (["variables"] + upload.path).joined(separator: ".")
      return ("\(index)", JSONValue.array([.string(path)]))
    }
    let mapBytes = JSONValue.object(JSONObject(map)).jsonBytes
    part("name=\"map\"", contentType: "application/json", mapBytes)
    for (index, upload) in request.uploads.enumerated() {
      let name = Self.quoted(upload.file.fileName)
      part(
        "name=\"\(index)\"; filename=\(name)",
        contentType: Self.withoutControls(upload.file.contentType), upload.file.bytes)
    }
    self.bytes = bytes + Array("--\(boundary)--\r\n".utf8)
  }

  /// Returns a random boundary; the probability that it occurs in a file is one in 2¹²⁸.
  static func makeBoundary() -> String {
    let parts = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }
    return "RelayStore-" + parts.joined()
  }

  /// Returns a file name in quotes, with quotes and line breaks percent-encoded as browsers do.
  private static func quoted(_ name: String) -> String {
    let escaped = name.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "%22"
      case "\r": "%0D"
      case "\n": "%0A"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// Returns a text without its control characters, so that it cannot begin another header line.
  static func withoutControls(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 }))
  }
}
