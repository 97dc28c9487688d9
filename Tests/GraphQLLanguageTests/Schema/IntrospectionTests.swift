import GraphQLLanguage
import Testing

@Suite("Introspection", .timeLimit(.minutes(1))) struct IntrospectionTests {
  private func read(_ json: String) -> (text: String, problems: [String]) {
    let parsed = Workspace().parseSchema(Source(path: "schema.json", json))
    return (parsed.document.text(), parsed.diagnostics.map(\.message))
  }

  @Test("the response to an introspection query is converted to SDL")
  func reads() {
    let json = """
      {"data": {"__schema": {"queryType": {"name": "Root"}, "mutationType": null, "types": [
        {"kind": "OBJECT", "name": "Root", "description": "All.", "interfaces": [], "fields": [
          {"name": "a", "args": [{"name": "b", "defaultValue": "[1, 2]",
            "type": {"kind": "LIST", "ofType": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Int"}}}}],
           "type": {"kind": "NON_NULL", "ofType": {"kind": "ENUM", "name": "E"}},
           "isDeprecated": true, "deprecationReason": "\\u0027old\\u0027"}]},
        {"kind": "ENUM", "name": "E", "enumValues": [{"name": "A"}]},
        {"kind": "SCALAR", "name": "Int"}, {"kind": "OBJECT", "name": "__Type"}],
        "directives": [{"name": "skip", "locations": ["FIELD"], "args": []},
          {"name": "d", "isRepeatable": true, "locations": ["FIELD", "QUERY"], "args": []}]}}}
      """
    let (text, problems) = read(json)
    #expect(problems == [])
    #expect(
      text == """
        schema {
          query: Root
        }

        \"""All.\"""
        type Root {
          a(b: [Int!] = [1, 2]): E! @deprecated(reason: "'old'")
        }

        enum E {
          A
        }

        directive @d repeatable on FIELD | QUERY
        """)
  }

  @Test("a surrogate pair of JSON escapes is decoded as one character")
  func escapes() {
    let json = { (text: String) in
      "{\"__schema\":{\"queryType\":{\"name\":\"Q\"},\"types\":[{\"kind\":\"OBJECT\",\"name\":\"Q\",\"description\":\""
        + text
        + "\",\"fields\":[{\"name\":\"a\",\"type\":{\"kind\":\"SCALAR\",\"name\":\"Int\"}}]}]}}"
    }
    #expect(read(json(#"a\ud83d\ude00\u00e9\/\b"#)).problems == [])
    #expect(read(json(#"a\ud83d\ude00\u00e9"#)).text.contains("\"\"\"a😀é\"\"\"\ntype Q") == true)
    for text in [
      #"\ud83d"#, #"\ude00"#, #"\ud83dxude00"#, #"\ud83d\nde00"#, #"\ud83d\u0041"#,
      #"\ude00\ud83d"#,
      #"\ud83d\ue000"#, #"\u+123"#, #"\u12"#, #"\x"#,
    ] {
      #expect(read(json(text)).problems.count == 1, "\(text)")
    }
  }

  @Test(
    "names and values that violate the grammar are rejected",
    arguments: [
      #"{"kind":"OBJECT","name":"A b"}"#, #"{"kind":"OBJECT","name":""}"#,
      #"{"kind":"OBJECT","name":"1A"}"#, #"{"kind":"OBJECT"}"#, #"{"kind":"THING","name":"A"}"#,
      #"{"kind":"ENUM","name":"E","enumValues":[{"name":"a}b"}]}"#,
      #"{"kind":"INPUT_OBJECT","name":"I","inputFields":[{"name":"a","type":{"kind":"SCALAR","name":"Int"},"defaultValue":"1 b: Int"}]}"#,
      #"{"kind":"OBJECT","name":"A","fields":[{"name":"a","type":{"kind":"NON_NULL","ofType":null}}]}"#,
    ])
  func refuses(type: String) {
    let (_, problems) = read(#"{"__schema":{"types":["# + type + "]}}")
    #expect(problems.count == 1)
  }

  @Test(
    "introspection that SDL cannot express is rejected: no root type, no directive location, a value named true",
    arguments: [
      (#"{"description":"d","types":[]}"#, "The schema has no root type."),
      (#"{"types":[{"kind":"OBJECT","name":"Query"}]}"#, "The schema has no root type."),
      (#"{"directives":[{"name":"d","locations":[]}]}"#, "Directive \"@d\" has no location."),
      (
        #"{"types":[{"kind":"ENUM","name":"E","enumValues":[{"name":"true"}]}]}"#,
        "An enum value has a name that GraphQL does not allow: \"true\"."
      ),
    ])
  func refusesUnwritable(schema: String, problem: String) {
    #expect(read(#"{"__schema":"# + schema + "}").problems == [problem])
  }

  @Test(
    "text that is not JSON or not introspection is rejected",
    arguments: [
      "{}", "{\"a\": 1}", "{\"a\": }", "{\"a\": 1,}", "{\"a\": \"\\ud800\"}", "{\"a\": 01e}",
      "{\"a\": \"\n\"}", "{\"__schema\": {}} x", "{\"a\": nul}", "{\"a",
      "{\"a\":" + String(repeating: "[", count: 100_000),
    ])
  func notJSON(text: String) {
    #expect(read(text).problems.count == 1)
  }

  @Test(
    "numbers are read by the JSON grammar: no leading zero, no plus, and digits around the point",
    arguments: [
      ("0", true), ("-0", true), ("10", true), ("-1.5", true), ("0.5e+1", true), ("2E-3", true),
      ("01", false), ("-01", false), ("1.", false), ("1.e2", false), (".5", false), ("+1", false),
      ("-", false), ("1e", false), ("1e+", false), ("1e999", false), ("1.5.2", false),
    ])
  func numbers(text: String, isNumber: Bool) {
    let json = ContiguousArray("{\"a\": [\(text)]}".utf8)
    #expect(((try? JSONReader.read(json)) != nil) == isNumber)
  }

  @Test("the first error of the server's response is reported")
  func serverErrors() {
    let (_, problems) = read(#"{"errors":[{"message":"Not allowed."}],"data":null}"#)
    #expect(problems.first?.hasSuffix("The server says: Not allowed.") == true)
    let several = #"{"errors":[{"message":"No such field"},{"message":"Nor this"}]}"#
    #expect(read(several).problems.first?.hasSuffix("The server says: No such field.") == true)
  }

  @Test("SDL is accepted as well as introspection JSON")
  func sdl() {
    #expect(read("type Query { a: Int }").problems == [])
  }
}
