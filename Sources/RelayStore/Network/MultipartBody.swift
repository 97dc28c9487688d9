/// The encoding of a request with files as `multipart/form-data`.
///
/// Source: GraphQL multipart request specification, version 2.
enum MultipartBody {
  /// Returns the value of the `Content-Type` header field.
  static func contentType(boundary: String) -> String {
    "multipart/form-data; boundary=\(boundary)"
  }

  /// Encodes a request, and opens its files.
  ///
  /// - Parameter boundary: The delimiter between the parts; it must not occur in a file.
  /// - Throws: ``RelayError`` with code `request` when a file cannot be read, or a stream was read
  ///   before.
  static func encode(_ request: GraphQLRequest, boundary: String) throws -> HTTPBody {
    var body = HTTPBody()
    func open(_ disposition: String, contentType: String) {
      body.append(
        "--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\nContent-Type: \(contentType)\r\n\r\n"
      )
    }
    open("name=\"operations\"", contentType: "application/json")
    body.append(request.httpBody)
    let map = request.uploads.enumerated().map { index, upload in
      let path = (["variables"] + upload.path).joined(separator: ".")
      return ("\(index)", JSONValue.array([.string(path)]))
    }
    body.append("\r\n")
    open("name=\"map\"", contentType: "application/json")
    body.append(JSONValue.object(JSONObject(map)).jsonBytes)
    body.append("\r\n")
    for (index, upload) in request.uploads.enumerated() {
      open(
        "name=\"\(index)\"; filename=\(quoted(upload.file.fileName))",
        contentType: withoutControls(upload.file.contentType))
      try body.append(upload.file)
      body.append("\r\n")
    }
    body.append("--\(boundary)--\r\n")
    return body
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
