import GraphQLLanguage
import Testing

@Suite("Validation of fragments and variables", .timeLimit(.minutes(1))) struct FragmentRuleTests {
  @Test(
    "a fragment is spread where an object can satisfy its type condition",
    arguments: [
      MarkedCase(
        "{ dog { ... on Dog { name } ... on Pet { name } ... on CatOrDog { __typename } } }"),
      MarkedCase("{ pet { ... on Being { name } ... on CatOrDog { __typename } } }"),
      MarkedCase("{ catOrDog { ... on Pet { name } ... on Being { name } ... { __typename } } }"),
      MarkedCase("{ human(id: 1) { ^... on Pet { name } } }", "possible-fragment-spreads"),
      MarkedCase(
        "{ human(id: 1) { ^... on CatOrDog { __typename } } }", "possible-fragment-spreads"),
      MarkedCase("{ catOrDog { ^... on Human { name } } }", "possible-fragment-spreads"),
      MarkedCase("{ pet { ^... on Human { name } } }", "possible-fragment-spreads"),
      MarkedCase("{ ^... on Mutation { rename(id: 1) { name } } }", "possible-fragment-spreads"),
      MarkedCase(
        "{ human(id: 1) { ^...F } } fragment F on Pet { name }", "possible-fragment-spreads"),
      MarkedCase("{ dog { ... on ^Filter { age } } }", "fragments-on-composite-types"),
      MarkedCase("{ dog { ...F } } fragment F on ^Any { x }", "fragments-on-composite-types"),
    ])
  func spreads(rule: MarkedCase) { rule.check(errors(in: rule.text)) }

  @Test(
    "a cycle is reported at each of its spreads, but not at spreads that only lead to it",
    arguments: [
      MarkedCase(
        "{ dog { ...A } } fragment A on Dog { ^...B } fragment B on Dog { ^...C } fragment C on Dog { ^...A }",
        "no-fragment-cycles"),
      MarkedCase(
        "{ dog { ...A } } fragment A on Dog { ...B } fragment B on Dog { name friends { ^...B } }",
        "no-fragment-cycles"),
      MarkedCase(
        "{ dog { ...A } } fragment A on Dog { ^...B } fragment B on Dog { ^...A ^...B }",
        "no-fragment-cycles"),
      MarkedCase(
        "{ dog { ...A ...B } } fragment A on Dog { ...B ...B } fragment B on Dog { name ...C } fragment C on Dog { name }"
      ),
      MarkedCase("{ dog { ...A } } fragment A on Dog { ...^No }", "known-fragment-names"),
      MarkedCase(
        "{ dog { name } } ^fragment A on Dog { ...B } ^fragment B on Dog { name }",
        "no-unused-fragments"),
    ])
  func cycles(rule: MarkedCase) { rule.check(errors(in: rule.text)) }

  @Test("the message for a cycle names the fragments on its path")
  func cycleMessage() {
    let (found, _) = diagnostics(in: [
      "{ dog { ...A } } fragment A on Dog { ...B } fragment B on Dog { ...A ...B }"
    ])
    #expect(
      found.map(\.message) == [
        "Cannot spread fragment \"A\" within itself via \"B\".",
        "Cannot spread fragment \"B\" within itself.",
      ])
  }

  @Test(
    "an operation defines every variable that it uses, and uses every variable that it defines",
    arguments: [
      MarkedCase(
        "^query Q { ...F } fragment F on Query { human(id: ^$id) { name } }",
        "no-undefined-variables"),
      MarkedCase(
        "query A($id: ID!) { ...F } ^query B { ...F } fragment F on Query { human(id: ^$id) { name } }",
        "no-undefined-variables"),
      MarkedCase("^{ dog { name @include(if: ^$a) } }", "no-undefined-variables"),
      MarkedCase(
        "^{ find(filter: { age: ^$n, tags: [^$t] }) { name } }", "no-undefined-variables"),
      MarkedCase(
        "query A(^$id: ID!) { dog { name } } query B($id: ID!) { human(id: $id) { name } }",
        "no-unused-variables"),
      MarkedCase(
        "query A(^$id: ID!) { dog { name } } query B($id: ID!) { ...F } fragment F on Query { human(id: $id) { name } }",
        "no-unused-variables"),
      MarkedCase("query ($a: Boolean!) { dog { ... @skip(if: $a) { name } } }"),
      MarkedCase("query ($t: String!) { find(filter: { age: 1, tags: [$t] }) { name } }"),
    ])
  func variables(rule: MarkedCase) { rule.check(errors(in: rule.text)) }

  @Test(
    "a variable is used in positions that accept its type",
    arguments: [
      MarkedCase("query ($a: Int!) { dog { friends(first: $a) { name } } }"),
      MarkedCase("query ($a: Boolean = true) { dog { barks(loud: $a) } }"),
      MarkedCase("query ($a: [Order!]!) { dog { friends(by: $a) { name } } }"),
      MarkedCase("query ($a: Order!) { dog { friends(by: [$a]) { name } } }"),
      MarkedCase("query ($a: Order) { find(filter: { age: 1, order: $a }) { name } }"),
      MarkedCase("query ($a: ID!) { find(key: { id: $a }) { name } }"),
      MarkedCase("query ($a: Int) { any(value: [{ x: $a }]) }"),
      MarkedCase(
        "query (^$a: Boolean = null) { dog { barks(loud: ^$a) } }", "variables-in-allowed-position"),
      MarkedCase(
        "query (^$a: Boolean) { dog { barks(loud: ^$a) } }", "variables-in-allowed-position"),
      MarkedCase(
        "query (^$a: Order!) { dog { friends(by: ^$a) { name } } }",
        "variables-in-allowed-position"),
      MarkedCase(
        "query (^$a: Order) { dog { friends(by: [^$a]) { name } } }",
        "variables-in-allowed-position"),
      MarkedCase(
        "query (^$a: [Order]) { dog { friends(by: ^$a) { name } } }",
        "variables-in-allowed-position"),
      MarkedCase(
        "query (^$a: Int) { find(filter: { age: ^$a }) { name } }",
        "variables-in-allowed-position"),
      MarkedCase(
        "query (^$a: String!) { dog { friends(first: ^$a) { name } } }",
        "variables-in-allowed-position"),
      MarkedCase(
        "query (^$a: Boolean) { dog { name @skip(if: ^$a) } }", "variables-in-allowed-position"),
      MarkedCase(
        "query (^$a: ID) { find(key: ^{ id: ^$a }) { name } }", "variables-in-allowed-position",
        "values-of-correct-type"),
      MarkedCase(
        """
        query A($a: Boolean!) { dog { ...F } }
        query B(^$a: Boolean) { dog { ...F } }
        fragment F on Dog { barks(loud: ^$a) }
        """, "variables-in-allowed-position"),
    ])
  func positions(rule: MarkedCase) { rule.check(errors(in: rule.text)) }

  @Test(
    "values are valid for their positions at any depth",
    arguments: [
      MarkedCase("{ dog { friends(first: null, by: null) { name } } }"),
      MarkedCase("{ dog { friends(first: 2147483647, by: NAME) { name } } }"),
      MarkedCase("{ dog { friends(first: -2147483648, by: []) { name } } }"),
      MarkedCase("{ a: float(value: 1e3) b: float(value: null) c: any(value: null) }"),
      MarkedCase("{ a: human(id: \"x\") { name } b: human(id: 4) { name } }"),
      MarkedCase("{ find(filter: { age: 1, tags: null, name: null }) { name } }"),
      MarkedCase("{ dog { friends(first: ^-2147483649) { name } } }", "values-of-correct-type"),
      MarkedCase("{ dog { friends(first: ^[1]) { name } } }", "values-of-correct-type"),
      MarkedCase("{ dog { friends(by: ^true) { name } } }", "values-of-correct-type"),
      MarkedCase("{ dog { friends(by: [^name, AGE, ^1]) { name } } }", "values-of-correct-type"),
      MarkedCase("{ dog { barks(loud: ^null) } }", "values-of-correct-type"),
      MarkedCase("{ dog { barks(loud: ^\"true\") } }", "values-of-correct-type"),
      MarkedCase("{ dog { barks(loud: ^TRUE) } }", "values-of-correct-type"),
      MarkedCase("{ human(id: ^1.5) { name } }", "values-of-correct-type"),
      MarkedCase("{ human(id: ^true) { name } }", "values-of-correct-type"),
      MarkedCase("{ human(id: ^X) { name } }", "values-of-correct-type"),
      MarkedCase("{ float(value: ^\"1\") }", "values-of-correct-type"),
      MarkedCase("{ float(value: ^{ a: 1 }) }", "values-of-correct-type"),
      MarkedCase("{ find(filter: { age: 1, name: ^3 }) { name } }", "values-of-correct-type"),
      MarkedCase("{ find(filter: { age: 1, order: ^null }) { name } }", "values-of-correct-type"),
      MarkedCase(
        "{ find(filter: { age: 1, tags: [\"a\", ^2, ^null] }) { name } }",
        "values-of-correct-type"),
      MarkedCase("{ find(filter: ^3) { name } }", "values-of-correct-type"),
      MarkedCase("{ find(key: ^{}) { name } }", "values-of-correct-type"),
      MarkedCase(
        "query ($a: Int = ^\"x\") { dog { friends(first: $a) { name } } }",
        "values-of-correct-type"),
      MarkedCase(
        "query ($a: Int! = ^null) { dog { friends(first: $a) { name } } }",
        "values-of-correct-type"),
      MarkedCase(
        "query ($f: Filter = ^{ name: \"x\" }) { find(filter: $f) { name } }",
        "values-of-correct-type"),
      MarkedCase("{ dog { name @include(if: ^\"yes\") } }", "values-of-correct-type"),
    ])
  func values(rule: MarkedCase) { rule.check(errors(in: rule.text)) }

  @Test("the help for an invalid enum value lists the enum's values, up to twenty")
  func enumHelp() {
    let values = (0..<23).map { "V\($0)" }.joined(separator: " ")
    let schema = "type Query { a(b: E): Int } enum E { \(values) }"
    let help = diagnostics(in: ["{ a(b: 1) }"], schema: schema).0.first?.help
    let shown = (0..<20).map { "V\($0)" }.joined(separator: ", ")
    #expect(help == "Use one of \(shown) or 3 more.")
    let few = diagnostics(in: ["{ dog { friends(by: 1) { name } } }"]).0.first?.help
    #expect(few == "Use one of NAME, AGE.")
  }

  @Test("a message shows a value on one line, truncated if it is long")
  func shownValues() {
    func shown(_ value: String) -> String? {
      let message = diagnostics(in: ["{ dog { friends(first: \(value)) { name } } }"]).0.first?
        .message
      return message?.split(separator: ": ", maxSplits: 1).last.map(String.init)
    }
    #expect(
      shown("{ a: 1, b: [X, true, null, 1.5], c: {}, d: [] }")
        == "{a: 1, b: [X, true, null, 1.5], c: {}, d: []}.")
    #expect(shown("\"\"\"\n a\n b\n\"\"\"") == "\"a\nb\".")
    let ones = { (count: Int) in Array(repeating: "1", count: count).joined(separator: ", ") }
    #expect(shown("[\(ones(20))]") == "[\(ones(20))].")
    #expect(shown("[\(ones(100))]") == "[\(ones(27)), …].")
    let fields = (1...9).map { "field\($0): 1" }.joined(separator: ", ")
    #expect(shown("{\(fields)}") == "{\(fields.prefix(8 * 11 - 2)), …}.")
    let long = String(repeating: "x", count: 100)
    #expect(shown("\"\(long)\"") == "\"\(long.prefix(80))\".")
    #expect(shown("[\"\(long)\", 1, 2]") == "[\"\(long.prefix(80))\", …].")
  }
}
