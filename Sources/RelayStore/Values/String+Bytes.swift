#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension String {
  /// Whether both strings have the same UTF-8 bytes; `==` also equates canonically equivalent ones.
  func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { a in
      other.utf8.withContiguousStorageIfAvailable { b in
        a.hasSameBytes(as: b)
      }
    }
    // Only strings bridged from another language have no contiguous UTF-8 storage.
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Feeds the UTF-8 bytes to a hasher.
  func hashBytes(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  /// Whether the UTF-8 bytes precede the other string's.
  package func precedesByBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

/// A string that is compared, and used as a dictionary key, by its UTF-8 bytes.
package struct ByteString: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ByteString, right: ByteString) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension UnsafeRawPointer {
  fileprivate func word(at offset: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether both buffers contain the same bytes.
  @inline(__always)
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let left = UnsafeRawPointer(baseAddress), let right = UnsafeRawPointer(other.baseAddress)
    else { return true }
    // Keys and ids are short: comparing words that may overlap is faster than a call. Each word is
    // in bounds, because both buffers have the same `count` of at least 8, or more than 16 for the
    // second pair.
    if count >= 8, count <= 32 {
      let isSame =
        left.word(at: 0) == right.word(at: 0)
        && left.word(at: count - 8) == right.word(at: count - 8)
      if count <= 16 || !isSame { return isSame }
      return left.word(at: 8) == right.word(at: 8)
        && left.word(at: count - 16) == right.word(at: count - 16)
    }
    return memcmp(left, right, count) == 0
  }
}
