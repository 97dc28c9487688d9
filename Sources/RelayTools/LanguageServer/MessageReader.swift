/// Splits the bytes from the editor into messages.
///
/// A message consists of headers, an empty line, and a body; the only relevant header is
/// `Content-Length`. After malformed bytes the reader skips to the next `Content-Length`. A body
/// that contains such a header with its line break, or ends with the start of one, is not JSON: the
/// body was shorter than its header said, so the reader cuts it there.
struct MessageReader {
  /// The body of a message, or the reason why bytes were skipped.
  enum Frame: Equatable {
    case body(ContiguousArray<UInt8>)
    case malformed(String)
  }

  /// The largest number of bytes in the headers and in a body.
  struct Limits {
    var header = 16 << 10
    var body = 256 << 20
  }

  private let limits: Limits
  private var bytes: ContiguousArray<UInt8> = []
  /// The offset of the first byte that belongs to no frame yet.
  private var start = 0
  /// The end offset of the searched headers or body.
  private var searched = 0
  /// The length given by the headers before `searched`.
  private var headerLength: Int?
  /// The length of the body that starts at `start`; `nil` within headers.
  private var length: Int?
  /// Whether bytes are being skipped up to the next `Content-Length`.
  private var isSkipping = false
  /// Whether malformed bytes were reported, and no headers have been read since.
  private var hasReported = false

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Appends received bytes.
  mutating func append(_ received: some Sequence<UInt8>) {
    if start > 1 << 16, start * 2 > bytes.count {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: received)
  }

  /// Returns the next complete message, or `nil` until more bytes are received.
  mutating func next() -> Frame? {
    while true {
      if isSkipping, !skip() { return nil }
      if let length { return nextBody(length) }
      switch nextHeader() {
      case .needsMore: return nil
      case .complete: continue
      case .failed(let reason):
        isSkipping = true
        advance(to: start + 1)
        if hasReported { continue }
        hasReported = true
        return .malformed(reason)
      }
    }
  }

  private mutating func advance(to offset: Int) {
    start = min(offset, bytes.count)
    searched = start
    headerLength = nil
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: start < 1 << 20)
      (start, searched) = (0, 0)
    }
  }

  // MARK: Headers

  private enum HeaderResult {
    case needsMore, complete
    case failed(String)
  }

  private static let name = Array("content-length:".utf8)

  /// Reads the headers, up to the empty line.
  private mutating func nextHeader() -> HeaderResult {
    while let end = bytes[searched...].firstIndex(of: 0x0A) {
      let line = bytes[searched..<end]
      if line.isEmpty || line.elementsEqual([0x0D]) {
        guard let found = headerLength else {
          return .failed("The headers of a message have no Content-Length.")
        }
        advance(to: end + 1)
        length = found
        hasReported = false
        return .complete
      }
      if Self.isName(line) {
        guard let value = Self.number(line.dropFirst(Self.name.count)), value <= limits.body
        else { return .failed("Content-Length is not a number, or it is too large.") }
        headerLength = value
      } else if !Self.isOtherHeader(line) {
        return .failed("A header of a message is malformed.")
      }
      searched = end + 1
      if searched - start > limits.header { break }
    }
    let isTooLong = bytes.count - start > limits.header
    return isTooLong ? .failed("The headers are too long.") : .needsMore
  }

  private static func isName(_ bytes: ContiguousArray<UInt8>.SubSequence) -> Bool {
    bytes.count >= name.count
      && zip(bytes, name).allSatisfy { byte, expected in
        byte == expected || (byte | 0x20 == expected && expected >= UInt8(ascii: "a"))
      }
  }

  /// Whether a line is a name, a colon and a value that does not contain the start of another
  /// header.
  private static func isOtherHeader(_ line: ContiguousArray<UInt8>.SubSequence) -> Bool {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return line[..<colon].allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
      && !line.indices.contains { isName(line[$0...]) }
  }

  /// Returns the value of decimal digits between spaces.
  private static func number(_ bytes: ContiguousArray<UInt8>.SubSequence) -> Int? {
    let text = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    let digits = text.prefix { (0x30...0x39).contains($0) }
    let rest = text.dropFirst(digits.count)
    guard digits.count < 18, rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else {
      return nil
    }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// Skips to the next `Content-Length`; returns whether there is one.
  private mutating func skip() -> Bool {
    var offset = start
    while offset < bytes.count {
      let rest = bytes[offset...].prefix(Self.name.count)
      if rest.count == Self.name.count ? Self.isName(rest) : Self.isPrefix(rest) { break }
      offset += 1
    }
    advance(to: offset)
    guard bytes.count - start >= Self.name.count else { return false }
    isSkipping = false
    return true
  }

  private static func isPrefix(_ bytes: ContiguousArray<UInt8>.SubSequence) -> Bool {
    zip(bytes, name).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }

  // MARK: Bodies

  private mutating func nextBody(_ length: Int) -> Frame? {
    let end = min(start + length, bytes.count)
    if let cut = headerInBody(before: end) {
      self.length = nil
      advance(to: cut)
      return .malformed("The body of a message is shorter than its Content-Length.")
    }
    guard bytes.count - start >= length else { return nil }
    self.length = nil
    if let cut = headerStart(before: end) {
      advance(to: cut)
      return .malformed("The body of a message is shorter than its Content-Length.")
    }
    let body = ContiguousArray(bytes[start..<end])
    advance(to: end)
    return .body(body)
  }

  /// Returns the offset of a partial `Content-Length` header at the end of the body.
  private func headerStart(before end: Int) -> Int? {
    let tail = bytes[start..<end].suffix(Self.name.count + 20)
    return tail.indices.first { offset in
      let rest = tail[offset...]
      return Self.isPrefix(rest)
        && rest.dropFirst(Self.name.count).allSatisfy { $0 == 0x20 || (0x30...0x39).contains($0) }
    }
  }

  /// Returns the offset of a complete `Content-Length` header, with its line break, in the body.
  private mutating func headerInBody(before end: Int) -> Int? {
    while let lineEnd = bytes[searched..<end].firstIndex(of: 0x0D) {
      searched = lineEnd + 1
      let digits = bytes[start..<lineEnd].reversed().prefix {
        (0x30...0x39).contains($0) || $0 == 0x20
      }
      let nameEnd = lineEnd - digits.count
      let name = nameEnd - Self.name.count
      if digits.contains(where: { $0 != 0x20 }), name >= start, Self.isName(bytes[name..<nameEnd]) {
        return name
      }
    }
    searched = end
    return nil
  }
}
