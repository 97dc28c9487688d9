import RelayStore

/// The encoding of a request with files as `multipart/form-data`.
///
/// Source: GraphQL multipart request specification, version 2.
enum MultipartBody {
  /// Returns the value of the `Content-Type` header field.
  static func contentType(boundary: String) -> String {
    "multipart/form-data; boundary=\(boundary)"
  }

  /// Encodes a request and opens its files. A file used at several places in the variables becomes
  /// one section with a path for each place.
  ///
  /// - Parameter boundary: The delimiter between the sections; it must not occur in a file.
  /// - Throws: ``RelayError`` with code `request` when a file cannot be read, a stream was already
  ///   read, one stream is sent under two names or two media types, or a media type contains a line
  ///   break.
  static func encode(_ request: GraphQLRequest, boundary: String) throws -> RequestBody {
    var body = RequestBody()
    func open(_ disposition: String, contentType: String) {
      body.append(
        "--\(boundary)\r\nContent-Disposition: form-data; \(disposition)\r\nContent-Type: \(contentType)\r\n\r\n"
      )
    }
    open("name=\"operations\"", contentType: "application/json")
    body.append(request.httpBody)
    let files = try request.sentFiles()
    let map = files.enumerated().map { index, sent in
      let paths = sent.paths.map { (["variables"] + $0).joined(separator: ".") }
      return ("\(index)", JSONValue.array(paths.map { .string($0) }))
    }
    body.append("\r\n")
    open("name=\"map\"", contentType: "application/json")
    body.append(JSONValue.object(JSONObject(map)).jsonBytes)
    body.append("\r\n")
    for (index, file) in files.map(\.file).enumerated() {
      if let fault = HeaderFields.fault(of: file.contentType) {
        throw RelayError(.request, "The media type of \"\(file.fileName)\" contains \(fault).")
      }
      open(
        "name=\"\(index)\"; filename=\(quoted(file.fileName))", contentType: file.contentType)
      try body.append(file)
      body.append("\r\n")
    }
    body.append("--\(boundary)--\r\n")
    return body
  }

  /// Returns a random boundary; it occurs in a file with a probability of one in 2¹²⁸.
  static func makeBoundary() -> String {
    let parts = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }
    return "RelayStore-" + parts.joined()
  }

  /// Returns a quoted file name, with quotes and line breaks percent-encoded as browsers do.
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
}
