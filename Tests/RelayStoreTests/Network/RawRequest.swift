/// A request that a raw server reads in pieces; the pieces may be cut anywhere.
struct RawRequest {
  /// The rest of the request that has not arrived.
  private enum Rest {
    case head
    case bytes(Int)
    case chunks(ChunkedBody)
  }

  /// The head in lower case; `nil` until all of it has arrived.
  private(set) var head: String?
  /// The number of body bytes that have arrived, including the framing of chunks.
  private(set) var bodySize = 0
  private let keepsBody: Bool
  private var bytes: [UInt8] = []
  private var rest = Rest.head

  /// - Parameter keepsBody: Whether ``text`` includes the body.
  init(keepsBody: Bool) { self.keepsBody = keepsBody }

  /// The request with its body. If the body is not stored, only the head in lower case.
  var text: String { keepsBody ? String(decoding: bytes, as: UTF8.self) : head ?? "" }

  var isComplete: Bool {
    switch rest {
    case .head: false
    case .bytes(let count): count <= 0
    case .chunks(let body): body.isComplete
    }
  }

  /// Adds the next bytes of the connection.
  mutating func add(_ piece: ArraySlice<UInt8>) {
    if head == nil || keepsBody { bytes += piece }
    guard head == nil else { return addBody(piece) }
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return }
    let head = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    self.head = head
    rest =
      head.contains("transfer-encoding: chunked")
      ? .chunks(ChunkedBody()) : .bytes(Self.contentLength(of: head))
    addBody(bytes[end...])
  }

  private mutating func addBody(_ piece: ArraySlice<UInt8>) {
    bodySize += piece.count
    switch rest {
    case .head: break
    case .bytes(let count): rest = .bytes(count - piece.count)
    case .chunks(var body):
      body.add(piece)
      rest = .chunks(body)
    }
  }

  private static func contentLength(of head: String) -> Int {
    head.firstRange(of: "content-length:").flatMap {
      Int(head[$0.upperBound...].drop { $0 == " " }.prefix { $0.isNumber })
    } ?? 0
  }
}

/// The framing of a chunked body, whose bytes are not stored.
private struct ChunkedBody {
  private enum State {
    /// The line with a chunk's size.
    case size(String)
    /// The bytes of a chunk and the following line break.
    case data(Int)
    /// A line after the last chunk; an empty one is the end.
    case trailer(isEmpty: Bool)
    case end
  }

  private var state = State.size("")

  var isComplete: Bool { if case .end = state { true } else { false } }

  mutating func add(_ piece: ArraySlice<UInt8>) {
    var piece = piece
    while let byte = piece.first {
      switch state {
      case .size(let line):
        piece = piece.dropFirst()
        state = byte == UInt8(ascii: "\n") ? Self.state(after: line) : .size(line + byte.character)
      case .data(let count):
        let taken = min(count, piece.count)
        piece = piece.dropFirst(taken)
        state = taken == count ? .size("") : .data(count - taken)
      case .trailer(let isEmpty):
        piece = piece.dropFirst()
        if byte == UInt8(ascii: "\n") {
          state = isEmpty ? .end : .trailer(isEmpty: true)
        } else if byte != UInt8(ascii: "\r") {
          state = .trailer(isEmpty: false)
        }
      case .end: return
      }
    }
  }

  private static func state(after line: String) -> State {
    let size = Int(line.prefix { $0.isHexDigit }, radix: 16) ?? 0
    return size == 0 ? .trailer(isEmpty: true) : .data(size + 2)
  }
}

extension UInt8 {
  fileprivate var character: String { String(UnicodeScalar(self)) }
}
