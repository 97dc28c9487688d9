import RelayStore
import RelayStoreTesting
import Testing

@Suite("The schema server coerces")
struct CoercionTests {
  @Test(
    "literals to the argument's type",
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
    "no literal of another type: a field error, null in the field",
    arguments: [
      "int: 2147483648", "int: 1.0", "int: \"1\"", "float: \"1\"", "string: 1", "boolean: 0",
      "id: 1.5", "id: true", "genre: \"POETRY\"", "genre: DRAMA", "string: NOVEL", "ints: [\"a\"]",
      "matrix: [[null]]", "int: [1]", "string: {a: 1}", "id: POETRY",
    ])
  func badLiterals(arguments: String) async throws {
    let response = try await Library.respond("{ echo(\(arguments)) }")
    #expect(response["data"] == ["echo": nil], "\(response)")
    #expect(Library.paths(response) == [#"["echo"]"#])
  }

  @Test(
    "variables to the declared type",
    arguments: [
      ("Int", 3, "3"), ("Int", 3.0, "3"), ("Float", 3, "3"), ("ID", 7, "\"7\""),
      ("Genre", "NOVEL", "\"NOVEL\""), ("[Int]", 1, "[1]"), ("[Int!]", [1, 2], "[1,2]"),
      ("[[Int]]", [1, [2], nil], "[[1],[2],null]"), ("Any", ["x": [nil]], #"{"x":[null]}"#),
      ("Filter", ["limit": 1], #"{"text":"any","limit":1}"#),
      (
        "Filter", ["text": nil, "nested": ["genres": "NOVEL"]],
        #"{"text":null,"limit":7,"nested":{"text":"any","limit":7,"genres":["NOVEL"]}}"#
      ),
    ] as [(String, JSONValue, String)])
  func variables(type: String, value: JSONValue, expected: String) async throws {
    let response = try await Library.respond("query ($v: \(type)) { echo(any: $v) }", ["v": value])
    #expect(response["data"]?["echo"]?["any"]?.description == expected, "\(response)")
  }

  @Test(
    "no variable of another type: an error of the request, without data",
    arguments: [
      ("Int", "3", "not a value of type \"Int\""), ("Int", 3_000_000_000, "Int"),
      ("Int!", nil, "expected \"Int!\", found null"), ("String", 1, "String"),
      ("Boolean", "true", "Boolean"), ("ID", 1.5, "ID"), ("Genre", "DRAMA", "Genre"),
      ("[Int!]", [1, nil], "value[1]"), ("Filter", ["limit": nil], "value.limit"),
      ("Filter", ["nested": ["genres": [4]]], "value.nested.genres[0]"),
      ("Filter", ["limits": 1], "\"limits\""), ("Filter", 3, "Filter"),
      ("Search", ["id": 1, "title": "a"], "exactly one"), ("Search", ["id": nil], "exactly one"),
      ("Search", [:], "exactly one"),
    ] as [(String, JSONValue, String)])
  func badVariables(type: String, value: JSONValue, message: String) async throws {
    let response = try await Library.respond("query ($v: \(type)) { echo(any: $v) }", ["v": value])
    #expect(Library.messages(response).count == 1)
    #expect(Library.messages(response).first?.contains(message) == true, "\(response)")
    #expect(response["data"] == nil)
  }

  @Test("absent, null and default apart, in arguments and input fields")
  func absence() async throws {
    let document = """
      query ($a: Int, $b: Int = 5, $n: Int, $text: String) {
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

  @Test("a required value that is not given, or null through a variable, is an error at the field")
  func required() async throws {
    let response = try await Library.respond(
      "query ($v: Int) { a: strict(value: $v) b: strict c: strict(value: 3) }")
    #expect(response["data"] == ["a": nil, "b": nil, "c": 3])
    #expect(Library.paths(response) == [#"["a"]"#, #"["b"]"#])
    let missing = try await Library.respond("query ($v: Int!) { strict(value: $v) }")
    #expect(Library.messages(missing) == [#"Variable "$v": a value of type "Int!" is required."#])
    let mismatched = try await Library.respond(
      "query ($v: String) { strict(value: $v) }", ["v": "x"])
    #expect(mismatched["data"] == ["strict": nil])
  }

  @Test("one-of inputs that give exactly one field")
  func oneOf() async throws {
    let response = try await Library.respond(
      "query ($i: ID) { a: search(by: {id: $i}) b: search(by: {id: 1, title: \"x\"}) c: search(by: {id: null}) }",
      ["i": "5"])
    #expect(response["data"] == ["a": #"{"by":{"id":"5"}}"#, "b": nil, "c": nil])
  }

  @Test("a condition without a value is an error, not a guess")
  func conditionWithoutValue() async throws {
    let response = try await Library.respond(
      "query ($b: Boolean) { book(id: 1) { id title @include(if: $b) } }")
    #expect(response["data"] == ["book": nil])
    #expect(Library.paths(response) == [#"["book"]"#])
  }
}
