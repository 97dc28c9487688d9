/// The unit in which an editor counts characters within a line.
package enum PositionEncoding: String, Hashable, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
}

/// A position in a file as editors express it, with zero-based lines and characters.
package struct LinePosition: Hashable, Sendable {
  package let line: Int
  /// The number of units from the start of the line to the position.
  package let character: Int

  /// Creates a position.
  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }
}

extension LineIndex {
  /// Returns the byte offset of a position.
  ///
  /// A position inside a character counts as its start. A position beyond the end of its line
  /// counts as the end of the line before its terminator, and one beyond the last line as the end
  /// of the file.
  ///
  /// - Complexity: O(*n*) in the length of the line.
  package func offset(of position: LinePosition, in encoding: PositionEncoding) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < starts.count else { return bytes.count }
    let line = textRange(ofLine: position.line)
    let character = max(0, position.character)
    switch encoding {
    case .utf8:
      return start(ofCharacterAt: line.lowerBound + min(character, line.count), in: line)
    case .utf16:
      var (offset, units) = (line.lowerBound, 0)
      while offset < line.upperBound {
        units += bytes[offset] >= 0xF0 ? 2 : isContinuation(offset) ? 0 : 1
        if units > character { break }
        repeat { offset += 1 } while offset < line.upperBound && isContinuation(offset)
      }
      return offset
    }
  }

  /// Returns the position of a byte offset. An offset beyond the end counts as the end, one inside
  /// a character as the character's start, and one inside a line terminator as the terminator's
  /// start.
  package func position(of offset: Int, in encoding: PositionEncoding) -> LinePosition {
    let offset = max(0, min(offset, bytes.count))
    let number = lineNumber(of: UInt32(truncatingIfNeeded: offset))
    let line = textRange(ofLine: number)
    let end = start(ofCharacterAt: min(offset, line.upperBound), in: line)
    let character =
      switch encoding {
      case .utf8: end - line.lowerBound
      case .utf16: unitCount(before: end) - unitCount(before: line.lowerBound)
      }
    return LinePosition(line: number, character: character)
  }

  /// Returns the bytes of a line without its terminator. The number is zero-based.
  func textRange(ofLine number: Int) -> Range<Int> {
    let start = Int(starts[number])
    var end = number + 1 < starts.count ? Int(starts[number + 1]) : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  private func start(ofCharacterAt offset: Int, in line: Range<Int>) -> Int {
    var start = offset
    while start > line.lowerBound, start < line.upperBound, isContinuation(start) { start -= 1 }
    return start
  }

  private func isContinuation(_ offset: Int) -> Bool { bytes[offset] & 0xC0 == 0x80 }
}
