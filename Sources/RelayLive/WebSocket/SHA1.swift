import RelayNetwork
import RelayStore

/// The SHA-1 hash function, used by the handshake to recognize WebSocket servers. Not for secrets.
///
/// Source: FIPS 180-4, sections 5 and 6.1.
enum SHA1 {
  /// Returns the 20-byte hash of `bytes`.
  ///
  /// - Complexity: O(*n*) in the bytes.
  static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    var words = [UInt32](repeating: 0, count: 80)
    let padded = padded(bytes)
    for block in stride(from: 0, to: padded.count, by: 64) {
      for index in 0..<16 {
        let start = block + index * 4
        words[index] = padded[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
      }
      compress(&state, &words)
    }
    return state.flatMap { word in
      (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> (UInt32($0) * 8)) }
    }
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    var padded = bytes + [0x80]
    padded += repeatElement(0, count: (120 - padded.count % 64) % 64)
    let bits = UInt64(bytes.count) * 8
    padded += (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> (UInt64($0) * 8)) }
    return padded
  }

  private static func compress(_ state: inout [UInt32], _ words: inout [UInt32]) {
    for index in 16..<80 {
      let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words[index] = mixed.rotatedLeft(1)
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (choice, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5a82_7999)
        case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      let next = a.rotatedLeft(5) &+ choice &+ e &+ constant &+ words[index]
      (a, b, c, d, e) = (next, a, b.rotatedLeft(30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }
}

extension UInt32 {
  fileprivate func rotatedLeft(_ bits: UInt32) -> UInt32 { self << bits | self >> (32 - bits) }
}
