/// A growable buffer of UTF-8 text.
///
/// Generated code consists of millions of short pieces. Appending one here costs a comparison and a
/// copy. An array would also check on each append that its storage is uniquely referenced; a
/// noncopyable buffer need not.
package struct UTF8Buffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The number of bytes.
  package private(set) var count = 0

  package init(capacity: Int = 1 << 10) {
    self.capacity = max(capacity, 1)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  package var isEmpty: Bool { count == 0 }
  package var text: String { String(decoding: view, as: UTF8.self) }
  /// A copy of the bytes, without spare capacity.
  package var bytes: [UInt8] { [UInt8](view) }
  var first: UInt8? { view.first }

  /// The bytes in the buffer's own memory. The pointer is invalid after the next change.
  private var view: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  /// Whether a blank line may follow: the last line is not empty and does not open a block.
  var allowsBlankLine: Bool {
    let end = view.suffix(2)
    return end.first.map { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "{") } ?? false
  }

  /// Whether the contents are printable ASCII without characters that need escaping in a literal.
  /// Nearly always true.
  var isPlain: Bool { SwiftEscaping.isPlain(view) }

  // MARK: Adding
  //
  // Not inlined: hundreds of callers append pieces, and a copy in each costs compile time.

  /// Appends a literal. Its bytes are part of the program, so it costs less than a `String`.
  @inline(never)
  static func += (buffer: inout UTF8Buffer, literal: StaticString) {
    literal.withUTF8Buffer { buffer.append($0) }
  }

  @inline(never)
  @_disfavoredOverload
  static func += (buffer: inout UTF8Buffer, text: String) {
    let isAdded: Void? = text.utf8.withContiguousStorageIfAvailable { buffer.append($0) }
    if isAdded == nil { buffer += Array(text.utf8) }
  }

  static func += (buffer: inout UTF8Buffer, bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { buffer.append($0) }
  }

  static func += (buffer: inout UTF8Buffer, other: borrowing UTF8Buffer) {
    buffer.append(other.view)
  }

  /// Appends the digits of a number.
  static func += (buffer: inout UTF8Buffer, number: Int) {
    if number >= 0, number < 10 {
      buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
    } else {
      buffer += String(number)
    }
  }

  package mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    start[count] = byte
    count += 1
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    if capacity - count < bytes.count { grow(by: bytes.count) }
    (start + count).initialize(from: base, count: bytes.count)
    count += bytes.count
  }

  @inline(never)
  private mutating func grow(by added: Int) {
    let larger = max(2 * capacity, count + added)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.initialize(from: start, count: count)
    start.deallocate()
    (start, capacity) = (moved, larger)
  }

  /// Appends a byte `times` times.
  mutating func append(_ byte: UInt8, times: Int) {
    if capacity - count < times { grow(by: times) }
    (start + count).initialize(repeating: byte, count: times)
    count += times
  }

  /// The number of bytes after the last line feed.
  var column: Int {
    count - (view.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
  }

  /// Indents every line that follows a line feed after `start`. These lines belong to a multi-line
  /// literal; Swift removes the indentation of its closing quotes from all of them.
  mutating func indentLines(from start: Int, by columns: Int) {
    guard view[start...].contains(UInt8(ascii: "\n")) else { return }
    let bytes = Array(view[start...])
    count = start
    for byte in bytes {
      append(byte)
      if byte == UInt8(ascii: "\n") { append(UInt8(ascii: " "), times: columns) }
    }
  }

  /// Breaks lines longer than `limit` after `start`, at commas outside of string literals.
  ///
  /// Changes nothing if a literal is raw or contains an escaped quote, because quotes then do not
  /// show where literals end. ``LongLiteral`` has already split long literals.
  mutating func breakLine(from start: Int, limit: Int, indentation: Int) {
    guard count - start > limit else { return }
    let bytes = Array(view[start...])
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.contains(where: { $0.count > limit }) else { return }
    var broken: [UInt8] = []
    var (lineStart, isInText) = (0, false)
    var lastSpace: Int?
    for (position, byte) in bytes.enumerated() {
      let previous = position > 0 ? bytes[position - 1] : 0
      if byte == UInt8(ascii: "\"") {
        if previous == UInt8(ascii: "#") || previous == UInt8(ascii: "\\") { return }
        isInText.toggle()
      }
      if byte == UInt8(ascii: " "), previous == UInt8(ascii: ","), !isInText {
        lastSpace = broken.count
      }
      broken.append(byte)
      if byte == UInt8(ascii: "\n") { (lineStart, lastSpace) = (broken.count, nil) }
      if broken.count - lineStart > limit, let space = lastSpace {
        let newLine = [UInt8(ascii: "\n")] + Array(repeating: UInt8(ascii: " "), count: indentation)
        broken.replaceSubrange(space...space, with: newLine)
        (lineStart, lastSpace) = (space + 1, nil)
      }
    }
    count = start
    self += broken
  }

  /// Removes the bytes after the first `count`.
  mutating func truncate(to count: Int) { self.count = min(max(count, 0), self.count) }
}
