import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server answered to an HTTP request, whatever the status is.
struct HTTPAnswer: Sendable {
  var status = 0
  /// By their names in lower case; the values of one that came several times are joined with `", "`.
  var headers: [String: String] = [:]
  var body: [UInt8] = []
  /// Where it came from, when what brought it has followed a redirect by itself.
  var followedTo: URL?

  /// Whether it is a response, by its status or by GraphQL's own media type, with which servers answer errors in
  /// the request under another status.
  var isResponse: Bool {
    (200..<300).contains(status)
      || headers["content-type"]?.lowercased().hasPrefix("application/graphql-response+json")
        == true
  }
}

/// What brings an HTTP request to its server.
protocol HTTPClient: Sendable {
  /// Sends a request and waits for the whole answer. A redirect is an answer; what follows one all the same
  /// says so in ``HTTPAnswer/followedTo``.
  ///
  /// - Parameter byteLimit: The most bytes of a response; of an answer that is none, the beginning is enough.
  /// - Throws: `URLError` when there is none; ``ArrivingAnswer/Refusal`` when it exceeds the limits;
  ///   `CancellationError` when the task was cancelled.
  func send(_ request: URLRequest, byteLimit: Int) async throws -> HTTPAnswer
}
