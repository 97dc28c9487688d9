/// A hash table from symbols to positions. It is left empty for short lists, which callers search
/// linearly.
struct SymbolIndex: Sendable {
  /// The maximum number of elements in a list that is searched linearly.
  static let shortListLimit = 8

  /// The entries: the symbol in the high half, the position in the low half, and all ones for a
  /// free slot.
  private var slots: ContiguousArray<UInt64> = []

  /// Indexes the symbols at the positions `0..<count`, unless there are at most `minimum` of them.
  /// The first of several equal symbols is indexed.
  init(count: Int, minimum: Int = Self.shortListLimit, symbolAt: (Int) -> Symbol) {
    guard count > minimum else { return }
    var size = 16
    while size < count * 2 { size *= 2 }
    slots = ContiguousArray(repeating: .max, count: size)
    for position in 0..<count {
      let symbol = symbolAt(position)
      let slot = slot(of: symbol)
      guard slots[slot] == .max else { continue }
      slots[slot] = UInt64(symbol.index) << 32 | UInt64(UInt32(truncatingIfNeeded: position))
    }
  }

  /// Whether no symbol is indexed.
  var isEmpty: Bool { slots.isEmpty }

  /// Returns the position of a symbol, or `nil` if it is not indexed.
  func position(of symbol: Symbol) -> Int? {
    guard !slots.isEmpty else { return nil }
    let entry = slots[slot(of: symbol)]
    return entry == .max ? nil : Int(truncatingIfNeeded: entry & 0xFFFF_FFFF)
  }

  /// Returns the slot of a symbol, or the free slot to insert it in.
  private func slot(of symbol: Symbol) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: UInt64(symbol.index) &* 0x9E37_79B9_7F4A_7C15 >> 32) & mask
    while slots[slot] != .max, slots[slot] >> 32 != UInt64(symbol.index) {
      slot = (slot + 1) & mask
    }
    return slot
  }
}
