import Foundation

/// A server's response to a request.
public struct GraphQLResponse: Sendable {
  /// The response, JSON in UTF-8: an object with `data`, `errors` or both.
  public var body: [UInt8]
  /// The HTTP status; `nil` for a transport without HTTP.
  public var status: Int?
  /// The header fields by lowercase name.
  public var headers: [String: String] = [:]

  /// Creates a response from its bytes, without a status or header fields.
  ///
  /// - Parameter body: JSON in UTF-8: an object with `data`, `errors` or both.
  public init(body: [UInt8]) { self.body = body }

  /// Creates a response from a JSON value, for in-process transports.
  public init(json: JSONValue) { body = json.jsonBytes }

  /// The errors reported by the server; empty if the body is not a GraphQL response.
  ///
  /// - Complexity: O(*n*) in the bytes.
  public var errors: [GraphQLError] {
    member("errors")?.array?.map(GraphQLError.init(json:)) ?? []
  }

  /// Whether the response has non-null data.
  ///
  /// - Complexity: O(*n*) in the bytes.
  package var hasData: Bool { member("data").map { !$0.isNull } ?? false }

  /// Whether a field of the operation has a value.
  ///
  /// - Complexity: O(*n*) in the bytes.
  private var hasValues: Bool {
    member("data")?.object?.members.contains { !$0.value.isNull } ?? false
  }

  /// Whether the server has executed a part of a mutation, so that it must not be sent again.
  package func isExecution(of kind: OperationKind) -> Bool { kind == .mutation && hasValues }

  /// The `extensions` of the response; empty without any.
  ///
  /// - Complexity: O(*n*) in the bytes.
  public var extensions: JSONObject { member("extensions")?.object ?? [:] }

  /// The errors of a response of at most 64 KiB; empty for a longer one. A response that rejects
  /// the entire request is short; a longer one has data and is not scanned.
  package var requestErrors: [GraphQLError] { errors(within: 64 * 1024) }

  /// The errors in the body of an HTTP response that is not a GraphQL response; empty if the body
  /// is longer than ``errorPageLimit``.
  package var errorPageErrors: [GraphQLError] { errors(within: Self.errorPageLimit) }

  /// The maximum number of bytes to receive of an HTTP response that is not a GraphQL response,
  /// such as an error page.
  package static let errorPageLimit = 256 * 1024

  private func errors(within byteLimit: Int) -> [GraphQLError] {
    body.count <= byteLimit ? errors : []
  }

  /// The delay that the server requests with the `Retry-After` header field, in seconds; `nil` if
  /// its value has anything but digits. A delay longer than ``Swift/Duration/longestSleep`` is
  /// clamped.
  ///
  /// The field's other form, a date, is left to the caller, because this device's clock may be
  /// wrong.
  package var retryAfter: Duration? {
    guard let value = header("retry-after"), !value.isEmpty,
      value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int(value).map { Duration.seconds($0).clampedForSleep } ?? .longestSleep
  }

  /// The lowercase media type that the server declares, without its parameters; `nil` if it is
  /// absent or malformed.
  var mediaType: String? {
    let type = header("content-type")?.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
    let names = type?.lowercased().split(separator: "/", omittingEmptySubsequences: false) ?? []
    let isValid = names.allSatisfy { name in
      (1...60).contains(name.utf8.count)
        && name.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789.+-".utf8.contains)
    }
    return isValid && names.count == 2 ? names.joined(separator: "/") : nil
  }

  /// Returns the value of a header field.
  ///
  /// - Parameter name: The lowercase name. A custom transport may not have converted the names.
  func header(_ name: String) -> String? {
    headers[name] ?? headers.first { $0.key.lowercased() == name }?.value
  }

  /// Returns a top-level member of the body; `nil` if it is absent or the body is not valid JSON.
  ///
  /// The scanner reads `buffer` only inside `withUnsafeBufferPointer`, which guarantees its
  /// validity. The result owns its storage.
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

extension Result where Success == GraphQLResponse, Failure == any Error {
  /// Whether the server rejects the credentials: the response or the error has HTTP status 401, an
  /// error's extensions have the code `UNAUTHENTICATED`, or the error says so.
  public var isUnauthenticated: Bool {
    let errors: [GraphQLError]
    switch self {
    case .success(let response) where response.status == 401: return true
    case .success(let response): errors = response.requestErrors
    case .failure(let error as RelayError) where error.status == 401 || error.isUnauthenticated:
      return true
    case .failure(let error): errors = (error as? RelayError)?.errors ?? []
    }
    return errors.contains { $0.extensions["code"]?.string == "UNAUTHENTICATED" }
  }
}
