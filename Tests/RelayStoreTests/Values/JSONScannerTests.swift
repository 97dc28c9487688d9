import RelayStore
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(1))) struct JSONScannerTests {
  @Test(
    "JSON is parsed and printed unchanged",
    arguments: [
      "null", "true", "[]", "{}", "[1,[2,[]],{}]", #"{"a":{"b":[null,false]},"c":"d"}"#,
      "-0", "9007199254740993", "1.50", "1e400", "123456789012345678901234567890",
      #""\"\\\n\t""#, "\"\u{1F600}é\"",
    ])
  func roundTrip(_ text: String) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)).description == text)
  }

  @Test("escape sequences are decoded")
  func escapes() throws {
    let value = try JSONValue(parsing: Array(#""\u00e9\uD83D\uDE00\/\b\f""#.utf8))
    #expect(value == .string("é😀/\u{8}\u{c}"))
  }

  @Test(
    "invalid JSON is refused at the offset of the error",
    arguments: [
      ("", 0), ("tru", 0), ("[1,]", 3), ("{\"a\":1,}", 7), ("01", 2), ("1.", 2), ("-", 1),
      ("\"\u{1}\"", 1),
      ("\"a", 2), (#""\x""#, 2), (#""\uD800""#, 7), (#""\uDC00""#, 7), ("[1 2]", 3), ("1 2", 2),
      ("{1:2}", 1), ("{\"a\" 1}", 5), ("[", 1), ("nul", 0), ("+1", 0), ("'a'", 0),
    ])
  func refusals(_ text: String, _ offset: Int) {
    let bytes = Array(text.utf8)
    #expect {
      try bytes.withUnsafeBufferPointer { try JSONValue(parsing: $0) }
    } throws: {
      ($0 as? JSONScanner.Failure)?.offset == offset
    }
  }

  @Test(
    "bytes that are not UTF-8 are refused in strings",
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
  func invalidUTF8(_ bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(throws: RelayError.self) { try JSONValue(parsing: [quote] + bytes + [quote]) }
    let escaped = [quote] + Array("\\n".utf8) + bytes + [quote]
    #expect(throws: RelayError.self) { try JSONValue(parsing: escaped) }
  }

  @Test("the well-formed sequences of bytes are accepted, and no others")
  func wellFormedUTF8() {
    let bounds: [UInt8] = [0x22, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    let leads = Array(UInt8(0x80)...0xFF)
    let sequences: [[UInt8]] =
      leads.map { [$0] } + leads.flatMap { lead in bounds.map { [lead, $0] } }
      + leads.flatMap { lead in bounds.flatMap { a in bounds.map { [lead, a, $0] } } }
      + leads.filter { $0 >= 0xE0 }.flatMap { lead in
        bounds.flatMap { a in bounds.flatMap { b in bounds.map { [lead, a, b, $0] } } }
      }
    var accepted = 0
    for content in sequences where !content.contains(0x22) {
      let quote = UInt8(ascii: "\"")
      let expected = String(validating: content, as: UTF8.self)
      let value = try? JSONValue(parsing: [quote] + content + [quote])
      #expect(value == expected.map { .string($0) }, "\(content)")
      accepted += expected == nil ? 0 : 1
    }
    #expect(accepted > 1_000)
  }

  @Test("a string is the same whichever of its characters are escaped")
  func escapedRuns() throws {
    var generator = SeededGenerator(seed: 3)
    let characters = Array("ab \"\\/\n\t\u{8}\u{c}\ré߿ࠀ€\u{FFFD}\u{FFFF}😀\u{10FFFF}".unicodeScalars)
    for length in 0..<400 {
      let scalars = (0..<length % 40).map { _ in
        characters[Int.random(in: 0..<characters.count, using: &generator)]
      }
      var text = "\""
      for scalar in scalars {
        let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
        if mustEscape || Bool.random(using: &generator) {
          for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16, uppercase: Bool.random(using: &generator))
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          }
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
      var expected = ""
      expected.unicodeScalars.append(contentsOf: scalars)
      #expect(try JSONValue(parsing: Array((text + "\"").utf8)) == .string(expected), "\(text)")
    }
  }

  @Test("values nested deeper than the limit are refused, whether parsed or skipped")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: UInt8(ascii: "["), count: depth)
        + Array(repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(512)) }
    #expect(throws: RelayError.self) { try JSONValue(parsing: nested(513)) }
    for depth in [512, 513, 100_000] {
      let isSkipped = nested(depth).withUnsafeBufferPointer { buffer in
        var scanner = JSONScanner(buffer)
        return (try? scanner.skipValue()) != nil
      }
      #expect(isSkipped == (depth <= 512))
    }
  }

  @Test(
    "skipping consumes exactly one value",
    arguments: ["[]", "{}", #"{"a":[1,{"b":"}"}],"c":{}}"#, "[[],[[]],1]", "\"]\"", "-1.5e3"])
  func skipping(_ text: String) throws {
    let position = try Array((text + ",next").utf8).withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      try scanner.skipValue()
      return scanner.position
    }
    #expect(position == text.utf8.count)
  }

  @Test("every prefix of a valid document is refused")
  func prefixes() {
    let text = Array(#"{"a":[1.5,-2,"x\u00e9\n",{"b":null,"c":[true,false]}],"d":""}"#.utf8)
    for count in 0..<text.count {
      #expect(throws: RelayError.self) { try JSONValue(parsing: Array(text[..<count])) }
    }
  }

  @Test(
    "numbers are printed as in JavaScript",
    arguments: [
      (0.1, "0.1"), (1, "1"), (-1.5, "-1.5"), (1e21, "1e+21"), (1e20, "100000000000000000000"),
      (1.5e-7, "1.5e-7"), (0.000001, "0.000001"), (123456789.125, "123456789.125"),
      (5e-300, "5e-300"),
      (1.7976931348623157e308, "1.7976931348623157e+308"), (-0.0, "0"), (100, "100"),
      (1234.5e18, "1.2345e+21"),
    ] as [(Double, String)])
  func javaScriptNumbers(_ value: Double, _ text: String) {
    #expect(JSONNumber(value).digits == text)
  }

  @Test(
    "an integer may have a fraction or an exponent, and is never rounded",
    arguments: [
      ("1", 1), ("1.0", 1), ("1e2", 100), ("-1.50e1", -15), ("120e-1", 12), ("0e999999999999", 0),
      ("0.000", 0), ("9007199254740993.0", 9_007_199_254_740_993), ("1.5", nil), ("15e-1", nil),
      ("1e19", nil), ("9223372036854775807e0", .max), ("-9223372036854775808.0", .min),
      ("1e-999999999999", nil), ("1e99999999999999999999", nil), ("1e400", nil),
    ] as [(String, Int?)])
  func integers(_ digits: String, _ value: Int?) {
    #expect(JSONNumber(digits: digits).int == value)
  }

  @Test("a number beyond the range of an integer type is no integer of it")
  func narrowIntegers() {
    for (digits, value) in [
      ("2147483647", Int32.max), ("-2147483648", .min), ("2147483648", nil), ("3000000000", nil),
      ("3e9", nil), ("2e9", 2_000_000_000), ("-2147483649", nil), ("1e400", nil),
    ] {
      #expect(JSONNumber(digits: digits).integer(as: Int32.self) == value, "\(digits)")
    }
  }

  @Test("strings in different Unicode normalization forms are different")
  func normalizationForms() {
    #expect(JSONValue.string("\u{e9}") != .string("e\u{301}"))
    let object: JSONObject = ["\u{e9}": 1, "e\u{301}": 2]
    #expect(object.count == 2)
    #expect(object["\u{e9}"] == 1)
    #expect(DataID("\u{e9}") != DataID("e\u{301}"))
  }

  @Test("an object keeps the order of its members and the last value of each key")
  func objects() throws {
    var object = JSONObject((0..<20).map { ("k\($0)", JSONValue(integerLiteral: $0)) })
    object["k3"] = "three"
    object["k5"] = nil
    #expect(object.keys == (0..<20).filter { $0 != 5 }.map { "k\($0)" })
    #expect(object["k3"] == "three" && object["k19"] == 19 && object["k5"] == nil)
  }

  /// The end of the next value, or the error.
  private func end(
    _ bytes: [UInt8], _ skip: (inout JSONScanner) throws(JSONScanner.Failure) -> Void
  ) -> Result<Int, JSONScanner.Failure> {
    bytes.withUnsafeBufferPointer { buffer in
      var scanner = JSONScanner(buffer)
      do throws(JSONScanner.Failure) {
        try skip(&scanner)
        return .success(scanner.position)
      } catch {
        return .failure(error)
      }
    }
  }

  @Test("a value is skipped to the offset at which it ends, or fails, when it is read")
  func skipping() {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    let parts = [
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"é\\n\"", "12", "-0.5e3", "true", "null", " ", "x",
    ]
    var texts = (0..<20_000).map { _ in
      (0...Int.random(in: 0...12, using: &generator)).map { _ in
        parts.randomElement(using: &generator) ?? ""
      }.joined()
    }
    for depth in [1, 63, 64, 65, 127, 128, 129, 192, 511, 512, 513] {
      let opening = (0..<depth).map { $0 % 3 == 0 ? "{\"a\":" : "[" }
      let closing = (0..<depth).reversed().map { $0 % 3 == 0 ? "}" : "]" }
      texts.append(opening.joined() + "1" + closing.joined())
      texts.append(opening.joined() + "1" + closing.dropFirst().joined() + "]")
      texts.append(opening.joined() + "1,2" + closing.joined() + ",")
    }
    var validCount = 0
    for text in texts {
      let expected = end(Array(text.utf8)) { scanner throws(JSONScanner.Failure) in
        _ = try scanner.value()
      }
      let found = end(Array(text.utf8)) { scanner throws(JSONScanner.Failure) in
        try scanner.skipValue()
      }
      #expect(found == expected, "Seed \(seed): \(text.prefix(100))")
      if case .success = expected { validCount += 1 }
    }
    #expect(validCount > 1_000 && validCount < texts.count - 1_000, "Seed \(seed)")
  }
}
