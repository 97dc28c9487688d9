/// A piece of text that occurs in documents, interned: a name, a keyword, or the digits of a number.
///
/// Two symbols of one ``SymbolTable`` are equal when their texts have the same bytes, so comparing and hashing costs as much as for
/// an integer. The text is in the table: `symbols[symbol]`. Symbols of different tables must not be mixed, except the constants
/// of this type, which are the same in every table.
public struct Symbol: Hashable, Sendable {
  /// The symbol's position in its table, counted from 0 without gaps: an index for arrays by symbol.
  public let index: UInt32

  /// The symbol at a position of a table.
  public init(index: UInt32) { self.index = index }
}

extension Symbol: Comparable {
  /// Orders symbols by first occurrence, not by text: the same input gives the same order.
  public static func < (left: Symbol, right: Symbol) -> Bool { left.index < right.index }
}
