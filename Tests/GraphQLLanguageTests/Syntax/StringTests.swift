import SeededRandom
import Testing

@testable import GraphQLLanguage

@Suite("Strings", .timeLimit(.minutes(1))) struct StringTests {
  @Test(
    "escape sequences are decoded",
    arguments: [
      (#""simple""#, "simple"), (#""""#, ""), (#"" white space ""#, " white space "),
      (#""\" \\ \/ \b\f\n\r\t""#, "\" \\ / \u{8}\u{C}\n\r\t"), (#""é\u00e9\u00E9""#, "ééé"),
      (#""\u{1F600}\u{00000041}""#, "😀A"), (#""\uD83D\uDE00!""#, "😀!"),
      ("\"raw 😀 \u{7F}\"", "raw 😀 \u{7F}"),
      (#""\u{10FFFF}""#, "\u{10FFFF}"),
    ])
  func escapes(literal: String, expected: String) {
    #expect(string(literal)?.unicodeScalars.elementsEqual(expected.unicodeScalars) == true)
  }

  @Test(
    "an invalid escape sequence is reported at its backslash",
    arguments: [
      (#""bad \z esc""#, 5), (#""\x""#, 1), (#""\u1 x""#, 1), (#""\u0XX1""#, 1), (#""\u{}""#, 1),
      (#""\u{110000}""#, 1), (#""\u{FFFFFFFFFFFFFF}""#, 1), (#""\u{000000041}""#, 1),
      (#""\u{D800}""#, 1), (#""\uD800""#, 1),
      (#""\uDE00\uD83D""#, 1), (#""\uD83D\u0041""#, 1), (#""\u{1F600""#, 1), (#""\"#, 1),
    ])
  func invalidEscapes(literal: String, offset: UInt32) {
    #expect(tokens(literal).failure?.offset == offset)
  }

  @Test(
    "an unterminated string is reported where its line or the text ends",
    arguments: [
      ("\"", 1), ("\"a\n\"", 2), ("\"a\r\"", 2), ("\"\"\"", 3), ("\"\"\"a\"\"", 6),
      ("\"\"\"a\\\"\"\"", 8),
    ])
  func unterminated(literal: String, offset: UInt32) {
    let failure = tokens(literal).failure
    #expect(failure?.offset == offset)
    #expect(failure?.message == "Unterminated string.")
  }

  @Test(
    "common indentation and blank lines at both ends are removed from block strings",
    arguments: [
      ("", ""), ("a", "a"), (" a", " a"), ("\n  a\n    b\n  c\n", "a\n  b\nc"),
      ("\n\n \n  a\n\n\n", "a"), ("a\n  b\n c", "a\n b\nc"), ("\n\ta\n  b", "a\n b"),
      ("\r\n  a\r\n  b\r  c\n", "a\nb\nc"), ("\n    a\n \n    b\n", "a\n\nb"),
      ("\n  a  \n", "a  "), ("say \\\"\"\" it", "say \"\"\" it"), ("\\n \\u0041", "\\n \\u0041"),
      ("   \n  \n", ""),
    ])
  func blockStrings(raw: String, expected: String) {
    #expect(string("\"\"\"\(raw)\"\"\"") == expected)
  }

  @Test("printed strings parse as the same strings, whatever their characters")
  func roundTrip() {
    var generator = SeededGenerator(seed: 7)
    let pieces = ["\"", "\\", "\n", " ", "\t", "a", "\"\"\"", "\u{0}", "é", "😀", "\u{85}", "  b"]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0..<8, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      #expect(string(StringLiteral.text(of: text)) == text)
      guard BlockString.canRepresent(text) else { continue }
      #expect(string(BlockString.text(of: text)) == text)
      #expect(string(BlockString.text(of: text, isMinimal: true)) == text)
    }
  }
}

extension BlockString {
  /// Whether a block string with this value evaluates to the same value at any indentation.
  fileprivate static func canRepresent(_ value: String) -> Bool {
    guard !value.isEmpty else { return true }
    var isEmptyLine = true
    var isIndented = false
    var isCommonlyIndented = true
    var hasSeveralLines = false
    for byte in value.utf8 {
      switch byte {
      case 0x0A:
        if isEmptyLine, !hasSeveralLines { return false }
        hasSeveralLines = true
        isEmptyLine = true
        isIndented = false
      case 0x09, 0x20: isIndented = isIndented || isEmptyLine
      case 0..<0x10: return false
      default:
        isCommonlyIndented = isCommonlyIndented && isIndented
        isEmptyLine = false
      }
    }
    return !isEmptyLine && !(isCommonlyIndented && hasSeveralLines)
  }
}
