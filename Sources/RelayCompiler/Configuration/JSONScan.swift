import GraphQLLanguage

/// The keys and strings of a JSON text. A text that is not JSON has any.
struct JSONScan {
  /// A key or a string, without its quotation marks.
  struct Token {
    let text: String
    let start: Int
    /// The member of the root object that it belongs to, or is the name of.
    let member: String
  }

  /// A key that an object has a second time.
  struct Repetition {
    let key: String
    let offset: Int
    let firstOffset: Int
  }

  /// The byte offset of each key and list element, by the keys that lead to it.
  private(set) var offsets: [String: Int] = [:]
  /// The keys that their object has had before, in the order of the text.
  private(set) var repetitions: [Repetition] = []
  /// The keys and strings in the order of the text.
  private(set) var tokens: [Token] = []
  /// The objects and lists around the byte that is read.
  private var frames: [Frame] = []

  /// An object or a list.
  private struct Frame {
    let path: String
    let isList: Bool
    var count = 0
    var expectsName: Bool
    var name = ""
    /// The offset of each name of an object.
    var names: [String: Int] = [:]

    /// The keys of the member or element that is read.
    var child: String {
      if isList { return "\(path)[\(count)]" }
      return path.isEmpty ? name : "\(path).\(name)"
    }
  }

  init(_ bytes: ContiguousArray<UInt8>) {
    var index = 0
    // No JSON that is accepted nests deeper.
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

  /// Notes where a list's element begins.
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

  /// Returns the name that a text between quotation marks denotes.
  private static func name(_ text: String) -> String {
    guard text.contains("\\"),
      case .string(let name)? = try? JSONReader.read(ContiguousArray("\"\(text)\"".utf8))
    else { return text }
    return name
  }

  /// Returns the index of the quotation mark that ends a string.
  private static func end(ofStringAt start: Int, in bytes: ContiguousArray<UInt8>) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, bytes.count)
  }
}
