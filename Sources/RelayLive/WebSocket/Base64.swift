import RelayNetwork
import RelayStore

/// The Base64 encoding of bytes.
///
/// Source: RFC 4648, section 4.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns the encoded bytes, padded with `=` to a multiple of four characters.
  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(UInt32(0)) { bits, offset in
        bits << 8 | (offset < group.count ? UInt32(group[start + offset]) : 0)
      }
      for digit in 0..<4 {
        let value = Int(bits >> UInt32(18 - digit * 6) & 63)
        text.append(digit <= group.count ? alphabet[value] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
