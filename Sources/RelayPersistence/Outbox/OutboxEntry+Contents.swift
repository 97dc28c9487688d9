import Foundation
public import RelayStore

extension OutboxEntry {
  /// Returns the values that the app has given with the mutation; `nil` if it has given none.
  ///
  /// - Throws: `DecodingError` if they are of another type, such as an earlier version's.
  public func userInfo<Value: Decodable>(as type: Value.Type) throws -> Value? {
    try userInfo.map { try JSONDecoder().decode(type, from: Data($0.jsonBytes)) }
  }

  /// The error of the last attempt; `nil` if there was none.
  ///
  /// It has the server's ``/RelayStore/GraphQLError``s with their extensions, after a restart, too.
  /// Of an ``/RelayStore/RelayError/underlying`` error only the code of a `URLError` is kept.
  public var error: RelayError? {
    get { failure.flatMap { RelayError(persisted: $0, operationName: operationName) } }
    set {
      failure = newValue?.persisted
      errorMessage = newValue?.shortMessage
    }
  }
}

extension RelayError {
  /// The error as JSON, without an underlying error that is no `URLError`.
  fileprivate var persisted: JSONValue {
    var members: [(String, JSONValue)] = [
      ("code", .string(code.description)), ("message", .string(message)), ("path", path.json),
      ("errors", .array(errors.map(\.persisted))),
      ("flags", .array([isRetryable, isTimeout, isUnauthenticated].map { .bool($0) })),
    ]
    func add(_ name: String, _ value: Int?) {
      if let value { members.append((name, .number(JSONNumber(value)))) }
    }
    add("status", status)
    add("retryAfter", retryAfter.map { Int(clamping: $0.components.seconds) })
    add("urlError", urlErrorCode)
    if let excerpt { members.append(("excerpt", .string(excerpt))) }
    return .object(JSONObject(members))
  }

  fileprivate init?(persisted json: JSONValue, operationName: String) {
    guard let code = json["code"]?.string else { return nil }
    let described = GraphQLError(json: json)
    self.init(
      Code(code), described.message, operationName: operationName, path: described.path,
      errors: json["errors"]?.array?.map(GraphQLError.init(json:)) ?? [],
      underlying: json["urlError"]?.int.flatMap { URLError.Code(rawValue: $0) }.map { URLError($0) }
    )
    status = json["status"]?.int
    excerpt = json["excerpt"]?.string
    retryAfter = json["retryAfter"]?.int.map { .seconds($0) }
    let flags = json["flags"]?.array?.map { $0 == true } ?? []
    if flags.count == 3 {
      (isRetryable, isTimeout, isUnauthenticated) = (flags[0], flags[1], flags[2])
    }
  }
}

extension GraphQLError {
  fileprivate var persisted: JSONValue {
    [
      "message": .string(message), "path": path.json, "extensions": .object(extensions),
    ]
  }
}
