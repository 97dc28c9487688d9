import RelayStore

/// The effect of an attempt without a response that can be merged. The table of Docs/Offline.md has
/// every case.
enum AttemptResult {
  /// The server has not executed it: it was not reached, or says so.
  case notExecuted
  /// The GraphQL server has refused it.
  case refused
  /// The GraphQL server has executed it, with a response that cannot be read.
  case unreadable
  /// There is no response, or one that need not be the GraphQL server's.
  case unclear

  /// - Parameters:
  ///   - error: The error of the attempt.
  ///   - response: The response, if the transport has returned one.
  init(_ error: RelayError, _ response: GraphQLResponse?) {
    let isRefusal = !error.errors.isEmpty || error.code == .graphQL && response != nil
    switch error.status {
    case _ where error.isUnsent: self = .notExecuted
    case .some(300..<400), 407, 408, 425, 429, 503, 511: self = .notExecuted
    case nil where isRefusal, .some(200..<300) where isRefusal: self = .refused
    case .some(400..<500) where isRefusal: self = .refused
    case _ where error.code == .response && response?.isComplete != false: self = .unreadable
    default: self = .unclear
    }
  }
}

extension GraphQLResponse {
  /// Whether the body is a GraphQL response that was not cut off.
  fileprivate var isComplete: Bool {
    guard let object = (try? JSONValue(parsing: body))?.object else { return false }
    return object["data"] != nil || object["errors"] != nil
  }
}
