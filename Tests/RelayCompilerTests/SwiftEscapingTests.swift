import RelayCompiler
import Testing

@Suite("Text in generated Swift", .timeLimit(.minutes(1)))
struct SwiftTextTests {
  @Test(
    "a literal has exactly the given content",
    arguments: [
      ("plain", "\"plain\""),
      ("a\"b", "#\"a\"b\"#"),
      ("a\"#b", "##\"a\"#b\"##"),
      ("a\\(b)", "#\"a\\(b)\"#"),
      ("a\\#(b)", "##\"a\\#(b)\"##"),
      ("a\r\nb", "\"a\\r\\nb\""),
      ("\"\u{200D}", "\"\\\"\\u{200D}\""),
      ("\"\u{301}", "\"\\\"\\u{301}\""),
      ("\u{202E}x\u{2028}", "\"\\u{202E}x\\u{2028}\""),
      ("\0\u{7F}\u{85}", "\"\\u{0}\\u{7F}\\u{85}\""),
      ("é🐞", "\"é🐞\""),
    ])
  func literals(text: String, literal: String) {
    #expect(Array(SwiftEscaping.literal(text).utf8) == Array(literal.utf8))
  }

  @Test("where raw literals are not allowed, everything is escaped")
  func notRaw() {
    #expect(SwiftEscaping.literal("a\"\\(b)", allowsRaw: false) == "\"a\\\"\\\\(b)\"")
  }

  @Test(
    "a text never ends its comment early",
    arguments: [
      ("one", ["one"]),
      ("one\ntwo\r\nthree", ["one", "two", "three"]),
      ("lone\rreturn", ["lone", "return"]),
      ("a\u{2028}b\u{2029}c", ["a", "b", "c"]),
      ("a\u{B}b\u{C}c\u{85}d", ["a", "b", "c …"]),
      ("first\n\nsecond paragraph", ["first"]),
      ("\n\n  indented  ", ["indented"]),
      ("*/ \\(x) \u{202E}reversed", ["*/ \\(x)  reversed"]),
      ("", []),
    ])
  func comments(text: String, lines: [String]) {
    #expect(SwiftEscaping.commentLines(text) == lines)
  }

  @Test(
    "numbers are printed as JavaScript prints them",
    arguments: [
      ("1.50", "1.5"), ("1e3", "1000"), ("1.0", "1"), ("-0.0", "0"), ("1e21", "1e+21"),
      ("123456789012345680000.0", "123456789012345680000"), ("1e-6", "0.000001"),
      ("1e-7", "1e-7"), ("1.5e-10", "1.5e-10"), ("-2.5E2", "-250"), ("0.1", "0.1"),
      ("5e-324", "5e-324"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
      ("1e400", "1e400"), ("12.34e1", "123.4"),
    ])
  func numbers(literal: String, text: String) {
    #expect(JavaScriptNumber.float(literal) == text)
  }
}
