import GraphQLLanguage

/// The text of a JSON file, in which keys have locations.
struct JSONFile {
  private let path: String
  private let lines: LineIndex
  /// The byte offset of each key and list element, by the keys that lead to it.
  private let offsets: [String: Int]
  /// The keys that their object has had before, in the order of the file.
  private let repetitions: [Repetition]
  /// The keys and strings in the order of the file.
  let tokens: [Token]

  /// A key or a string, without its quotation marks.
  struct Token {
    let text: String
    let start: Int
    /// The member of the root object that it belongs to, or is the name of.
    let member: String
  }

  /// A key that an object has a second time.
  private struct Repetition {
    let key: String
    let offset: Int
    let firstOffset: Int
  }

  init(_ source: Source) {
    path = source.path
    lines = LineIndex(source.bytes)
    (offsets, repetitions, tokens) = Self.keys(in: source.bytes)
  }

  /// Checks that no object has a key twice: JSON readers take one or the other.
  ///
  /// - Throws: ``ConfigurationError`` with the place of each second key.
  func checkRepetitions() throws(ConfigurationError) {
    if repetitions.isEmpty { return }
    throw ConfigurationError(
      repetitions.map { repetition in
        let first = location(of: repetition.firstOffset)
        let message =
          "\"\(repetition.key)\" is given twice; the other is in line \(first.line). Remove one of them."
        return (message, location(of: repetition.offset))
      })
  }

  /// Returns the location of a byte.
  func location(of offset: Int) -> SourceLocation {
    lines.location(path: path, offset: UInt32(truncatingIfNeeded: offset))
  }

  /// Returns the location of a key such as `input.schemaSearchPaths[0]`.
  func location(ofKey key: String) -> SourceLocation { location(of: offsets[key] ?? 0) }

  /// An object or a list around the byte that is read.
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

  /// Finds the keys. A text that is not JSON has any.
  private static func keys(
    in bytes: ContiguousArray<UInt8>
  ) -> (offsets: [String: Int], repetitions: [Repetition], tokens: [Token]) {
    var offsets: [String: Int] = [:]
    var repetitions: [Repetition] = []
    var tokens: [Token] = []
    var frames: [Frame] = []
    var index = 0
    /// Notes where a list's element begins.
    func begin() {
      guard let frame = frames.last, frame.isList, offsets[frame.child] == nil else { return }
      offsets[frame.child] = index
    }
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        begin()
        let isList = bytes[index] == UInt8(ascii: "[")
        // No JSON that is accepted nests deeper.
        if frames.count > JSONReader.depthLimit { return (offsets, repetitions, tokens) }
        frames.append(
          Frame(path: frames.last?.child ?? "", isList: isList, expectsName: !isList))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = frames.popLast()
      case UInt8(ascii: ","):
        guard let last = frames.indices.last else { break }
        frames[last].count += 1
        frames[last].expectsName = !frames[last].isList
      case UInt8(ascii: "\""):
        begin()
        let start = index + 1
        index = end(ofStringAt: start, in: bytes)
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        defer { tokens.append(Token(text: text, start: start, member: frames.first?.name ?? "")) }
        guard let last = frames.indices.last, frames[last].expectsName else { break }
        let name = name(text)
        frames[last].name = name
        frames[last].expectsName = false
        offsets[frames[last].child] = start - 1
        if let first = frames[last].names.updateValue(start - 1, forKey: name) {
          repetitions.append(
            Repetition(key: frames[last].child, offset: start - 1, firstOffset: first))
        }
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ":"): break
      default: begin()
      }
      index += 1
    }
    return (offsets, repetitions, tokens)
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
