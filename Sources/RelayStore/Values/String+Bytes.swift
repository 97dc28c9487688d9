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
  func word(at offset: Int) -> UInt64 {
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
    // Keys and ids are short: comparing words, of which two may overlap, is faster than a call.
    guard count >= 8 else { return (0..<count).allSatisfy { self[$0] == other[$0] } }
    for offset in stride(from: 0, to: count - 8, by: 8)
    where left.word(at: offset) != right.word(at: offset) {
      return false
    }
    return left.word(at: count - 8) == right.word(at: count - 8)
  }
}
