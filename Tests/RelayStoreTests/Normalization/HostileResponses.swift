import Testing

@testable import RelayStore

/// Untrusted response bodies, each with its expected outcome.
enum HostileResponses {
  private static let schema = """
    scalar Any

    type Query { me: User before: Int }

    type User {
      id: ID!
      name: String!
      age: Int
      score: Float
      tags: [String!]
      best: User
      friends: [User!]
      blob: Any
    }
    """

  static let query = TestSelection(
    "{ me { id name age score tags best { id name } friends { id name } blob } }", schema: schema)

  /// A query for other data, which a refused response leaves as it was.
  static let before = TestSelection("{ before }", schema: schema)

  /// The expected outcome of a response.
  enum Outcome: Sendable {
    /// A typed error, with its path or, if the bytes are not JSON, a part of its message.
    case refused(at: String = "", saying: String = "is not JSON")
    /// A successful write: the data that the query then reads, and the paths that it misses.
    case written(JSONValue?, missing: [String] = [])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let body: [UInt8]
    let outcome: Outcome
    var testDescription: String { name }

    init(_ name: String, _ body: [UInt8], _ outcome: Outcome) {
      (self.name, self.body, self.outcome) = (name, body, outcome)
    }

    init(_ name: String, _ body: String, _ outcome: Outcome) {
      self.init(name, Array(body.utf8), outcome)
    }

