/// A string interner that maps each distinct string to one ``Symbol`` and back.
///
///     let symbols = SymbolTable()
///     let name = symbols.intern("friends")
///     symbols[name]                            // "friends"
///     symbols.intern("friends") == name        // true
///
/// Symbols are never removed. A table can be used from any thread: interning takes a lock, looking
/// up a string does not.
///
/// `@unchecked Sendable`: `state` is accessed only under `lock`. The strings live in chunks that
/// never move. A string is written before its symbol is returned and never changes afterwards, so
/// any holder of the symbol can read it without the lock.
public final class SymbolTable: @unchecked Sendable {
  /// Guards `state` and the writes to `chunks`. No other lock is taken while it is held.
  private let lock = Lock()
  /// The strings by symbol index. Chunk *k* holds `1 << (firstChunkBits + k)` of them.
  private let chunks: UnsafeMutablePointer<UnsafeMutablePointer<String>?>
  private var state: State

  private static let firstChunkBits: UInt32 = 8
  private static let chunkCount = 24

  /// Creates a table with the well-known symbols.
  public init() {
    chunks = .allocate(capacity: Self.chunkCount)
    chunks.initialize(repeating: nil, count: Self.chunkCount)
    state = State()
    for text in Symbol.wellKnownTexts {
      _ = insert(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
  }

  deinit {
    for index in 0..<Self.chunkCount {
      guard let chunk = chunks[index] else { continue }
      chunk.deinitialize(count: Self.chunkSize(index))
      chunk.deallocate()
    }
    chunks.deallocate()
  }

  /// The number of symbols in the table.
  public var count: Int { lock.withLock { Int(state.count) } }

  /// The string of a symbol; empty if the table has no symbol with this index.
  ///
  /// - Complexity: O(1).
  public subscript(_ symbol: Symbol) -> String {
    // Not inlined: a hundred callers look up strings, mostly for messages.
    @inline(never)
    get {
      let position = Self.chunkPosition(of: symbol.index)
      guard position.chunk < Self.chunkCount, let chunk = chunks[position.chunk] else { return "" }
      return chunk[position.offset]
    }
  }

  /// Returns the symbol for a string, adding it to the table if it is new.
  ///
  /// - Complexity: O(*n*) in the length of the string.
  public func intern(_ text: String) -> Symbol {
    var text = text
    return text.withUTF8 { bytes in lock.withLock { insert(bytes) } }
  }

  /// Returns the symbol for a string, or `nil` if the table has no string with the same bytes.
  public func find(_ text: String) -> Symbol? {
    var text = text
    return text.withUTF8 { bytes in lock.withLock { lookup(bytes, hash: state.hash(bytes)).found } }
  }

  /// Calls `body` while holding the table's lock, so interning many names takes it once.
  ///
  /// The lock is not reentrant: calling ``intern(_:)``, ``find(_:)`` or ``count`` in `body` would
  /// deadlock. Looking up strings is permitted.
  func withLockedInterner<Result>(_ body: (LockedInterner) -> Result) -> Result {
    lock.withLock { body(LockedInterner(table: self)) }
  }

  /// Access to a table while its lock is held. It must not escape the closure passed to
  /// ``SymbolTable/withLockedInterner(_:)``.
  struct LockedInterner {
    fileprivate unowned(unsafe) let table: SymbolTable

    @inline(__always)
    func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> Symbol { table.insert(bytes) }
  }
}

extension SymbolTable {
  /// The hash table: open addressing with linear probing. Each slot holds a symbol index and the
  /// hash of the symbol's string.
  private struct State {
    struct Slot {
      var hash: UInt32
      /// The symbol's index; `UInt32.max` if the slot is free.
      var index: UInt32
    }

    var slots = [Slot](repeating: Slot(hash: 0, index: .max), count: 256)
    var count: UInt32 = 0
    let seed = UInt64.random(in: 0 ... .max)

    /// Returns the hash of a string. The seed is random, so no document can be crafted to make its
    /// names collide.
    func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
      let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
      var state = seed ^ UInt64(truncatingIfNeeded: bytes.count) &* multiplier
      guard let base = UnsafeRawPointer(bytes.baseAddress) else {
        return UInt32(truncatingIfNeeded: state)
      }
      var offset = 0
      while offset + 8 <= bytes.count {
        let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let product = (state ^ word).multipliedFullWidth(by: multiplier ^ seed | 1)
        state = product.high ^ product.low &+ state
        offset += 8
      }
      var rest: UInt64 = 0
      while offset < bytes.count {
        rest = rest << 8 | UInt64(bytes[offset])
        offset += 1
      }
      let product = (state ^ rest).multipliedFullWidth(by: multiplier)
      let folded = product.high ^ product.low
      return UInt32(truncatingIfNeeded: folded ^ folded >> 32)
    }
  }

  private static func chunkSize(_ index: Int) -> Int { 1 << (Int(firstChunkBits) + index) }

  private static func chunkPosition(of index: UInt32) -> (chunk: Int, offset: Int) {
    let shifted = UInt64(index) + 1 << firstChunkBits
    let highBit = 63 - shifted.leadingZeroBitCount
    return (highBit - Int(firstChunkBits), Int(truncatingIfNeeded: shifted - 1 << highBit))
  }

  /// Finds the symbol for a string, or the free slot to insert it in.
  private func lookup(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> (
    found: Symbol?, slot: Int
  ) {
    state.slots.withUnsafeBufferPointer { slots in
      let mask = slots.count - 1
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot].index != .max {
        if slots[slot].hash == hash, isText(slots[slot].index, equalTo: bytes) {
          return (Symbol(index: slots[slot].index), slot)
        }
        slot = (slot + 1) & mask
      }
      return (nil, slot)
    }
  }

  private func isText(_ index: UInt32, equalTo bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let position = Self.chunkPosition(of: index)
    guard let chunk = chunks[position.chunk] else { return false }
    let text = chunk[position.offset].utf8
    guard text.count == bytes.count else { return false }
    let isEqual = text.withContiguousStorageIfAvailable { text in
      zip(text, bytes).allSatisfy { $0 == $1 }
    }
    return isEqual ?? text.elementsEqual(bytes)
  }

  private func insert(_ bytes: UnsafeBufferPointer<UInt8>) -> Symbol {
    let hash = state.hash(bytes)
    let (found, slot) = lookup(bytes, hash: hash)
    if let found { return found }
    let index = state.count
    store(String(decoding: bytes, as: UTF8.self), at: index)
    state.slots[slot] = State.Slot(hash: hash, index: index)
    state.count += 1
    if Int(state.count) * 2 > state.slots.count { grow() }
    return Symbol(index: index)
  }

  private func store(_ text: String, at index: UInt32) {
    let position = Self.chunkPosition(of: index)
    if chunks[position.chunk] == nil {
      let size = Self.chunkSize(position.chunk)
      let chunk = UnsafeMutablePointer<String>.allocate(capacity: size)
      chunk.initialize(repeating: "", count: size)
      chunks[position.chunk] = chunk
    }
    chunks[position.chunk]?[position.offset] = text
  }

  private func grow() {
    var slots = [State.Slot](
      repeating: State.Slot(hash: 0, index: .max), count: state.slots.count * 4)
    let mask = slots.count - 1
    for slot in state.slots where slot.index != .max {
      var position = Int(truncatingIfNeeded: slot.hash) & mask
      while slots[position].index != .max { position = (position + 1) & mask }
      slots[position] = slot
    }
    state.slots = slots
  }
}
