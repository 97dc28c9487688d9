import GraphQLLanguage

/// A document that is open in the editor.
struct TextDocument {
  /// The editor's URI for the file.
  let uri: String
  private(set) var version: Int?
  private(set) var bytes: ContiguousArray<UInt8>

  init(uri: String, version: Int?, text: String) {
    self.uri = uri
    self.version = version
    bytes = ContiguousArray(text.utf8)
  }

  /// Applies the changes of a `textDocument/didChange` in order. A change without a range replaces
  /// the entire document.
  mutating func apply(_ changes: [JSON], version: Int?, encoding: PositionEncoding) {
    self.version = version
    for change in changes {
      guard let text = change["text"]?.text else { continue }
      guard let range = change["range"], range != .null else {
        bytes = ContiguousArray(text.utf8)
        continue
      }
      let index = LineIndex(bytes)
      let start = LinePosition(range["start"]).map { index.offset(of: $0, in: encoding) } ?? 0
      let end = LinePosition(range["end"]).map { index.offset(of: $0, in: encoding) } ?? start
      bytes.replaceSubrange(min(start, end)..<max(start, end), with: text.utf8)
    }
  }
}

extension LineIndex {
  /// Returns a byte range in the editor's format.
  func json(_ range: Range<Int>, in encoding: PositionEncoding) -> JSON {
    [
      "start": position(of: range.lowerBound, in: encoding).json,
      "end": position(of: range.upperBound, in: encoding).json,
    ]
  }
}

extension LinePosition {
  /// Reads a position; returns `nil` if there is none.
  init?(_ json: JSON?) {
    guard let line = json["line"]?.integer, let character = json["character"]?.integer else {
      return nil
    }
    self.init(line: line, character: character)
  }

  /// The position in the editor's format.
  var json: JSON { ["line": .int(line), "character": .int(character)] }
}
