/// A response after normalization.
package struct NormalizedResponse: Sendable {
  /// The records to merge; `nil` if the response has no data.
  package var payload: RecordPayload?
  /// The errors that the server reported.
  package var errors: [GraphQLError] = []
  package var extensions: JSONObject = [:]
  /// The HTTP status, if the transport uses HTTP.
  package var status: Int?
  /// How long the server asks to wait.
  package var retryAfter: Duration?
  /// How long the response is fresh, according to the server.
  package var maxAge: Duration?
}

/// A reader of one operation's response: `{"data": …, "errors": […], "extensions": {…}}`.
///
/// Source: GraphQL specification, September 2025, section 7.1.
package struct ResponseReader {
  /// The operation's normalization plan.
  let plan: BoundPlan
  /// The record that the data belongs to.
  let root: DataID
  /// The operation's name, for messages.
  let operationName: String
  /// Whether client code built the data, for example an optimistic response. Such data may omit
  /// discriminators.
  let isClientMade: Bool
  /// Whether a missing field is written as null.
  let treatsMissingFieldsAsNull: Bool
  let limits: ResponseLimits

  package init(
    plan: BoundPlan, root: DataID, operationName: String, isClientMade: Bool = false,
    treatsMissingFieldsAsNull: Bool = false, limits: ResponseLimits = ResponseLimits()
  ) {
    self.limits = limits
    self.treatsMissingFieldsAsNull = treatsMissingFieldsAsNull
    self.plan = plan
    self.root = root
    self.operationName = operationName
    self.isClientMade = isClientMade
  }

  /// Reads an entire response.
  ///
  /// - Throws: ``RelayError`` with code `response` if the bytes are not JSON, not a response, or do
  ///   not match the plan.
  /// - Complexity: O(*n*) in the bytes.
  package func response(_ bytes: [UInt8]) throws -> NormalizedResponse {
    try scan(bytes) { try response(&$0, bytes) }
  }

  /// Reads the value of `data` alone.
  package func data(_ bytes: [UInt8]) throws -> RecordPayload {
    let payload = try scan(bytes) { scanner in
      let payload = try self.payload(&scanner, bytes, errors: [])
      try scanner.end()
      return payload
    }
    guard let payload else { throw malformedError("has no data") }
    return payload
  }

  /// Scans a response or one of its payloads.
  ///
  /// - Parameter byteCount: The number of bytes in the earlier payloads.
  func scan<Result>(
    _ bytes: [UInt8], after byteCount: Int = 0, _ body: (inout JSONScanner) throws -> Result
  ) throws -> Result {
    if bytes.count > limits.bytes - byteCount {
      throw malformedError("has more than \(limits.bytes.counted("byte"))")
    }
    return try bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      scanner.depthLimit = limits.depth
      do {
        return try body(&scanner)
      } catch let failure as JSONScanner.Failure {
        throw RelayError(
          .response,
          "Response for \"\(operationName)\" is not JSON: \(failure.reason) at byte \(failure.offset).",
          operationName: operationName)
      }
    }
  }

  private func response(_ scanner: inout JSONScanner, _ bytes: [UInt8]) throws
    -> NormalizedResponse
  {
    guard try scanner.peekKind() == .object else { throw malformedError("is not an object") }
    try scanner.open(.object)
    var result = NormalizedResponse()
    var data: JSONScanner?
    var (isFirst, isDataRead, lacksErrors) = (true, false, false)
    while try scanner.next(in: .object, isFirst: isFirst) {
      isFirst = false
      switch try scanner.key() {
      case "data":
        data = scanner
        result.payload = try payload(&scanner, bytes, errors: result.errors)
        (isDataRead, lacksErrors) = (true, false)
      case "errors":
        result.errors = try errors(scanner.value())
        lacksErrors = isDataRead && !result.errors.isEmpty
      case "extensions": result.extensions = try scanner.value().object ?? [:]
      default: try scanner.skipValue()
      }
    }
    try scanner.end()
    if !isDataRead && result.errors.isEmpty { throw malformedError("has neither data nor errors") }
    if lacksErrors, var data {
      // The data came before the errors of its fields, and is read again with them.
      result.payload = try payload(&data, bytes, errors: result.errors)
    }
    return result
  }

  private func payload(
    _ scanner: inout JSONScanner, _ bytes: [UInt8], errors: [GraphQLError]
  ) throws -> RecordPayload? {
    switch try scanner.peekKind() {
    case .null:
      try scanner.null()
      return nil
    case .object:
      var normalizer = Normalizer(
        scanner, program: plan.program, response: bytes, operationName: operationName,
        isClientMade: isClientMade, treatsMissingFieldsAsNull: treatsMissingFieldsAsNull,
        recordLimit: limits.records)
      try normalizer.root(id: root, errors: errors.isEmpty ? nil : ErrorTree(errors))
      scanner = normalizer.scanner
      return normalizer.payload
    default: throw malformedError("has data that is not an object")
    }
  }

  /// Returns a normalizer for the parts of a response. It writes no nulls for missing fields.
  ///
  /// - Parameter recordCount: The number of objects in the earlier payloads.
  func normalizer(
    _ scanner: JSONScanner, _ bytes: [UInt8], after recordCount: Int
  ) -> Normalizer {
    Normalizer(
      scanner, program: plan.program, response: bytes, operationName: operationName,
      isClientMade: false, recordLimit: limits.records, recordCount: recordCount)
  }

  private func errors(_ json: JSONValue) throws -> [GraphQLError] {
    if json.isNull { return [] }
    guard let list = json.array else { throw malformedError("has errors that are not a list") }
    return list.map(GraphQLError.init(json:))
  }

  func malformedError(_ problem: String) -> RelayError {
    RelayError(
      .response, "Response for \"\(operationName)\" \(problem).", operationName: operationName)
  }
}

extension GraphQLError {
  /// Creates an error from its JSON in a response. Members that violate the specification are
  /// ignored.
  package init(json: JSONValue) {
    self.init(
      message: json["message"]?.string ?? "The server gave no message.",
      path: json["path"].flatMap(ResponsePath.init(json:)) ?? [],
      extensions: json["extensions"]?.object ?? [:])
  }
}

extension ResponsePath {
  /// Creates a path from its JSON in a response; `nil` if the JSON is not a list.
  init?(json: JSONValue) {
    guard let components = json.array else { return nil }
    self.init(components.compactMap(\.pathComponent))
  }
}

extension JSONValue {
  /// The step of a path; `nil` if the value is neither a string nor an integer.
  var pathComponent: ResponsePath.Component? {
    if let int { return .index(int) }
    return string.map(ResponsePath.Component.field)
  }
}
