/// An interned string of a document: a name, a keyword, or the digits of a number.
///
/// Two symbols of one ``SymbolTable`` are equal if their texts have the same bytes, so they are
/// compared and hashed like integers. The table returns the text: `symbols[symbol]`. Symbols of
/// different tables must not be mixed; only the constants of this type are the same in every table.
public struct Symbol: Hashable, Sendable {
  /// The index of the symbol in its table. Indices count from 0 without gaps, so they can index
  /// arrays.
  public let index: UInt32

  /// Creates the symbol at an index of a table.
  public init(index: UInt32) { self.index = index }
}

extension Symbol: Comparable {
  /// Orders symbols by first occurrence rather than by text. The same input gives the same order.
  public static func < (left: Symbol, right: Symbol) -> Bool { left.index < right.index }
}
