import RelayStore
import RelayStoreTesting
import Testing

@Suite("Input coercion in the schema server", .timeLimit(.minutes(1)))
struct CoercionTests {
  @Test(
    "literals are coerced to the argument's type",
    arguments: [
      ("int: 3", #"{"int":3}"#), ("float: 3", #"{"float":3}"#), ("float: 1.50", #"{"float":1.50}"#),
      ("string: \"a\\n\"", #"{"string":"a\n"}"#), ("boolean: true", #"{"boolean":true}"#),
      ("id: 7", #"{"id":"7"}"#), ("id: \"x\"", #"{"id":"x"}"#),
      ("genre: POETRY", #"{"genre":"POETRY"}"#),
      ("int: null", #"{"int":null}"#), ("ints: [1, null]", #"{"ints":[1,null]}"#),
      ("ints: 1", #"{"ints":[1]}"#), ("matrix: [[1], null, 2]", #"{"matrix":[[1],null,[2]]}"#),
      (
        "any: {b: [1, X, {c: null}], a: 12345678901234567890}",
        #"{"any":{"b":[1,"X",{"c":null}],"a":12345678901234567890}}"#
      ),
      ("", "{}"),
    ])
  func literals(arguments: String, expected: String) async throws {
    let call = arguments.isEmpty ? "echo" : "echo(\(arguments))"
    let response = try await Library.respond("{ \(call) }")
    #expect(response["data"]?["echo"]?.description == expected, "\(response)")
  }

  @Test(
    "a literal of another type is a request error, without data",
    arguments: [
      "int: 2147483648", "int: 1.0", "int: \"1\"", "float: \"1\"", "string: 1", "boolean: 0",
      "id: 1.5", "id: true", "genre: \"POETRY\"", "genre: DRAMA", "string: NOVEL", "ints: [\"a\"]",
      "matrix: [[null]]", "int: [1]", "string: {a: 1}", "id: POETRY",
    ])
  func badLiterals(arguments: String) async throws {
    let response = try await Library.respond("{ echo(\(arguments)) }")
    #expect(response["data"] == nil, "\(response)")
    #expect(!Library.messages(response).isEmpty)
  }

  @Test(
    "a variable inside a literal of a custom scalar has its value",
    arguments: [
      ("[$v, [$v]]", 1, "[1,[1]]"), ("{a: $v, b: [{c: $v}]}", "x", #"{"a":"x","b":[{"c":"x"}]}"#),
      ("[$v]", nil, "[null]"), ("$v", [2], "[2]"),
    ] as [(String, JSONValue, String)])
  func customScalar(literal: String, value: JSONValue, expected: String) async throws {
    let response = try await Library.respond(
      "query ($v: Any) { echo(any: \(literal)) }", ["v": value])
    #expect(response["data"]?["echo"]?["any"]?.description == expected, "\(response)")
  }

  @Test(
    "variables are coerced to their declared type",
    arguments: [
      ("int", "Int", 3, "3"), ("int", "Int", 3.0, "3"), ("float", "Float", 3, "3"),
      ("id", "ID", 7, "\"7\""), ("genre", "Genre", "NOVEL", "\"NOVEL\""),
      ("ints", "[Int]", 1, "[1]"), ("ints", "[Int!]", [1, 2], "[1,2]"),
      ("matrix", "[[Int!]]", [1, [2], nil], "[[1],[2],null]"),
      ("any", "Any", ["x": [nil]], #"{"x":[null]}"#),
      ("filter", "Filter", ["limit": 1], #"{"text":"any","limit":1}"#),
      (
        "filter", "Filter", ["text": nil, "nested": ["genres": "NOVEL"]],
        #"{"text":null,"limit":7,"nested":{"text":"any","limit":7,"genres":["NOVEL"]}}"#
      ),
      ("search", "Search", ["id": 5], #"{"id":"5"}"#),
    ] as [(String, String, JSONValue, String)])
  func variables(argument: String, type: String, value: JSONValue, expected: String) async throws {
    let response = try await Library.respond(
      "query ($v: \(type)) { echo(\(argument): $v) }", ["v": value])
    #expect(response["data"]?["echo"]?[argument]?.description == expected, "\(response)")
  }

  @Test(
    "a variable of another type is a request error, without data",
    arguments: [
      ("int", "Int", "3", #"not a value of type "Int""#), ("int", "Int", 3_000_000_000, "Int"),
      ("int", "Int!", nil, #"expected "Int!", found null"#), ("string", "String", 1, "String"),
      ("boolean", "Boolean", "true", "Boolean"), ("id", "ID", 1.5, "ID"),
      ("genre", "Genre", "DRAMA", "Genre"), ("ints", "[Int!]", [1, nil], "value[1]"),
      ("filter", "Filter", ["limit": nil], "value.limit"),
      ("filter", "Filter", ["nested": ["genres": [4]]], "value.nested.genres[0]"),
      ("filter", "Filter", ["limits": 1], #""limits""#), ("filter", "Filter", 3, "Filter"),
      ("search", "Search", ["id": 1, "title": "a"], "exactly one"),
      ("search", "Search", ["id": nil], "exactly one"), ("search", "Search", [:], "exactly one"),
    ] as [(String, String, JSONValue, String)])
  func badVariables(argument: String, type: String, value: JSONValue, message: String) async throws
  {
    let response = try await Library.respond(
      "query ($v: \(type)) { echo(\(argument): $v) }", ["v": value])
    #expect(Library.messages(response).count == 1)
    #expect(Library.messages(response).first?.contains(message) == true, "\(response)")
    #expect(response["data"] == nil)
  }

  @Test("absent, null and default values are distinguished in arguments and input fields")
  func absence() async throws {
    let document = """
      query ($a: Int, $b: Float = 5, $n: Int, $text: String) {
        echo(int: $a, float: $b, ints: [$a, $n])
        books(first: $a) { id }
        defaulted(filter: {text: $text, limit: $a})
      }
      """
    let response = try await Library.respond(document, ["n": nil])
    #expect(
      response["data"]?.description
        == #"{"echo":{"float":5,"ints":[null,null]},"books":[{"id":"1"},{"id":"2"}],"defaulted":{"filter":{"text":"any","limit":7}}}"#,
      "\(response)")
    let all = try await Library.respond(
      "query ($first: Int) { books(first: $first) { id } }", ["first": nil])
    #expect(all["data"]?["books"]?.array?.count == 3)
    #expect(
      try await Library.respond("{ defaulted }") == [
        "data": ["defaulted": ["filter": ["text": "all", "limit": 7]]]
      ])
  }

  @Test("a null variable in a non-null argument is an error at the field")
  func required() async throws {
    let response = try await Library.respond(
      "query ($v: Int = 1) { a: strict(value: $v) c: strict(value: 3) }", ["v": nil])
    #expect(response["data"] == ["a": nil, "c": 3])
    #expect(Library.paths(response) == [#"["a"]"#])
    let missing = try await Library.respond("query ($v: Int!) { strict(value: $v) }")
    #expect(Library.messages(missing) == [#"Variable "$v": a value of type "Int!" is required."#])
  }

  @Test("an @include or @skip condition without a value is an error")
  func conditionWithoutValue() async throws {
    let response = try await Library.respond(
      "query ($b: Boolean = true) { book(id: 1) { id title @include(if: $b) } }", ["b": nil])
    #expect(response["data"] == ["book": nil])
    #expect(Library.paths(response) == [#"["book"]"#])
  }
}
