import RelayStore
import Testing

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

  /// A query for other data, which a rejected response leaves unchanged.
  static let before = TestSelection("{ before }", schema: schema)

  /// The expected outcome of a response.
  enum Outcome: Sendable {
    /// A typed error, with its path or, if the bytes are not JSON, an excerpt of its message.
    case refused(at: String = "", saying: String = "is not JSON")
    /// A successful write: the data that the query then reads, and its missing paths.
    case written(JSONValue?, missing: [String] = [])
  }

  /// A response body and its expected outcome.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let body: [UInt8]
    let outcome: Outcome
    var testDescription: String { name }

    init(_ name: String, _ body: [UInt8], expecting outcome: Outcome) {
      (self.name, self.body, self.outcome) = (name, body, outcome)
    }

    init(_ name: String, _ body: String, expecting outcome: Outcome) {
      self.init(name, Array(body.utf8), expecting: outcome)
    }

    /// Creates a response in which `me` has an id, a name and one more member, inserted verbatim.
    init(_ name: String, me member: String, expecting outcome: Outcome) {
      self.init(name, #"{"data":{"me":{"id":"u","name":"Ada",\#(member)}}}"#, expecting: outcome)
    }

    /// Creates a response with some bytes inside the string value of a field.
    init(_ name: String, text: [UInt8], in field: String = "name") {
      let (start, end) = (#"{"data":{"me":{"id":"u","\#(field)":""#, #""}}}"#)
      self.init(
        name, Array(start.utf8) + text + Array(end.utf8), expecting: .refused(saying: "UTF-8"))
    }
  }

  private static func nested(_ depth: Int, open: String = "[", close: String = "]") -> String {
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

  private static let optionalFields = ["age", "score", "tags", "best", "friends", "blob"]

  /// The missing paths of a response that only has `member`, and `more`.
  private static func missing(except member: String? = nil, _ more: String...) -> [String] {
    optionalFields.filter { $0 != member }.map { "me.\($0)" } + more
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  static let bytes: [Case] = [
    Case("an empty body", "", expecting: .refused()),
    Case("white space only", " \n", expecting: .refused()),
    Case("an HTML page", "<!DOCTYPE html><html></html>", expecting: .refused()),
    Case("truncated inside a member", #"{"data":{"me":{"id":"u","na"#, expecting: .refused()),
    Case("truncated before the last brace", #"{"data":{"me":null}"#, expecting: .refused()),
    Case("a second value after the first", #"{"data":{"me":null}}{}"#, expecting: .refused()),
    Case("only a byte order mark", byteOrderMark, expecting: .refused()),
    Case(
      "two byte order marks", byteOrderMark + byteOrderMark + Array(#"{"data":{"me":null}}"#.utf8),
      expecting: .refused()),
    Case(
      "an incomplete byte order mark",
      byteOrderMark.prefix(2) + Array(#"{"data":{"me":null}}"#.utf8), expecting: .refused()),
    Case(
      "a byte order mark after the value", Array(#"{"data":{"me":null}}"#.utf8) + byteOrderMark,
      expecting: .refused()),
    Case("UTF-16", Array(#"{"data":{}}"#.utf8).flatMap { [0, $0] }, expecting: .refused()),
    Case("comments", #"{"data":/* */{"me":null}}"#, expecting: .refused()),
    Case("a byte that is never valid in UTF-8", text: [0xFF]),
    Case("an overlong UTF-8 sequence", text: [0xC0, 0xAF]),
    Case("a surrogate encoded in UTF-8", text: [0xED, 0xA0, 0x80]),
    Case("a truncated UTF-8 sequence", text: [0xF0, 0x9F, 0x98]),
    Case("a code point beyond U+10FFFF", text: [0xF4, 0x90, 0x80, 0x80]),
    Case("invalid UTF-8 in an unselected field", text: [0xFF], in: "unknown"),
    Case(
      "invalid UTF-8 in a key", Array("{\"data\":{\"".utf8) + [0xFF] + Array("\":1}}".utf8),
      expecting: .refused(saying: "UTF-8")),
    Case(
      "an unpaired high surrogate", me: #""best":{"name":"\uD83D"}"#,
      expecting: .refused(saying: "surrogate")),
    Case(
      "an unpaired low surrogate", me: #""best":{"name":"\uDE00"}"#,
      expecting: .refused(saying: "surrogate")),
    Case(
      "a low surrogate before a high one", me: #""x":"\uDE00\uD83D""#,
      expecting: .refused(saying: "surrogate")),
    Case(
      "an unpaired surrogate in a key", me: #""\uD83D":1"#, expecting: .refused(saying: "surrogate")
    ),
    Case(
      "an unescaped control character", me: "\"x\":\"\u{1}\"",
      expecting: .refused(saying: "control")),
    Case("NaN", me: #""score":NaN"#, expecting: .refused()),
    Case("a hexadecimal number", me: #""age":0x10"#, expecting: .refused()),
  ]

  static let shapes: [Case] = [
    Case(
      "a list instead of the response object", "[]", expecting: .refused(saying: "is not an object")
    ),
    Case(
      "a string instead of the response object", #""data""#,
      expecting: .refused(saying: "is not an object")),
    Case("neither data nor errors", "{}", expecting: .refused(saying: "neither data nor errors")),
    Case(
      "data that is a list", #"{"data":[]}"#,
      expecting: .refused(saying: "data that is not an object")),
    Case(
      "data that is a string", #"{"data":"x"}"#,
      expecting: .refused(saying: "data that is not an object")),
    Case(
      "errors that are an object", #"{"data":{"me":null},"errors":{}}"#,
      expecting: .refused(saying: "errors that are not a list")),
    Case(
      "malformed errors in a list",
      #"{"data":{"me":null},"errors":[1,[],{"path":{}},{"path":[{},true]}]}"#,
      expecting: .written(["me": nil])),
    Case(
      "an object instead of a string", me: #""best":{"name":{}}"#,
      expecting: .refused(at: "me.best.name")),
    Case("a list instead of an object", me: #""best":[]"#, expecting: .refused(at: "me.best")),
    Case(
      "an object instead of a list", me: #""friends":{}"#, expecting: .refused(at: "me.friends")),
    Case("a string instead of a list", me: #""tags":"a""#, expecting: .refused(at: "me.tags")),
    Case(
      "a list instead of a list's element", me: #""tags":["a",["b"]]"#,
      expecting: .refused(at: "me.tags[1]")),
    Case("a string instead of a number", me: #""age":"1""#, expecting: .refused(at: "me.age")),
    Case("a fraction instead of an integer", me: #""age":1.5"#, expecting: .refused(at: "me.age")),
    Case("1e400 instead of an integer", me: #""age":1e400"#, expecting: .refused(at: "me.age")),
    Case(
      "a Boolean instead of a string", me: #""best":{"name":true}"#,
      expecting: .refused(at: "me.best.name")),
    Case(
      "a number instead of a string in the last object of a list",
      me: #""friends":[{"id":"a"},{"id":"b","name":0}]"#,
      expecting: .refused(at: "me.friends[1].name")),
  ]

  static let values: [Case] = [
    Case(
      "null in a non-null field", #"{"data":{"me":{"id":"u","name":null}}}"#,
      expecting: .written(["me": nil], missing: ["me.name"] + missing())),
    Case(
      "an absent non-null field", #"{"data":{"me":{"id":"u"}}}"#,
      expecting: .written(["me": nil], missing: ["me.name"] + missing())),
    Case(
      "null data without errors", #"{"data":null,"errors":[]}"#,
      expecting: .written(nil, missing: ["me"])),
    Case(
      "null in a list of non-null objects", me: #""friends":[{"id":"a","name":"A"},null]"#,
      expecting: .written(
        me("friends", .null), missing: missing(except: "friends", "me.friends[1]"))),
    Case(
      "null in a list of non-null strings", me: #""tags":["a",null]"#,
      expecting: .written(me("tags", .null), missing: missing(except: "tags", "me.tags[1]"))),
    Case(
      "1e400 in a Float field", me: #""score":1e400"#,
      expecting: .written(me("score", .null), missing: missing())),
    Case(
      "1e400 in a custom scalar", me: #""blob":[1e400,-1e-400]"#,
      expecting: .written(
        me("blob", [.number(JSONNumber(digits: "1e400")), .number(JSONNumber(digits: "-1e-400"))]),
        missing: missing(except: "blob"))),
    Case(
      "a number of ten thousand digits", me: #""blob":\#(String(repeating: "9", count: 10_000))"#,
      expecting: .written(
        me("blob", .number(JSONNumber(digits: String(repeating: "9", count: 10_000)))),
        missing: missing(except: "blob"))),
    Case(
      "a repeated key: the last value wins", me: #""age":1,"age":2"#,
      expecting: .written(me("age", 2), missing: missing(except: "age"))),
    Case(
      "a repeated key whose first value has the wrong type", me: #""age":"1","age":2"#,
      expecting: .refused(at: "me.age")),
    Case(
      "a repeated key inside a custom scalar", me: #""blob":{"a":1,"a":2}"#,
      expecting: .written(me("blob", ["a": 2]), missing: missing(except: "blob"))),
    Case(
      "repeated data: the last wins", #"{"data":{"me":{"id":"u"}},"data":{"me":null}}"#,
      expecting: .written(["me": nil])),
    Case(
      "a scalar with the form of a link", me: #""blob":{"__ref":"client:root"}"#,
      expecting: .written(me("blob", ["__ref": "client:root"]), missing: missing(except: "blob"))),
    Case(
      "keys with a meaning in JavaScript", me: #""__proto__":{"name":"x"},"constructor":1"#,
      expecting: .written(me("age", .null), missing: missing())),
    Case(
      "the character U+0000", me: #""blob":"a\u0000b""#,
      expecting: .written(me("blob", "a\0b"), missing: missing(except: "blob"))),
    Case(
      "an unselected field", me: #""email":{"a":[{"b":null}]}"#,
      expecting: .written(me("age", .null), missing: missing())),
  ]

  /// A query with three levels of lists.
  static let nested = TestSelection(
    "{ me { id name friends { id name friends { id name friends { id name } } } } }",
    schema: schema)

  /// Returns a response in which `me` has the given friends, each a JSON object.
  private static func friends(_ friends: [String]) -> String {
    #"{"data":{"me":{"id":"u","name":"Ada","friends":[\#(friends.joined(separator: ","))]}}}"#
  }

  private static func friends(_ count: Int, _ friend: (Int) -> String) -> String {
    friends((0..<count).map(friend))
  }

  /// Responses that a read could make very large, with the number of friends that `me` has: 0 if
  /// all of them are omitted because a field is missing, `nil` if the read is rejected.
  static let amplified: [(name: String, body: String, friends: Int?)] = [
    (
      "four thousand links from an object to itself",
      friends(4_000) { _ in #"{"id":"u","name":"Ada","friends":[]}"# }, 4_000
    ),
    (
      "two objects that link to each other two thousand times",
      friends(2_000) { number in
        number > 0
          ? #"{"id":"v","name":"Eve"}"#
          : #"{"id":"v","name":"Eve","friends":[\#((0..<2_000).map { _ in #"{"id":"u","name":"Ada"}"# }.joined(separator: ","))]}"#
      }, 2_000
    ),
    (
      "objects in a cycle",
      friends(500) { #"{"id":"\#($0)","name":"x","friends":[{"id":"u","name":"Ada"}]}"# }, 500
    ),
    (
      "objects that lack a name each",
      friends(2_000) { _ in #"{"id":"w","friends":[{"id":"u"}]}"# },
      0
    ),
    (
      "more friends than a read may return", friends(40_000) { #"{"id":"\#($0)","name":"x"}"# }, nil
    ),
  ]

  static let depths: [Case] = [
    Case(
      "nested exactly to the limit", me: #""x":\#(nested(512))"#,
      expecting: .written(me("age", .null), missing: missing())),
    Case(
      "an unselected field beyond the limit", me: #""x":\#(nested(513))"#,
      expecting: .refused(saying: "512")),
    Case(
      "lists in a custom scalar beyond the limit", me: #""blob":\#(nested(513))"#,
      expecting: .refused(saying: "512")),
    Case(
      "objects in a custom scalar beyond the limit",
      me: #""blob":\#(nested(513, open: #"{"a":"#, close: "}"))"#,
      expecting: .refused(saying: "512")),
    Case(
      "a hundred thousand nested lists", me: #""blob":\#(nested(100_000))"#,
      expecting: .refused(saying: "512")),
    Case(
      "a hundred thousand nested objects", nested(100_000, open: #"{"data":"#, close: "}"),
      expecting: .refused(saying: "512")),
    Case(
      "a hundred thousand nested links",
      #"{"data":"# + nested(100_000, open: #"{"me":{"best":"#, close: "}}") + "}",
      expecting: .refused(saying: "512")),
    Case(
      "errors beyond the limit", #"{"data":null,"errors":\#(nested(100_000))}"#,
      expecting: .refused(saying: "512")),
    Case(
      "extensions beyond the limit", #"{"data":null,"extensions":\#(nested(100_000))}"#,
      expecting: .refused(saying: "512")),
    Case(
      "unclosed lists", String(repeating: "[", count: 100_000),
      expecting: .refused(saying: "object")),
  ]
}
