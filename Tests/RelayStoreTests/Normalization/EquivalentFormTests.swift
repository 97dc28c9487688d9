import RelayStore
import Testing

/// Equivalent responses in different bytes, and strings with special characters at every offset.
@Suite(.timeLimit(.minutes(1))) struct EquivalentFormTests {
  private static let query = TestSelection(
    "{ me { id __typename name age done longerThanSixteen best { id name } } }",
    schema: """
      type Query { me: User }
      type User {
        id: ID!
        name: String
        age: Int
        done: Boolean
        longerThanSixteen: Int
        best: User
      }
      """)

  private func dump(_ body: String) throws -> JSONValue {
    let test = TestStore()
    try test.write(Self.query.normalization, body: Array(body.utf8))
    return try JSONValue(parsing: Array(test.store.dump().utf8))
  }

  private func name(_ text: [UInt8]) throws -> JSONValue? {
    let test = TestStore()
    let body =
      Array(#"{"data":{"me":{"id":"u1","name":""#.utf8) + text + Array(#""}}}"#.utf8)
    try test.write(Self.query.normalization, body: body)
    return try JSONValue(parsing: Array(test.store.dump().utf8))["u1"]?["name"]
  }

  @Test(
    "a string with a special character at any offset is decoded",
    arguments: [
      ("a", "a"), ("\\n", "\n"), ("\\\"", "\""), ("\\\\", "\\"), ("é", "é"), ("😀", "😀"),
      ("\\u00e9", "é"), ("\\ud83d\\ude00", "😀"), ("}", "}"), ("\u{7F}", "\u{7F}"), ("漢字", "漢字"),
    ])
  func texts(_ written: String, _ meant: String) throws {
    for before in 0..<20 {
      for after in [0, 1, 7, 8, 9, 15, 16, 40] {
        let (start, end) = (
          String(repeating: "x", count: before), String(repeating: "y", count: after)
        )
        #expect(
          try name(Array((start + written + end).utf8)) == .string(start + meant + end))
      }
    }
  }

  @Test(
    "a string with an invalid byte sequence at any offset is refused",
    arguments: [
      [0x00], [0x1F], [0xFF], [0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
    ]
      as [[UInt8]])
  func refusedTexts(_ bytes: [UInt8]) {
    for before in 0..<20 {
      for after in [0, 1, 8, 16, 40] {
        let text =
          Array(repeating: UInt8(ascii: "x"), count: before) + bytes
          + Array(repeating: UInt8(ascii: "y"), count: after)
        #expect(throws: RelayError.self) { try name(text) }
      }
    }
  }

  @Test(
    "white space, the order of members and unknown members make no difference",
    arguments: [
      #"{"data": {"me": {"id": "u1", "__typename": "User", "name": "Ada", "age": 36, "done": true, "longerThanSixteen": 7, "best": {"id": "u2", "name": "Eve"}}}}"#,
      "{ \"data\" :\n{\t\"me\" :\r\n { \"id\" : \"u1\" ,\n\"__typename\"\n:\n\"User\" , \"name\" :\"Ada\" ,\"age\" : 36 , \"done\" : true , \"longerThanSixteen\" : 7 ,\"best\" : { \"id\" : \"u2\" , \"name\" : \"Eve\" } } } }",
      #"{"data":{"me":{"best":{"name":"Eve","id":"u2"},"longerThanSixteen":7,"done":true,"age":36,"name":"Ada","__typename":"User","id":"u1"}}}"#,
      #"{"data":{"me":{"age":36,"longerThanSixteen":7,"best":{"id":"u2","name":"Eve"},"id":"u1","name":"Ada","done":true,"__typename":"User"}}}"#,
      #"{"data":{"a":[1,{"id":"x"}],"me":{"nam":1,"id":"u1","junk":{"id":"u3"},"__typename":"User","names":"A","name":"Ada","":0,"age":36,"done":true,"longerThanSixteenAndMore":1,"longerThanSixteen":7,"best":{"id":"u2","name":"Eve"}}}}"#,
      #"{"data":{"me":{"id":"u0","id":"u1","__typename":"User","name":"Bob","name":"Ada","age":1,"done":false,"done":true,"longerThanSixteen":7,"best":null,"best":{"id":"u2","name":"Eve"},"age":36}}}"#,
      #"{"data":{"me":{"\u0069d":"\u0075\u0031","__typename":"\u0055ser","n\u0061me":"Ad\u0061","age":36,"done":true,"longerThan\u0053ixteen":7,"best":{"id":"u2","name":"Eve"}}}}"#,
    ])
  func forms(_ body: String) throws {
    // The first id identifies the object; a later one is only a field.
    let isRepeated = body.contains("\"u0\"")
    let me = isRepeated ? "u0" : "u1"
    #expect(
      try dump(body) == [
        "client:root": [
          "__id": "client:root", "__typename": "__Root", "me": ["__ref": .string(me)],
        ],
        me: [
          "__id": .string(me), "__typename": "User", "id": "u1", "name": "Ada", "age": 36,
          "done": true, "longerThanSixteen": 7, "best": ["__ref": "u2"],
        ],
        "u2": ["__id": "u2", "__typename": "User", "id": "u2", "name": "Eve"],
      ])
  }

  @Test("members that are null or absent leave the others unchanged")
  func gaps() throws {
    for left in 0..<64 {
      let fields = [#""name":"Ada""#, #""age":36"#, #""done":true"#]
      let nulls = [#""name":null"#, #""age":null"#, #""done":null"#]
      var members = [#""id":"u1""#]
      var expected: JSONObject = ["__id": "u1", "__typename": "User", "id": "u1"]
      for (position, key) in ["name", "age", "done"].enumerated() {
        switch left >> (2 * position) & 3 {
        case 0: continue
        case 1:
          members.append(nulls[position])
          expected[key] = .null
        default:
          members.append(fields[position])
          expected[key] = ["Ada", 36, true][position] as JSONValue
        }
      }
      let body = #"{"data":{"me":{\#(members.joined(separator: ","))}}}"#
      #expect(try dump(body)["u1"]?.object.map { Set($0.members.map(\.key)) } == Set(expected.keys))
      for member in expected.members { #expect(try dump(body)["u1"]?[member.key] == member.value) }
    }
  }

  @Test(
    "an integer keeps its digits; other numbers are refused",
    arguments: [
      ("0", true), ("-1", true), ("123456789012345", true), ("1234567890123456", true),
      ("12345678901234567", true), ("1152921504606846976", true), ("9223372036854775807", true),
      ("-9223372036854775808", true), ("1.0", true), ("1e2", true), ("1.5", false),
      ("01", false), ("-", false), ("1.", false), ("--1", false), ("0x1", false),
      ("9223372036854775808", false), ("tru", false), ("truefalse", false), ("nul", false),
    ])
  func integers(_ digits: String, _ isInteger: Bool) throws {
    let body = #"{"data":{"me":{"id":"u1","age":\#(digits)}}}"#
    if isInteger {
      #expect(try dump(body)["u1"]?["age"] == .number(JSONNumber(digits: digits)))
    } else {
      #expect(throws: RelayError.self) { try dump(body) }
    }
  }
}
