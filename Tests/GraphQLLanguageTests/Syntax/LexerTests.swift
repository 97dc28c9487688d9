import Testing

@testable import GraphQLLanguage

@Suite("Lexer", .timeLimit(.minutes(1))) struct LexerTests {
  @Test("white space, commas, comments and byte order marks are skipped")
  func ignored() {
    let found = tokens("\u{FEFF} \t,# comment é 😀\r\nname\u{FEFF},")
    #expect(found.tokens == ["name name"])
    #expect(found.failure == nil)
  }

  @Test("every punctuator is a separate token")
  func punctuators() {
    let found = tokens("!$&()...:=@[]{|}").tokens.map { $0.split(separator: " ")[1] }
    #expect(found == ["!", "$", "&", "(", ")", "...", ":", "=", "@", "[", "]", "{", "|", "}"])
  }

  @Test(
    "a number with a fraction or exponent is a float, any other is an integer",
    arguments: [
      ("0", "int"), ("-0", "int"), ("4", "int"), ("-12", "int"), ("9007199254740993", "int"),
      ("4.123", "float"), ("-4.123", "float"), ("0.0", "float"), ("123e4", "float"),
      ("123E-4", "float"), ("1.5e+10", "float"),
    ])
  func numbers(text: String, kind: String) { #expect(tokens(text).tokens == ["\(kind) \(text)"]) }

  @Test(
    "an invalid number is reported at the offending character",
    arguments: [
      ("00", 1), ("01", 1), ("-", 1), ("+1", 0), ("1.", 2), ("1.e1", 2), (".5", 0), ("1.A", 2),
      ("-A", 1), ("1.0e", 4), ("1.0eA", 4), ("1.2e3e", 5), ("1.2e3.4", 5), ("1.23.4", 4), ("1a", 1),
      ("0x1", 1), ("1_0", 1), ("123.456.7", 7),
    ])
  func invalidNumbers(text: String, offset: UInt32) {
    #expect(tokens(text).failure?.offset == offset)
  }

  @Test(
    "a character that cannot begin a token is named in the error",
    arguments: [
      ("?", "Unexpected character: \"?\"."), ("é", "Unexpected character: U+00E9."),
      ("\u{0}", "Unexpected character: U+0000."), ("..", "Unexpected character: \".\"."),
      ("'a'", "Unexpected character: \"'\"."),
      ("\u{F03F}", "Unexpected character: U+F03F."), ("\u{FEFE}", "Unexpected character: U+FEFE."),
    ])
  func unexpected(text: String, message: String) {
    #expect(tokens(text).failure?.message == message)
  }

  @Test(
    "invalid UTF-8 is reported at its offset",
    arguments: [
      ([0xFF], 0), ([0x61, 0x20, 0xC3], 2), ([0x22, 0xC3, 0x28, 0x22], 1),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xC0, 0x80, 0x22], 1),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x23, 0xE2, 0x82], 1),
      ([0x22, 0x22, 0x22, 0xFE], 3), ([0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], 1),
    ] as [([UInt8], UInt32)])
  func notUTF8(bytes: [UInt8], offset: UInt32) {
    #expect(tokens(ContiguousArray(bytes)).failure?.offset == offset)
  }

  @Test("a line ends with a line feed, a carriage return, or both")
  func lineEnds() {
    #expect(errors("\n\r\r\n\n  ?") == ["5:3 Unexpected character: \"?\"."])
  }

  @Test("columns count UTF-16 units")
  func columns() {
    #expect(errors("{ a(b: \"é😀\") ? }") == ["1:15 Unexpected character: \"?\"."])
  }
}
