/// An HTTP answer while it arrives: no more of it is held than its limits allow.
///
/// At most one and a half times the limit is in use while the body grows.
struct ArrivingAnswer: Sendable {
  /// Why an answer is refused before its end.
  struct Refusal: Error {
    /// In words that follow "Response for … ".
    let problem: String
    /// The answer's HTTP status.
    let status: Int
  }

  /// The most bytes of an answer that is no response, and has a message for people at most; the rest is not received.
  static let pageLimit = 256 * 1024
  /// The most bytes of header fields, interim answers and trailer fields included, and the most lines.
  static let (headLimit, lineLimit) = (256 * 1024, 1_000)

  var answer = HTTPAnswer()
  private(set) var refusal: Refusal?
  /// Whether the body is cut off because it is no response.
  private(set) var isCut = false
  private let byteLimit: Int
  private var headSize = 0
  private var lineCount = 0

  /// - Parameter byteLimit: The most bytes of a response.
  init(byteLimit: Int) { self.byteLimit = max(0, byteLimit) }

  /// Whether nothing more is wanted of it.
  var isEnded: Bool { isCut || refusal != nil }

  private var limit: Int { answer.isResponse ? byteLimit : min(byteLimit, Self.pageLimit) }

  /// Takes the next bytes of the body, decoded.
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if isEnded { return }
    let limit = limit
    let taken = bytes.prefix(limit - answer.body.count)
    if taken.count < bytes.count { exceed() }
    if refusal != nil { return }
    makeRoom(for: answer.body.count + taken.count, limit)
    answer.body.append(contentsOf: taken)
  }

  /// Notes how many bytes of the body have come so far, as they were sent.
  mutating func note(received count: Int) { if count > limit, !isEnded { exceed() } }

  /// Notes a line of header fields.
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

  /// Refuses the answer for a line of header fields that is longer than can be received.
  mutating func refuseEndlessLine() { refuse("has a line of header fields that is too long") }

  private mutating func refuse(_ problem: String) {
    if refusal == nil { refusal = Refusal(problem: problem, status: answer.status) }
    answer.body = []
  }

  /// Grows to halves of the limit, so that the last copy is from half of it to the whole.
  private mutating func makeRoom(for count: Int, _ limit: Int) {
    guard count > answer.body.capacity else { return }
    var capacity = limit
    while capacity / 2 >= count { capacity /= 2 }
    answer.body.reserveCapacity(capacity)
  }
}
