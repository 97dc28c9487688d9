import GraphQLLanguage
import Testing

@Suite("Conflicting fields", .timeLimit(.minutes(1))) struct FieldConflictTests {
  private static let rule = "overlapping-fields-can-be-merged"
  private static let schema = """
    type Query { any: Any }
    union Any = A | B
    type A { x: Int y: String list: [Int] deep: A other: B kind: Kind text: String twice: [[Int]] }
    type B { x: Int! y: ID list: Int deep: B other: A kind: String text: String twice: [Int] }
    enum Kind { ONE }
    """

  @Test(
    "fields of mutually exclusive types have the same shape under one response key",
    arguments: [
      MarkedCase("{ any { ... on A { ^v: x } ... on B { ^v: x } } }", rule),
      MarkedCase("{ any { ... on A { ^v: y } ... on B { ^v: y } } }", rule),
      MarkedCase("{ any { ... on A { ^v: list } ... on B { ^v: list } } }", rule),
      MarkedCase("{ any { ... on A { ^v: twice } ... on B { ^v: twice } } }", rule),
      MarkedCase("{ any { ... on A { ^v: kind } ... on B { ^v: kind } } }", rule),
      MarkedCase("{ any { ... on A { ^v: x } ... on B { ^v: deep { x } } } }", rule),
      MarkedCase(
        "{ any { ... on A { ^v: deep { ^z: x } } ... on B { ^v: deep { ^z: y } } } }", rule),
      MarkedCase("{ any { ... on A { v: deep { z: x } } ... on B { v: other { z: x } } } }"),
      MarkedCase("{ any { ... on A { v: text } ... on B { v: text } } }"),
      MarkedCase("{ any { ... on A { v: y } ... on B { v: text kind } } }"),
    ])
  func shapes(rule: MarkedCase) { rule.check(errors(in: rule.text, schema: Self.schema)) }

  @Test(
    "fields of one object under one response key are one field with the same arguments",
    arguments: [
      MarkedCase("{ dog { ^friends(first: 1) { name } ^friends(first: 2) { name } } }", rule),
      MarkedCase("{ dog { ^friends(first: 1) { name } ^friends { name } } }", rule),
      MarkedCase("{ dog { ^friends { name } ^friends(first: null) { name } } }", rule),
      MarkedCase("{ dog { ^friends(first: 1) { name } ^friends(by: NAME) { name } } }", rule),
      MarkedCase(
        "{ dog { ^friends(by: [NAME, AGE]) { name } ^friends(by: [AGE, NAME]) { name } } }", rule),
      MarkedCase(
        "{ dog { ^friends(by: [NAME]) { name } ^friends(by: [NAME, NAME]) { name } } }", rule),
      MarkedCase(
        "query ($n: Int) { dog { ^friends(first: $n) { name } ^friends(first: 1) { name } } }", rule
      ),
      MarkedCase(
        "query ($n: Int, $m: Int) { dog { ^friends(first: $n) { name } ^friends(first: $m) { name } } }",
        rule),
      MarkedCase(
        "query ($n: Int) { dog { friends(first: $n) { name } friends(first: $n) { volume } } }"),
      MarkedCase(
        "{ find(filter: { age: 1, name: \"a\" }) { name } find(filter: { name: \"a\", age: 1 }) { name } }"
      ),
      MarkedCase(
        "{ ^any(value: { a: 1 }) ^any(value: { a: 1, b: 2 }) }", rule),
      MarkedCase("{ ^any(value: 1) ^any(value: 1.0) }", rule),
      MarkedCase("{ ^any(value: A) ^any(value: \"A\") }", rule),
      MarkedCase("{ dog { name @include(if: true) name @skip(if: true) } }"),
      MarkedCase("{ pet { ... on Pet { ^a: name } ... on Dog { ^a: nickname } } }", rule),
      MarkedCase(
        "{ dog { ^x: owner { ^y: name } ^x: owner { ^y: name(surname: true) } } }", rule),
      MarkedCase("{ dog { ^a: name ...F } } fragment F on Dog { ^a: nickname }", rule),
      MarkedCase(
        "{ dog { ...F ...G } } fragment F on Dog { ^a: name ...G } fragment G on Dog { ^a: nickname }",
        rule),
      MarkedCase(
        "{ dog { ...F } } fragment F on Dog { ^a: name ^...F ^a: nickname }", rule,
        "no-fragment-cycles"),
    ])
  func arguments(rule: MarkedCase) { rule.check(errors(in: rule.text)) }

  @Test("the message names the fields that differ, at any depth")
  func messages() {
    func message(_ document: String, schema: String = petSchema) -> String? {
      diagnostics(in: [document], schema: schema).0.first?.message
    }
    #expect(
      message("{ dog { a: name a: nickname } }")?.contains("\"name\" and \"nickname\"") == true)
    #expect(message("{ dog { name name(surname: true) } }")?.contains("arguments") == true)
    let types = message(
      "{ any { ... on A { v: x } ... on B { v: x } } }", schema: Self.schema)
    #expect(types?.contains("\"Int\" and \"Int!\"") == true)
    let deep = message("{ dog { x: owner { y: name } x: owner { y: name(surname: true) } } }")
    #expect(deep?.contains("\"x\"") == true && deep?.contains("\"y\"") == true)
  }
}
