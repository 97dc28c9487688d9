/// Tells the latest of several requests from the earlier ones, whose results no longer count.
struct LatestRequest: Sendable {
  struct Token: Hashable, Sendable {
    fileprivate let ordinal: UInt64
  }

  private var ordinal: UInt64 = 0

  /// Begins a request, which is the latest from now on.
  @discardableResult
  mutating func begin() -> Token {
    ordinal += 1
    return Token(ordinal: ordinal)
  }

  func isLatest(_ token: Token) -> Bool { token.ordinal == ordinal }

  /// The token of the latest request, or of none before the first.
  var token: Token { Token(ordinal: ordinal) }
}
