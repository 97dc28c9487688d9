/// A human-readable location in a file: path, line and column.
public struct SourceLocation: Hashable, Sendable {
  /// The file's path.
  public let path: String
  /// The one-based line.
  public let line: Int
  /// The one-based column in UTF-16 units.
  public let column: Int
  /// The one-based column in UTF-8 bytes, as printed by the Swift compiler.
  public let byteColumn: Int

  /// Creates a location.
  public init(path: String, line: Int, column: Int, byteColumn: Int) {
    self.path = path
    self.line = line
    self.column = column
    self.byteColumn = byteColumn
  }
}

extension SourceLocation: CustomStringConvertible {
  /// The path, line and byte column in the form that compilers print: `Feed.swift:12:7`.
  public var description: String { "\(path):\(line):\(byteColumn)" }
}

/// An index of a file's line starts, for converting byte offsets to lines and columns.
///
/// A line ends with a line feed, a carriage return, or both together.
public struct LineIndex: Sendable {
  let bytes: ContiguousArray<UInt8>
  let starts: [UInt32]
  /// The number of UTF-16 units before each block of ``stride`` bytes. It gives the column in a
  /// long line without counting from the line's start.
  private let unitCounts: [Int]
  private static let stride = 1024

  /// Indexes the lines of a file.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  public init(_ bytes: ContiguousArray<UInt8>) {
    self.bytes = bytes
    var starts: [UInt32] = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for (offset, byte) in bytes.enumerated() where byte == 0x0A || byte == 0x0D {
        if byte == 0x0D, offset + 1 < bytes.count, bytes[offset + 1] == 0x0A { continue }
        starts.append(UInt32(truncatingIfNeeded: offset + 1))
      }
    }
    self.starts = starts
    var unitCounts: [Int] = []
    var count = 0
    for start in Swift.stride(from: 0, to: bytes.count, by: Self.stride) {
      unitCounts.append(count)
      count += Self.utf16Count(bytes[start..<min(start + Self.stride, bytes.count)])
    }
    self.unitCounts = unitCounts
  }

  /// Returns the number of UTF-16 units before a byte offset.
  func unitCount(before end: Int) -> Int {
    guard end > 0 else { return 0 }
    let block = (end - 1) / Self.stride
    return unitCounts[block] + Self.utf16Count(bytes[block * Self.stride..<end])
  }

  /// Returns the location of a byte offset. An offset beyond the end counts as the end.
  ///
  /// - Complexity: O(log *n*) in the lines.
  public func location(path: String, offset: UInt32) -> SourceLocation {
    let line = lineNumber(of: offset)
    let start = Int(starts[line])
    let end = max(start, min(Int(clamping: offset), bytes.count))
    return SourceLocation(
      path: path, line: line + 1, column: unitCount(before: end) - unitCount(before: start) + 1,
      byteColumn: end - start + 1)
  }

  /// Returns the bytes of a line without its terminator. The number is one-based; a line beyond the
  /// end of the file is empty.
  func bytes(ofLine line: Int) -> ContiguousArray<UInt8>.SubSequence {
    line >= 1 && line <= starts.count ? bytes[textRange(ofLine: line - 1)] : []
  }

  /// Returns the number of bytes from the start of an offset's line to the offset.
  func offsetInLine(_ offset: UInt32) -> Int {
    Int(clamping: offset) - Int(starts[lineNumber(of: offset)])
  }

  /// The number of lines.
  public var lineCount: Int { starts.count }

  func lineNumber(of offset: UInt32) -> Int {
    max(starts.prefixCount { $0 <= offset } - 1, 0)
  }

  /// Returns the number of UTF-16 units in UTF-8 bytes. Only leading bytes count, so the result is
  /// defined even for invalid UTF-8.
  private static func utf16Count(_ bytes: ContiguousArray<UInt8>.SubSequence) -> Int {
    var count = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
    return count
  }
}
