/// An HTTP response while it is being received; no more of it is held than its limits allow.
///
/// While the body grows, at most 1.5 times the limit is allocated.
struct ArrivingAnswer: Sendable {
  /// The reason why a response is rejected before it is complete.
  struct Refusal: Error {
    /// The reason in words that follow "Response for … ".
    let problem: String
    /// The HTTP status of the response.
    let status: Int
  }

  /// The maximum number of bytes of an HTTP response that is not a GraphQL response, such as an
  /// error page. The rest is not received.
  static let pageLimit = 256 * 1024
  /// The limits of the header fields in bytes and in lines, including interim responses and trailer
  /// fields.
  static let (headLimit, lineLimit) = (256 * 1024, 1_000)

  var answer = HTTPAnswer()
  private(set) var refusal: Refusal?
  /// Whether the body was cut off at ``pageLimit`` because this is not a GraphQL response.
  private(set) var isCut = false
  private let byteLimit: Int
  private var headSize = 0
  private var lineCount = 0

  /// Creates an empty response.
  ///
  /// - Parameter byteLimit: The maximum number of bytes of a GraphQL response.
  init(byteLimit: Int) { self.byteLimit = max(0, byteLimit) }

  /// Whether no more data should be received, because the body was cut off or the response was
  /// rejected.
  var isEnded: Bool { isCut || refusal != nil }

  private var limit: Int { answer.isResponse ? byteLimit : min(byteLimit, Self.pageLimit) }

  /// Appends the next bytes of the body, after content decoding.
  ///
  /// - Parameter bytes: Read only during the call and copied. The caller keeps the buffer valid
  ///   until the call returns.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if isEnded { return }
    let limit = limit
    let taken = bytes.prefix(limit - answer.body.count)
    if taken.count < bytes.count { exceed() }
    if refusal != nil { return }
    makeRoom(for: answer.body.count + taken.count, limit)
    answer.body.append(contentsOf: taken)
  }

  /// Checks the number of body bytes received so far, before content decoding, against the limit.
  mutating func note(received count: Int) { if count > limit, !isEnded { exceed() } }

  /// Counts a line of header fields, and rejects the response when the header fields exceed their
  /// limits.
  mutating func note(line size: Int) {
    headSize += size
    lineCount += 1
    if headSize > Self.headLimit {
      refuse("has more than \(Self.headLimit) bytes of header fields")
    }
    if lineCount > Self.lineLimit { refuse("has more than \(Self.lineLimit) header fields") }
  }

  private mutating func exceed() {
    if answer.isResponse { refuse("has more than \(byteLimit) bytes") } else { isCut = true }
  }

  /// Rejects the response for a header line that is longer than the client can receive.
  mutating func refuseEndlessLine() { refuse("has a line of header fields that is too long") }

  private mutating func refuse(_ problem: String) {
    if refusal == nil { refusal = Refusal(problem: problem, status: answer.status) }
    answer.body = []
  }

  /// Reserves the limit divided by a power of two. The last reallocation then copies from half of
  /// the limit to the whole.
  private mutating func makeRoom(for count: Int, _ limit: Int) {
    guard count > answer.body.capacity else { return }
    var capacity = limit
    while capacity / 2 >= count { capacity /= 2 }
    answer.body.reserveCapacity(capacity)
  }
}
