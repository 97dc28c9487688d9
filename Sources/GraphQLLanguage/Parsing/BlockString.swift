/// Evaluation of block strings: removes common indentation and blank lines at both ends, and turns
/// every line terminator into a line feed.
package enum BlockString {
  /// Returns the value of a block string, given the bytes between its triple quotes. The lexer must
  /// have accepted them.
  ///
  /// - Complexity: O(*n*), in two passes.
  package static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let indentation = Indentation(bytes)
    guard let kept = indentation.kept else { return "" }
    return String(unsafeUninitializedCapacity: kept.count + 1) { output in
      var count = 0
      var offset = kept.lowerBound
      if indentation.startsAfterFirstLine {
        offset = min(offset + indentation.width, kept.upperBound)
      }
      while offset < kept.upperBound {
        var next = bytes[unchecked: offset]
        if next == UInt8(ascii: "\\"), isEscapedQuote(bytes, at: offset) {
          offset += 1
          for _ in 0..<3 {
            output[count] = 0x22
            count += 1
          }
          offset += 3
          continue
        }
        offset += 1
        if next == 0x0A || next == 0x0D {
          if next == 0x0D, offset < kept.upperBound, bytes[unchecked: offset] == 0x0A {
            offset += 1
          }
          next = 0x0A
          offset = afterIndent(bytes, from: offset, limit: indentation.width, end: kept.upperBound)
        }
        output[count] = next
        count += 1
      }
      return count
    }
  }

  private static func isEscapedQuote(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    offset + 3 < bytes.count && bytes[offset + 1] == 0x22 && bytes[offset + 2] == 0x22
      && bytes[offset + 3] == 0x22
  }

  private static func afterIndent(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, limit: Int, end: Int
  ) -> Int {
    var offset = start
    while offset < end, offset - start < limit, isBlank(bytes[unchecked: offset]) { offset += 1 }
    return offset
  }

  @inline(__always)
  package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The result of the first pass: the common indentation and the range without blank lines at
  /// either end.
  private struct Indentation {
    /// The common indentation, in bytes, of all nonblank lines except the first.
    var width = 0
    /// The range from the start of the first nonblank line to the end of the last one; `nil` if all
    /// lines are blank.
    var kept: Range<Int>?
    /// Whether `kept` starts after the string's first line, so its own first line loses its
    /// indentation too.
    var startsAfterFirstLine = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      var common = Int.max
      var lineStart = 0
      var isFirstLine = true
      while true {
        var offset = lineStart
        while offset < bytes.count, isBlank(bytes[unchecked: offset]) { offset += 1 }
        let textStart = offset
        while offset < bytes.count, bytes[unchecked: offset] != 0x0A,
          bytes[unchecked: offset] != 0x0D
        {
          offset += 1
        }
        if textStart < offset {
          if kept == nil { startsAfterFirstLine = !isFirstLine }
          kept = (kept?.lowerBound ?? lineStart)..<offset
          if !isFirstLine { common = min(common, textStart - lineStart) }
        }
        guard offset < bytes.count else { break }
        let isPair =
          bytes[unchecked: offset] == 0x0D && offset + 1 < bytes.count
          && bytes[unchecked: offset + 1] == 0x0A
        lineStart = offset + (isPair ? 2 : 1)
        isFirstLine = false
      }
      width = common == .max ? 0 : common
    }
  }
}