    /// Creates a response in which `me` has an id, a name and one more member, written verbatim.
    init(_ name: String, me member: String, _ outcome: Outcome) {
      self.init(name, #"{"data":{"me":{"id":"u","name":"Ada",\#(member)}}}"#, outcome)
    }

    /// Creates a response with some bytes inside the string value of a field.
    init(_ name: String, text: [UInt8], in field: String = "name") {
      let (start, end) = (#"{"data":{"me":{"id":"u","\#(field)":""#, #""}}}"#)
      self.init(name, Array(start.utf8) + text + Array(end.utf8), .refused(saying: "UTF-8"))
    }
  }

  private static func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> String {
    String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
  }

  /// Returns the data read from a response with an id, a name and one more member.
  private static func me(_ member: String, _ value: JSONValue?) -> JSONValue {
    var me: JSONObject = [
      "id": "u", "name": "Ada", "age": nil, "score": nil, "tags": nil, "best": nil, "friends": nil,
      "blob": nil,
    ]
    me[member] = value
    return ["me": .object(me)]
  }

  private static let all = ["age", "score", "tags", "best", "friends", "blob"]

  private static func missing(but member: String? = nil, _ more: String...) -> [String] {
    all.filter { $0 != member }.map { "me.\($0)" } + more
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  static let bytes: [Row] = [
    Row("nothing", "", .refused()),
    Row("space alone", " \n", .refused()),
    Row("a page of HTML", "<!DOCTYPE html><html></html>", .refused()),
    Row("cut off in a member", #"{"data":{"me":{"id":"u","na"#, .refused()),
    Row("cut off before the last brace", #"{"data":{"me":null}"#, .refused()),
    Row("more behind the value", #"{"data":{"me":null}}{}"#, .refused()),
    Row("a byte order mark alone", mark, .refused()),
    Row("two byte order marks", mark + mark + Array(#"{"data":{"me":null}}"#.utf8), .refused()),
    Row(
      "half a byte order mark", mark.prefix(2) + Array(#"{"data":{"me":null}}"#.utf8), .refused()),
    Row(
      "a byte order mark behind the value", Array(#"{"data":{"me":null}}"#.utf8) + mark, .refused()),
    Row("UTF-16", Array(#"{"data":{}}"#.utf8).flatMap { [0, $0] }, .refused()),
    Row("comments", #"{"data":/* */{"me":null}}"#, .refused()),
    Row("a byte that UTF-8 has not", text: [0xFF]),
    Row("UTF-8 that is too long", text: [0xC0, 0xAF]),
    Row("a surrogate in UTF-8", text: [0xED, 0xA0, 0x80]),
    Row("UTF-8 cut off", text: [0xF0, 0x9F, 0x98]),
    Row("beyond Unicode", text: [0xF4, 0x90, 0x80, 0x80]),
    Row("not UTF-8 where nobody looks", text: [0xFF], in: "unknown"),
    Row(
      "not UTF-8 in a key", Array("{\"data\":{\"".utf8) + [0xFF] + Array("\":1}}".utf8),
      .refused(saying: "UTF-8")),
    Row("a first surrogate alone", me: #""best":{"name":"\uD83D"}"#, .refused(saying: "surrogate")),
    Row(
      "a second surrogate alone", me: #""best":{"name":"\uDE00"}"#, .refused(saying: "surrogate")),
    Row("surrogates in the wrong order", me: #""x":"\uDE00\uD83D""#, .refused(saying: "surrogate")),
    Row("a surrogate alone in a key", me: #""\uD83D":1"#, .refused(saying: "surrogate")),
    Row("a control character", me: "\"x\":\"\u{1}\"", .refused(saying: "control")),
    Row("NaN", me: #""score":NaN"#, .refused()),
    Row("a hexadecimal number", me: #""age":0x10"#, .refused()),
  ]

  static let shapes: [Row] = [
    Row("a list", "[]", .refused(saying: "is not an object")),
    Row("a text", #""data""#, .refused(saying: "is not an object")),
    Row("neither data nor errors", "{}", .refused(saying: "neither data nor errors")),
    Row("data that is a list", #"{"data":[]}"#, .refused(saying: "data that is not an object")),
    Row("data that is a text", #"{"data":"x"}"#, .refused(saying: "data that is not an object")),
    Row(
      "errors that are an object", #"{"data":{"me":null},"errors":{}}"#,
      .refused(saying: "errors that are not a list")),
    Row(
      "errors of any kind", #"{"data":{"me":null},"errors":[1,[],{"path":{}},{"path":[{},true]}]}"#,
      .written(["me": nil])),
    Row("an object for a text", me: #""best":{"name":{}}"#, .refused(at: "me.best.name")),
    Row("a list for an object", me: #""best":[]"#, .refused(at: "me.best")),
    Row("an object for a list", me: #""friends":{}"#, .refused(at: "me.friends")),
    Row("a text for a list", me: #""tags":"a""#, .refused(at: "me.tags")),
    Row("a list in a list", me: #""tags":["a",["b"]]"#, .refused(at: "me.tags[1]")),
    Row("a text for a number", me: #""age":"1""#, .refused(at: "me.age")),
    Row("a fraction for an integer", me: #""age":1.5"#, .refused(at: "me.age")),
    Row("1e400 for an integer", me: #""age":1e400"#, .refused(at: "me.age")),
    Row("a Boolean for a text", me: #""best":{"name":true}"#, .refused(at: "me.best.name")),
    Row(
      "wrong in the last of many", me: #""friends":[{"id":"a"},{"id":"b","name":0}]"#,
      .refused(at: "me.friends[1].name")),
  ]

  static let values: [Row] = [
    Row(
      "null for non-null", #"{"data":{"me":{"id":"u","name":null}}}"#,
      .written(["me": nil], missing: ["me.name"] + missing())),
    Row(
      "absent for non-null", #"{"data":{"me":{"id":"u"}}}"#,
      .written(["me": nil], missing: ["me.name"] + missing())),
    Row("null for everything", #"{"data":null,"errors":[]}"#, .written(nil, missing: ["me"])),
    Row(
      "null in a list of non-null", me: #""friends":[{"id":"a","name":"A"},null]"#,
      .written(me("friends", .null), missing: missing(but: "friends", "me.friends[1]"))),
    Row(
      "null in a list of texts", me: #""tags":["a",null]"#,
      .written(me("tags", .null), missing: missing(but: "tags", "me.tags[1]"))),
    Row(
      "1e400 for a float", me: #""score":1e400"#,
      .written(me("score", .null), missing: missing())),
    Row(
      "1e400 in a custom scalar", me: #""blob":[1e400,-1e-400]"#,
      .written(
        me("blob", [.number(JSONNumber(digits: "1e400")), .number(JSONNumber(digits: "-1e-400"))]),
        missing: missing(but: "blob"))),
    Row(
      "more digits than any number has", me: #""blob":\#(String(repeating: "9", count: 10_000))"#,
      .written(
        me("blob", .number(JSONNumber(digits: String(repeating: "9", count: 10_000)))),
        missing: missing(but: "blob"))),
    Row(
      "a key twice: the last counts", me: #""age":1,"age":2"#,
      .written(me("age", 2), missing: missing(but: "age"))),
    Row("a key twice, wrong the first time", me: #""age":"1","age":2"#, .refused(at: "me.age")),
    Row(
      "a key of a custom scalar twice", me: #""blob":{"a":1,"a":2}"#,
      .written(me("blob", ["a": 2]), missing: missing(but: "blob"))),
    Row(
      "data twice: the last counts", #"{"data":{"me":{"id":"u"}},"data":{"me":null}}"#,
      .written(["me": nil])),
    Row(
      "a link made of JSON", me: #""blob":{"__ref":"client:root"}"#,
      .written(me("blob", ["__ref": "client:root"]), missing: missing(but: "blob"))),
    Row(
      "keys that JavaScript knows", me: #""__proto__":{"name":"x"},"constructor":1"#,
      .written(me("age", .null), missing: missing())),
    Row(
      "the character 0", me: #""blob":"a\u0000b""#,
      .written(me("blob", "a\0b"), missing: missing(but: "blob"))),
    Row(
      "a field nobody asked for", me: #""email":{"a":[{"b":null}]}"#,
      .written(me("age", .null), missing: missing())),
  ]

  /// A query with three levels of lists.
  static let nested = TestSelection(
    "{ me { id name friends { id name friends { id name friends { id name } } } } }",
    schema: schema)

  /// Returns a response in which `me` has the given friends, each the JSON text of an object.
  private static func friends(_ friends: [String]) -> String {
    #"{"data":{"me":{"id":"u","name":"Ada","friends":[\#(friends.joined(separator: ","))]}}}"#
  }

  private static func friends(_ count: Int, _ friend: (Int) -> String) -> String {
    friends((0..<count).map(friend))
  }

  /// Responses that a read could make very large, with the number of friends that `me` has; `nil`
  /// if the read is refused.
  static let amplified: [(name: String, body: String, friends: Int?)] = [
    (
      "four thousand times the object itself",
      friends(4_000) { _ in #"{"id":"u","name":"Ada","friends":[]}"# }, 4_000
    ),
    (
      "two objects that have each other two thousand times",
      friends(2_000) { number in
        number > 0
          ? #"{"id":"v","name":"Eve"}"#
          : #"{"id":"v","name":"Eve","friends":[\#((0..<2_000).map { _ in #"{"id":"u","name":"Ada"}"# }.joined(separator: ","))]}"#
      }, 2_000
    ),
    (
      "objects in a circle",
      friends(500) { #"{"id":"\#($0)","name":"x","friends":[{"id":"u","name":"Ada"}]}"# }, 500
    ),
    (
      "objects that miss a name each time",
      friends(2_000) { _ in #"{"id":"w","friends":[{"id":"u"}]}"# },
      nil
    ),
    ("more friends than a read gives", friends(40_000) { #"{"id":"\#($0)","name":"x"}"# }, nil),
  ]

  static let depths: [Row] = [
    Row(
      "as deep as allowed", me: #""x":\#(nested(512))"#,
      .written(me("age", .null), missing: missing())),
    Row("too deep where nobody looks", me: #""x":\#(nested(513))"#, .refused(saying: "512")),
    Row("too deep in a custom scalar", me: #""blob":\#(nested(513))"#, .refused(saying: "512")),
    Row(
      "objects too deep", me: #""blob":\#(nested(513, #"{"a":"#, "}"))"#, .refused(saying: "512")),
    Row("a hundred thousand lists", me: #""blob":\#(nested(100_000))"#, .refused(saying: "512")),
    Row("a hundred thousand objects", nested(100_000, #"{"data":"#, "}"), .refused(saying: "512")),
    Row(
      "a hundred thousand links", #"{"data":"# + nested(100_000, #"{"me":{"best":"#, "}}") + "}",
      .refused(saying: "512")),
    Row("errors too deep", #"{"data":null,"errors":\#(nested(100_000))}"#, .refused(saying: "512")),
    Row(
      "extensions too deep", #"{"data":null,"extensions":\#(nested(100_000))}"#,
      .refused(saying: "512")),
    Row("lists that never end", String(repeating: "[", count: 100_000), .refused(saying: "object")),
  ]
}
