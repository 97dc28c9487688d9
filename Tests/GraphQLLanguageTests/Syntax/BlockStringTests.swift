import Testing

@testable import GraphQLLanguage

@Suite("Printing of strings", .timeLimit(.minutes(1))) struct BlockStringTests {
  @Test(
    "a block string is printed with line breaks where they improve readability",
    arguments: [
      ("", "\"\"\"\"\"\""), ("one word", "\"\"\"one word\"\"\""),
      (" indented", "\"\"\" indented\"\"\""),
      ("first\nsecond", "\"\"\"\nfirst\nsecond\n\"\"\""),
      ("first\n  second", "\"\"\"\nfirst\n  second\n\"\"\""),
      (" first\nsecond", "\"\"\"\n first\nsecond\n\"\"\""),
      ("first\r\nsecond", "\"\"\"\nfirst\r\nsecond\n\"\"\""),
      ("says \"so\"", "\"\"\"\nsays \"so\"\n\"\"\""),
      ("a path\\", "\"\"\"\na path\\\n\"\"\""),
      ("three \"\"\" quotes", "\"\"\"three \\\"\"\" quotes\"\"\""),
      ("ends in \"\"\"", "\"\"\"\nends in \\\"\"\"\n\"\"\""),
      (String(repeating: "x", count: 70), "\"\"\"\(String(repeating: "x", count: 70))\"\"\""),
      (String(repeating: "x", count: 71), "\"\"\"\n\(String(repeating: "x", count: 71))\n\"\"\""),
    ])
  func readable(value: String, expected: String) {
    #expect(BlockString.text(of: value) == expected)
  }

  @Test(
    "a minimal block string has only the line breaks that its value or its quotes need",
    arguments: [
      ("", "\"\"\"\"\"\""), ("one word", "\"\"\"one word\"\"\""),
      (" indented", "\"\"\" indented\"\"\""), ("first\nsecond", "\"\"\"first\nsecond\"\"\""),
      ("first\n  second", "\"\"\"\nfirst\n  second\"\"\""),
      ("first\n  second\nthird", "\"\"\"first\n  second\nthird\"\"\""),
      ("first\n", "\"\"\"\nfirst\n\"\"\""),
      ("first\r  second", "\"\"\"\nfirst\r  second\"\"\""),
      ("first\r\n  second", "\"\"\"\nfirst\r\n  second\"\"\""),
      ("first\n\n  second", "\"\"\"\nfirst\n\n  second\"\"\""),
      ("says \"so\"", "\"\"\"says \"so\"\n\"\"\""), ("a path\\", "\"\"\"a path\\\n\"\"\""),
      ("ends in \"\"\"", "\"\"\"ends in \\\"\"\"\"\"\""),
      (String(repeating: "x", count: 71), "\"\"\"\(String(repeating: "x", count: 71))\"\"\""),
    ])
  func minimal(value: String, expected: String) {
    #expect(BlockString.text(of: value, isMinimal: true) == expected)
  }

  @Test(
    "a string is printed with no more escapes than it needs",
    arguments: [
      ("", "\"\""), ("a'b/c", "\"a'b/c\""), ("\"\\", "\"\\\"\\\\\""),
      ("\u{8}\u{C}\n\r\t", "\"\\b\\f\\n\\r\\t\""), ("\u{0}\u{1F} \u{7E}", "\"\\u0000\\u001F ~\""),
      ("\u{7F}\u{80}\u{9F}\u{A0}", "\"\\u007F\\u0080\\u009F\u{A0}\""),
      ("é😀\u{2028}", "\"é😀\u{2028}\""),
    ])
  func strings(value: String, expected: String) {
    #expect(StringLiteral.text(of: value) == expected)
  }
}
