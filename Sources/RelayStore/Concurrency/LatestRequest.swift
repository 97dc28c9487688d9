/// A counter that distinguishes the latest of several requests from earlier ones, whose results no
/// longer count.
struct LatestRequest: Sendable {
  struct Token: Hashable, Sendable {
    fileprivate let ordinal: UInt64
  }

  private var ordinal: UInt64 = 0

  /// Starts a request and makes it the latest.
  @discardableResult
  mutating func begin() -> Token {
    ordinal += 1
    return Token(ordinal: ordinal)
  }

  func isLatest(_ token: Token) -> Bool { token.ordinal == ordinal }

  /// The token of the latest request; before the first request, a token that no request has.
  var token: Token { Token(ordinal: ordinal) }
}
