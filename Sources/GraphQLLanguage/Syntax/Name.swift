/// A name at its place in a text.
///
/// Compare names by ``symbol``; `==` compares the places too.
public struct Name: Hashable, Sendable {
  /// What the name is.
  public let symbol: Symbol
  /// Where the name stands.
  public let span: Span

  /// A name at a place.
  public init(_ symbol: Symbol, span: Span = .none) {
    self.symbol = symbol
    self.span = span
  }
}
