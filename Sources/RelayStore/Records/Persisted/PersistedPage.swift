/// The pages of records, with 64 consecutive numbers each.
package enum PersistedPage {
  package static let size = 64
  /// The exclusive upper bound of the pages. Their numbers have 31 bits, so an `Int` holds them on
  /// every platform.
  package static let limit = 1 << 25 - 1

  package static func page(of number: UInt32) -> Int { Int(number >> 6) }
  package static func slot(of number: UInt32) -> Int { Int(number & 63) }
  package static func number(_ slot: Int, of page: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: page << 6 | slot)
  }
}
