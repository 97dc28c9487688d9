/// A name with its source range.
///
/// Compare names by ``symbol``; `==` also compares the source ranges.
public struct Name: Hashable, Sendable {
  /// The interned name.
  public let symbol: Symbol
  /// The source range of the name.
  public let span: Span

  /// Creates a name.
  public init(_ symbol: Symbol, span: Span = .none) {
    self.symbol = symbol
    self.span = span
  }
}
