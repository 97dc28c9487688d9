import GraphQLLanguage

/// The keys and strings of a JSON file. Tolerates invalid JSON, with arbitrary results.
struct JSONScan {
  /// A key or a string, without its quotation marks.
  struct Token {
    let text: String
    let start: Int
    /// The member of the root object that contains the token or is named by it.
    let member: String
  }

  /// A key that occurs a second time in the same object.
  struct Repetition {
    let key: String
    let offset: Int
    let firstOffset: Int
  }

  /// The byte offset of each key and list element, by key path.
  private(set) var offsets: [String: Int] = [:]
  /// The repeated keys, in source order.
  private(set) var repetitions: [Repetition] = []
  /// The keys and strings, in source order.
  private(set) var tokens: [Token] = []
  /// The objects and lists around the current byte.
  private var frames: [Frame] = []

  /// An object or a list.
  private struct Frame {
    let path: String
    let isList: Bool
    var count = 0
    var expectsName: Bool
    var name = ""
    /// The offset of each key in an object.
    var names: [String: Int] = [:]

    /// The key path of the current member or element.
    var child: String {
      if isList { return "\(path)[\(count)]" }
      return path.isEmpty ? name : "\(path).\(name)"
    }
  }

  init(_ bytes: ContiguousArray<UInt8>) {
    var index = 0
    // JSONReader rejects any deeper nesting.
    while index < bytes.count, frames.count <= JSONReader.depthLimit {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        begin(at: index)
        let isList = bytes[index] == UInt8(ascii: "[")
        frames.append(
          Frame(path: frames.last?.child ?? "", isList: isList, expectsName: !isList))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = frames.popLast()
      case UInt8(ascii: ","):
        guard let last = frames.indices.last else { break }
        frames[last].count += 1
        frames[last].expectsName = !frames[last].isList
      case UInt8(ascii: "\""):
        begin(at: index)
        let start = index + 1
        index = Self.end(ofStringAt: start, in: bytes)
        add(String(decoding: bytes[start..<index], as: UTF8.self), at: start)
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ":"): break
      default: begin(at: index)
      }
      index += 1
    }
  }

  /// Sets the start offset of a list's element.
  private mutating func begin(at offset: Int) {
    guard let frame = frames.last, frame.isList, offsets[frame.child] == nil else { return }
    offsets[frame.child] = offset
  }

  /// Adds a key or a string.
  private mutating func add(_ text: String, at start: Int) {
    if let last = frames.indices.last, frames[last].expectsName {
      let name = Self.name(text)
      frames[last].name = name
      frames[last].expectsName = false
      let key = frames[last].child
      offsets[key] = start - 1
      if let first = frames[last].names.updateValue(start - 1, forKey: name) {
        repetitions.append(Repetition(key: key, offset: start - 1, firstOffset: first))
      }
    }
    tokens.append(.init(text: text, start: start, member: frames.first?.name ?? ""))
  }

  /// Returns the key for the characters between quotation marks, with escapes resolved.
  private static func name(_ text: String) -> String {
    guard text.contains("\\"),
      case .string(let name)? = try? JSONReader.read(ContiguousArray("\"\(text)\"".utf8))
    else { return text }
    return name
  }

  /// Returns the index of a string's closing quotation mark.
  private static func end(ofStringAt start: Int, in bytes: ContiguousArray<UInt8>) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, bytes.count)
  }
}
