/// An interned string of a document: a name, a keyword, or the digits of a number.
///
/// Symbols of one ``SymbolTable`` are equal if their strings have the same bytes, so they compare
/// and hash like integers. Look up the string with `symbols[symbol]`. Never mix symbols of
/// different tables; only the constants of this type are the same in every table.
public struct Symbol: Hashable, Sendable {
  /// The index of the symbol in its table. Indices count from 0 without gaps, so they can index
  /// arrays.
  public let index: UInt32

  /// Creates the symbol at an index of a table.
  public init(index: UInt32) { self.index = index }
}

extension Symbol: Comparable {
  /// Orders symbols by first occurrence rather than alphabetically. The same input gives the same
  /// order.
  public static func < (left: Symbol, right: Symbol) -> Bool { left.index < right.index }
}
