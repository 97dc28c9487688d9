import RelayCompiler

/// Encodes a document as the content of an existing Swift string literal, the reverse of
/// ``LiteralDecoder``. The quotes, the `#` and the indentation of the closing quotes are preserved.
struct LiteralEncoder {
  private let literal: SwiftCursor.Literal
  private var output: ContiguousArray<UInt8> = []

  /// Returns the new content of a tag's literal, between its quotes.
  ///
  /// - Parameters:
  ///   - document: The document, with `\n` between its lines but not at the end. It must be a
  ///     single line unless the literal is multi-line.
  ///   - file: The Swift file.
  static func content(
    _ document: ContiguousArray<UInt8>, of tag: Tag, in file: ContiguousArray<UInt8>
  ) -> ContiguousArray<UInt8> {
    var encoder = LiteralEncoder(literal: tag.literal)
    guard tag.literal.isMultiline else {
      encoder.append(line: document[...])
      return encoder.output
    }
    let indentation = tag.closingIndentation(in: file)
    let opening = file[tag.literal.contentStart...].prefix { $0 != 0x0A && $0 != 0x0D }
    let rest = file[opening.endIndex...]
    let lineEnd = rest.starts(with: [0x0D, 0x0A]) ? rest.prefix(2) : rest.prefix(1)
    encoder.output += opening
    encoder.output += lineEnd
    for line in document.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if !line.isEmpty { encoder.output += indentation }
      encoder.append(line: line)
      encoder.output += lineEnd
    }
    return encoder.output + indentation
  }

  private init(literal: SwiftCursor.Literal) { self.literal = literal }

  private mutating func append(line: ContiguousArray<UInt8>.SubSequence) {
    for index in line.indices {
      let byte = line[index]
      switch byte {
      case UInt8(ascii: "\\") where hasHashes(line[(index + 1)...]),
        UInt8(ascii: "\"") where endsLiteral(line[index...]):
        appendEscape()
        output.append(byte)
      case 0..<0x09, 0x0A..<0x20, 0x7F:
        appendEscape()
        output += "u{\(String(byte, radix: 16, uppercase: true))}".utf8
      default: output.append(byte)
      }
    }
  }

  private mutating func appendEscape() {
    output.append(UInt8(ascii: "\\"))
    output.append(contentsOf: repeatElement(UInt8(ascii: "#"), count: literal.hashes))
  }

  private func hasHashes(_ text: ContiguousArray<UInt8>.SubSequence) -> Bool {
    text.prefix { $0 == UInt8(ascii: "#") }.count >= literal.hashes
  }

  /// Whether a quote here would end the literal.
  private func endsLiteral(_ text: ContiguousArray<UInt8>.SubSequence) -> Bool {
    let count = literal.isMultiline ? 3 : 1
    return text.prefix(count).elementsEqual(repeatElement(UInt8(ascii: "\""), count: count))
      && hasHashes(text.dropFirst(count))
  }
}

extension Tag {
  /// The white space before the closing quotes of a multi-line literal.
  func closingIndentation(in file: ContiguousArray<UInt8>) -> ContiguousArray<UInt8>.SubSequence {
    file[literal.contentStart..<contentEnd].suffix(while: { $0 == 0x20 || $0 == 0x09 })
  }
}

extension ContiguousArray<UInt8>.SubSequence {
  /// The longest suffix whose elements satisfy a condition.
  fileprivate func suffix(while condition: (UInt8) -> Bool) -> Self {
    let start = lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex
    return self[start...]
  }
}
