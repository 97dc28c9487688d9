import RelayStore

/// An HTTP response as it is received, within limits.
///
/// While the body grows, at most 1.5 times the limit is allocated.
package struct ResponseBuffer: Sendable {
  /// The reason why an incomplete response is rejected.
  package struct Rejection: Error {
    /// The reason, as words that follow "Response for … ".
    let problem: String
    /// The HTTP status of the response.
    let status: Int
  }

  /// The limits of the header fields in bytes and lines, including interim responses and trailer
  /// fields.
  static let (headerLimit, headerLineLimit) = (256 * 1024, 1_000)

  package var response = HTTPResponse()
  package private(set) var rejection: Rejection?
  /// Whether the body was truncated at ``GraphQLResponse/errorPageLimit`` because this is not a
  /// GraphQL response.
  package private(set) var isTruncated = false
  private let byteLimit: Int
  private var headerSize = 0
  private var headerLineCount = 0

  /// Creates an empty response.
  ///
  /// - Parameter byteLimit: The maximum number of bytes of a GraphQL response.
  package init(byteLimit: Int) { self.byteLimit = max(0, byteLimit) }

  /// Whether to stop receiving, because the body was truncated or the response was rejected.
  package var isEnded: Bool { isTruncated || rejection != nil }

  private var limit: Int {
    response.isGraphQLResponse ? byteLimit : min(byteLimit, GraphQLResponse.errorPageLimit)
  }

  /// Appends the next bytes of the body, after content decoding.
  ///
  /// - Parameter bytes: Copied during the call; the caller keeps the buffer valid until it returns.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if isEnded { return }
    let limit = limit
    let accepted = bytes.prefix(limit - response.body.count)
    if accepted.count < bytes.count { handleLimitExceeded() }
    if rejection != nil { return }
    reserveCapacity(for: response.body.count + accepted.count, limit: limit)
    response.body.append(contentsOf: accepted)
  }

  /// Checks the number of body bytes received, before content decoding, against the limit.
  mutating func checkSize(received count: Int) {
    if count > limit, !isEnded { handleLimitExceeded() }
  }

  /// Counts a header line, rejecting the response when the header fields exceed their limits.
  package mutating func countHeaderLine(size: Int) {
    headerSize += size
    headerLineCount += 1
    if headerSize > Self.headerLimit {
      reject("has more than \(Self.headerLimit) bytes of header fields")
    }
    if headerLineCount > Self.headerLineLimit {
      reject("has more than \(Self.headerLineLimit) header fields")
    }
  }

  private mutating func handleLimitExceeded() {
    if response.isGraphQLResponse {
      reject("has more than \(byteLimit.counted("byte"))")
    } else {
      isTruncated = true
    }
  }

  /// Rejects the response for a header line longer than the client can receive.
  mutating func rejectOverlongHeaderLine() { reject("has a header field line that is too long") }

  /// Rejects a streamed response when a client that cannot pause has buffered too much of it.
  package mutating func rejectBacklog() { reject("arrives faster than it is consumed") }

  private mutating func reject(_ problem: String) {
    if rejection == nil { rejection = Rejection(problem: problem, status: response.status) }
    response.body = []
  }

  /// Reserves the limit divided by a power of four. All buffers before the last one then have at
  /// most a third of the limit in total, even if the allocator retains them. Bytes not yet written
  /// use no memory.
  private mutating func reserveCapacity(for count: Int, limit: Int) {
    guard count > response.body.capacity else { return }
    var capacity = limit
    while capacity / 4 >= count { capacity /= 4 }
    response.body.reserveCapacity(capacity)
  }
}
