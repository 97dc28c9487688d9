/// What a server answered.
public struct GraphQLResponse: Sendable {
  /// The response, JSON in UTF-8: an object with `data`, `errors` or both.
  public var body: [UInt8]
  /// The HTTP status, where there is one.
  public var status: Int?
  /// The header fields, their names in lower case.
  public var headers: [String: String] = [:]

  public init(body: [UInt8]) { self.body = body }

  /// A response from a JSON value, for transports that run in this process.
  public init(json: JSONValue) { body = json.jsonBytes }

  /// The errors that the server reports; none where the body is no response.
  ///
  /// - Complexity: O(*n*) in the bytes.
  public var errors: [GraphQLError] {
    member("errors")?.array?.map(GraphQLError.init(json:)) ?? []
  }

  /// What the server tells beside data and errors.
  ///
  /// - Complexity: O(*n*) in the bytes.
  public var extensions: JSONObject { member("extensions")?.object ?? [:] }

  /// The errors of a response that is so short that it has hardly any data: what refuses a
  /// request as a whole. Long ones are not searched.
  var refusals: [GraphQLError] { errors(within: 64 * 1024) }

  /// The errors of an answer that has no data, which may tell more of each; they are not searched for in one of more
  /// than what is received of it.
  var failures: [GraphQLError] { errors(within: ArrivingAnswer.pageLimit) }

  private func errors(within byteLimit: Int) -> [GraphQLError] {
    body.count <= byteLimit ? errors : []
  }

  /// How long the server asks to wait, as the header field `Retry-After` says: digits, in seconds. More than
  /// ``Swift/Duration/longestWait`` counts as that, and all else is no wait.
  ///
  /// The field's other form, a date, is left to the caller: this computer's clock may be wrong.
  var retryAfter: Duration? {
    // Transports of an app may have left the names as they came.
    let value =
      headers["retry-after"] ?? headers.first { $0.key.lowercased() == "retry-after" }?.value
    guard let value, !value.isEmpty,
      value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int(value).map { Duration.seconds($0).asWait } ?? .longestWait
  }

  private func member(_ name: String) -> JSONValue? {
    body.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      return try? Self.member(name, in: &scanner)
    }
  }

  private static func member(_ name: String, in scanner: inout JSONScanner) throws -> JSONValue? {
    guard try scanner.peekKind() == .object else { return nil }
    try scanner.open(.object)
    var isFirst = true
    while try scanner.next(in: .object, isFirst: isFirst) {
      isFirst = false
      if try scanner.key() == name { return try scanner.value() }
      try scanner.skipValue()
    }
    return nil
  }
}
