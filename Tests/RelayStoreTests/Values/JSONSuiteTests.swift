import RelayStore
import Testing

/// Strings that every JSON parser must accept, must reject, or may accept, by kind.
@Suite(.timeLimit(.minutes(1))) struct JSONSuiteTests {
  /// Strings of one kind.
  struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let texts: [String]

    init(_ name: String, _ texts: String...) { (testDescription, self.texts) = (name, texts) }
  }

  static let accepted = [
    Kind(
      "arrays", "[]", "[ ]", "[[]]", "[[],[[]]]", "[null,1,\"1\",{}]", "[1\n,\t2\r]", "[\"\"]",
      "[1] ", " [1]", "[null,null,null,null]"),
    Kind(
      "objects", "{}", "{ }", #"{"":0}"#, #"{"a":{}}"#, #"{"a":1,"a":1}"#, #"{"a":1,"a":2}"#,
      "{\n\"a\" :\t1\r}", #"{"a\u0000b":1}"#, #"{"\"\\\/":1}"#, #"{"a":[{"b":{"c":[]}}]}"#,
      #"{"min":-1.0e+28,"max":1.0e+28}"#),
    Kind(
      "numbers", "0", "-0", "-1", "10", "123", "1.5", "-0.1", "0.000000000000000000000000001",
      "1e1", "1E1", "1e+1", "1E-1", "0e1", "0e+1", "-0e-0", "1.5E+10",
      "123456789012345678901234567890",
      "1e0000001", "20e1", "-1.0"),
    Kind(
      "strings", #""""#, #"" ""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u0041\u00e9\u20AC""#,
      #""\uD83D\uDE00""#, #""\ud83d\ude00""#, #""\uDBFF\uDFFF""#, #""\uFFFF\uFFFE\uFDD0""#,
      #""\u0000""#, #""\u001F""#, #""\\u0000""#, #""\\\"""#, #""\u200B\u2028\u2029""#,
      "\"\u{7f}\"", "\"\u{2028}\u{2029}\"", "\"\u{e9}\u{20ac}\u{1f600}\"", "\"\u{10ffff}\"",
      "\"\u{feff}\"", #""/* no comment */""#, #""[{,:]}""#),
    Kind("words", "true", "false", "null", " true ", "\nnull\n"),
  ]

  static let refused = [
    Kind(
      "ends", "", " ", "[", "{", "[1", "[1,", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a":1,"#, "\"",
      "\"a", #""\"#, #""\u"#, #""\u00"#, #""\uD83D\"#, #""\uD83D\u"#, #""\uD83D\uDE"#, "-", "1.",
      "1e", "1e+", "t", "tru", "nul", "fals", "[[", "[{}", #"[{"a":[{}"#),
    Kind(
      "arrays", "[,]", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1]]", "[1}", "]", "[1:2]", "[a]",
      "[\"a\" \"b\"]", "[\"a\",\n4\n,1,", "[*]", "[1]x", "[1],", "[][]", "[<null>]", "[\u{c}]",
      "[\"\",", "[3[4]]", "[-]", "[\u{a0}]"),
    Kind(
      "objects", "{,}", #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1,,"b":2}"#, #"{"a" 1}"#,
      #"{"a":1 "b":2}"#,
      "{a:1}", "{'a':1}", "{1:1}", "{null:1}", #"{"a":}"#, #"{:1}"#, #"{"a"}"#, #"{"a"::1}"#,
      #"{"a":1}}"#, #"{"a":1]"#, #"{"a","b"}"#, #"{["a"]:1}"#, #"{"a":1}#"#, #"{"a":1}//"#,
      #"{"a":/*1*/1}"#, #"{"a":"b"}/**/"#, "}", #"{"a":1;}"#, #"{"a"=1}"#, "{{}}", "{[]}",
      "{\"a\":a"),
    Kind(
      "numbers", "01", "-01", "00", "-", "--1", "+1", "++1", ".5", "-.5", "1.", "-2.", "1.e1",
      "1..2", "1.2.3", "1e", "1e+", "1e-", "1e+-1", "1ee1", "1e1.5", "0e", "0e+", "0x1", "0xFF",
      "1_000", "1,000", "1 000", "1a", "1f", "NaN", "-NaN", "Infinity", "-Infinity", "inf", "- 1",
      "1 .5", "\u{ff11}", "\u{661}", "1e\u{661}", "2.e-3", "1+2", "0.1.2", ".-1", "9.e+", "-a"),
    Kind(
      "strings", "'a'", "a", #""\x41""#, #""\a""#, #""\0""#, #""\'""#, #""\U0041""#, #""\u""#,
      #""\u00g0""#, #""\u 041""#, #""\u+041""#, #""\u00""#, #""\uD800""#, #""\uDC00""#,
      #""\uD800\uD800""#, #""\uD83Dx""#, #""\uD83D\n""#, #""\uD83D\u0041""#, #""\uDE00\uD83D""#,
      "\"\t\"", "\"\n\"", "\"\r\"", "\"\u{0}\"", "\"\u{1f}\"", "\"a\"b", "\"\\\n\"", "\"\\\u{e9}\"",
      "\u{201c}a\u{201d}", #""\u{41}""#, #""\uff11\uff1g""#, "\"\\\t\""),
    Kind(
      "words", "True", "TRUE", "truth", "nullx", "nul1", "undefined", "None", "true false", "nil",
      "t rue", "truefalse", "truetrue", "fAlse", "NULL"),
    Kind(
      "spaces", "1\u{feff}", "\u{a0}1", "\u{2028}1", "1\u{c}", "\u{b}1", "1\u{0}", "\u{85}1",
      "\u{2003}[]", "[1\u{2003}]", "\u{1a}", "[]\u{1a}"),
    Kind(
      "more than a value", "1 2", "[] []", "{}{}", "1,", "null,null", "\"a\",", "[]]", "{}}",
      "[1]#", "// no\n1", "/* no */1", "1 // no", "1;"),
  ]

  /// Byte sequences that are not valid UTF-8.
  static let refusedBytes: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x22], [0xE0, 0x80, 0x80],
    [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xF0, 0x80, 0x80, 0x80],
    [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
    [0xF8, 0x88, 0x80, 0x80, 0x80],
    [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xFE, 0xFF], [0xC3, 0xA9, 0xA9],
    [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xF0, 0x28, 0x8C, 0x28],
  ]

  /// Strings that a parser may accept or reject: numbers beyond any range, noncharacters, deep
  /// nesting.
  static let either = [
    "1e400", "-1e400", "1e-400", "1e99999999999999999999", "-1e-99999999999999999999",
    "0.4e00669999999999999999999999999999", String(repeating: "1", count: 100_000),
    "1.\(String(repeating: "0", count: 100_000))", "\"\u{fffe}\u{ffff}\u{1ffff}\"",
    String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
  ]

  @Test("valid JSON is accepted by all parsers", arguments: accepted)
  func mustAccept(_ kind: Kind) {
    for text in kind.texts {
      #expect(outcome(Array(text.utf8)) == [true, true, true], "\(text.debugDescription)")
    }
  }

  @Test("invalid JSON is refused by all parsers", arguments: refused)
  func mustRefuse(_ kind: Kind) {
    for text in kind.texts {
      #expect(outcome(Array(text.utf8)) == [false, false, false], "\(text.debugDescription)")
    }
  }

  @Test("bytes that are not UTF-8 are refused at any position", arguments: refusedBytes)
  func mustRefuseBytes(_ bytes: [UInt8]) {
    let quote = [UInt8(ascii: "\"")]
    let text = quote + bytes + quote
    let forms = [
      bytes, text, Array("\"aaaaaaaaaaaaaaaa".utf8) + bytes + quote,
      Array(#""\n"#.utf8) + bytes + quote, Array("{".utf8) + text + Array(":1}".utf8),
      Array("[".utf8) + bytes + Array("]".utf8), Array("1".utf8) + bytes,
    ]
    for form in forms { #expect(outcome(form) == [false, false, false], "\(form)") }
  }

  @Test(
    "JSON that may be refused is accepted by all parsers, with all its digits", arguments: either)
  func mayAccept(_ text: String) throws {
    #expect(outcome(Array(text.utf8)) == [true, true, true])
    #expect(try JSONValue(parsing: Array(text.utf8)).description == text)
  }

  @Test("a value that is printed and parsed again is unchanged", arguments: accepted)
  func written(_ kind: Kind) throws {
    for text in kind.texts {
      let value = try JSONValue(parsing: Array(text.utf8))
      #expect(try JSONValue(parsing: value.jsonBytes) == value, "\(text.debugDescription)")
    }
  }

  private static let query = TestSelection(
    "{ blob }", schema: "scalar Any type Query { blob: Any }")

  /// Returns whether bytes are accepted as a value, as a skipped value, and in a response.
  private func outcome(_ bytes: [UInt8]) -> [Bool] {
    let isRead = (try? JSONValue(parsing: bytes)) != nil
    let isSkipped = bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      do {
        try scanner.skipValue()
        try scanner.end()
        return true
      } catch { return false }
    }
    let body = Array(#"{"data":{"blob":"#.utf8) + bytes + Array("}}".utf8)
    let isTaken = (try? TestStore().write(Self.query.normalization, body: body)) != nil
    // Bytes that close the braces early are not a value, but may complete the response.
    let mayClose = !isRead && bytes.contains(UInt8(ascii: "}"))
    return [isRead, isSkipped, mayClose ? isRead : isTaken]
  }
}
