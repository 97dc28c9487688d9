import GraphQLLanguage
import Testing

@Suite("Validation of fields and directives", .timeLimit(.minutes(1))) struct FieldRuleTests {
  private func messages(_ document: String) -> [String] {
    diagnostics(in: [document]).0.map(\.message)
  }

  @Test(
    "fields exist on their parent type, and have a selection set exactly if they are composite",
    arguments: [
      MarkedCase("{ dog { ^x: nam } }", "fields-on-correct-type"),
      MarkedCase("{ dog { ^unknown { deeper } name } }", "fields-on-correct-type"),
      MarkedCase("{ pet { __typename ... on Dog { ^meows } } }", "fields-on-correct-type"),
      MarkedCase("{ pet { ... { ^meows } } }", "fields-on-correct-type"),
      MarkedCase("{ dog { ...F } } fragment F on Dog { ^meows }", "fields-on-correct-type"),
      MarkedCase("{ __type(name: \"Dog\") { ^nam } }", "fields-on-correct-type"),
      MarkedCase("{ dog { ^__schema { types { name } } } }", "fields-on-correct-type"),
      MarkedCase("mutation { ^dog { name } }", "fields-on-correct-type"),
      MarkedCase("{ dog { ^friends } }", "scalar-leafs"),
      MarkedCase("{ pet { name ^owner } }", "scalar-leafs"),
      MarkedCase("{ dog { name volume ^{ a b } } }", "scalar-leafs"),
      MarkedCase("{ any ^{ a } }", "scalar-leafs"),
      MarkedCase("{ dog { __typename ^{ a } } }", "scalar-leafs"),
    ])
  func fields(rule: MarkedCase) { rule.check(errors(in: rule.text)) }

  /// Documents with 500 mistakes; each has 5,000 similar names.
  static let manyMistakes: [(schema: String, document: String)] = {
    let numbers = 0..<5_000
    let mistakes = 0..<500
    let fields = numbers.map { "field\($0): Int" }.joined(separator: " ")
    let types = numbers.map { "type Thing\($0) implements I { id: ID common: Int }" }
    return [
      (
        "type Query { \(fields) }",
        "{ " + mistakes.map { "a\($0): fieldX\($0)" }.joined(separator: " ") + " }"
      ),
      (
        "type Query { f(e: E): Int } enum E { "
          + numbers.map { "VALUE\($0)" }.joined(separator: " ") + " }",
        "{ " + mistakes.map { "a\($0): f(e: VALUEX\($0))" }.joined(separator: " ") + " }"
      ),
      (
        "type Query { i: I } interface I { id: ID } " + types.joined(separator: " "),
        "{ i { " + mistakes.map { "a\($0): common" }.joined(separator: " ") + " } }"
      ),
      (
        "type Query { i: I } interface I { id: ID } " + types.joined(separator: " "),
        "{ i { " + mistakes.map { "... on ThingX\($0) { id }" }.joined(separator: " ") + " } }"
      ),
    ]
  }()

  @Test(
    "after many mistakes nothing is suggested, so that the time for suggestions has a bound",
    arguments: manyMistakes)
  func bounded(schema: String, document: String) {
    let messages = diagnostics(in: [document], schema: schema).0.map(\.message)
    #expect(messages.count == 500)
    let count = messages.count { $0.contains("Did you mean") }
    #expect(1...20 ~= count, "\(count)")
  }

  @Test("the error for a field that an abstract type lacks suggests the types that have it")
  func types() {
    #expect(
      messages("{ catOrDog { name } }") == [
        "Cannot query field \"name\" on type \"CatOrDog\". Did you mean to use an inline fragment on "
          + "\"Being\", \"Pet\", \"Cat\", or \"Dog\"?"
      ])
    #expect(
      messages("{ catOrDog { owner { name } } }") == [
        "Cannot query field \"owner\" on type \"CatOrDog\". Did you mean to use an inline fragment on "
          + "\"Pet\", \"Cat\", or \"Dog\"?"
      ])
    #expect(
      messages("{ pet { meows } }") == [
        "Cannot query field \"meows\" on type \"Pet\". Did you mean to use an inline fragment on \"Cat\"?"
      ])
    #expect(
      messages("{ pet { nam } }")
        == ["Cannot query field \"nam\" on type \"Pet\". Did you mean \"name\"?"])
  }

  @Test(
    "arguments are defined, unique, and provided when required",
    arguments: [
      MarkedCase("{ dog { name(^surnam: true) } }", "known-argument-names"),
      MarkedCase("{ dog { name @onField(^not: \"a\") } }", "known-argument-names"),
      MarkedCase(
        "{ dog { name @onField(^note: \"a\", ^note: \"b\") } }", "unique-argument-names"),
      MarkedCase("{ ^human { name } }", "provided-required-arguments"),
      MarkedCase("mutation { ^rename(name: \"a\") { name } }", "provided-required-arguments"),
      MarkedCase("{ dog { friends { name } } }"),
      MarkedCase(
        "{ find(filter: { age: 1, ^name: \"a\", ^name: \"b\" }) { name } }",
        "unique-input-field-names"),
      MarkedCase(
        "{ any(value: [{ a: { ^b: 1, ^b: 2 } }, { b: 1 }]) }", "unique-input-field-names"),
    ])
  func arguments(rule: MarkedCase) { rule.check(errors(in: rule.text)) }

  @Test("arguments of fields and directives with a default value may be omitted")
  func defaults() {
    let schema = """
      type Query { a(b: Int! = 1): Int }
      directive @d(x: Int! = 1) on FIELD directive @e(x: Int!) on FIELD
      """
    #expect(errors(in: "{ a @d }", schema: schema) == [])
    #expect(errors(in: "{ a @e }", schema: schema) == ["provided-required-arguments 1:5"])
    #expect(errors(in: "{ a @e(x: 1) }", schema: schema) == [])
  }

  @Test("messages suggest similar names of arguments and directives")
  func suggestions() {
    #expect(
      messages("{ dog { name(surnam: true) } }")
        == ["Unknown argument \"surnam\" on field \"Dog.name\". Did you mean \"surname\"?"])
    #expect(
      messages("{ dog { name @onField(not: \"a\") } }")
        == ["Unknown argument \"not\" on directive \"@onField\". Did you mean \"note\"?"])
    #expect(
      messages("{ dog { name @manny } }")
        == ["Unknown directive \"@manny\". Did you mean \"@many\"?"])
    let misplaced = diagnostics(in: ["query @onField { dog { name } }"]).0.first
    #expect(misplaced?.message == "Directive \"@onField\" may not be used on QUERY.")
    #expect(misplaced?.help == "It is allowed on FIELD.")
  }

  @Test(
    "directives are used at permitted locations, and once unless they are repeatable",
    arguments: [
      MarkedCase(
        """
        query Q($a: Int ^@onField) ^@onField {
          dog { friends(first: $a) { name @onField } ...F ^@onField ... ^@onField { name } }
        }
        fragment F on Dog ^@onField { name }
        mutation M ^@onField { rename(id: 1) { name } }
        subscription S ^@onField { born { name } }
        """, "known-directives"),
      MarkedCase("{ dog { name ^@no ^@no } }", "known-directives"),
      MarkedCase(
        "{ dog ^@skip(if: true) ^@skip(if: false) { name } }", "unique-directives-per-location"),
      MarkedCase(
        "{ dog { name ^@onField ^@onField ^@onField } }", "unique-directives-per-location"),
      MarkedCase(
        "{ dog { ... ^@include(if: true) ^@include(if: true) { name } } }",
        "unique-directives-per-location"),
      MarkedCase("{ dog { name @skip(if: true) @include(if: true) @many @many } }"),
      MarkedCase("{ dog { name @onField } cat { name @onField } }"),
    ])
  func directives(rule: MarkedCase) { rule.check(errors(in: rule.text)) }

  @Test(
    "every repetition of a definition's name is reported, and an anonymous operation is alone",
    arguments: [
      MarkedCase(
        "query ^A { dog { name } } query ^A { cat { name } } mutation ^A { rename(id: 1) { name } }",
        "unique-operation-names"),
      MarkedCase("^{ dog { name } } ^{ cat { name } }", "lone-anonymous-operation"),
      MarkedCase(
        "{ dog { ...F } } fragment ^F on Dog { name } fragment ^F on Dog { name } fragment ^F on Dog { name }",
        "unique-fragment-names"),
      MarkedCase("query F { dog { ...F } } fragment F on Dog { name }"),
      MarkedCase(
        "query ($^a: ID!, $^a: ID!, $^a: ID!) { human(id: $a) { name } }", "unique-variable-names"),
      MarkedCase(
        "query A($a: ID!) { human(id: $a) { name } } query B($a: ID!) { human(id: $a) { name } }"),
      MarkedCase("{ dog { name } } ^type T { a: Int }", "executable-definitions"),
      MarkedCase("{ dog { name } } ^directive @x on FIELD", "executable-definitions"),
    ])
  func definitions(rule: MarkedCase) { rule.check(errors(in: rule.text)) }

  @Test(
    "named types exist; built-in scalars exist only if the schema uses them",
    arguments: [
      MarkedCase("query ($a: [^No!]!) { a(b: $a) }", "known-type-names"),
      MarkedCase("query ($a: ^Float) { a(b: $a) }", "known-type-names"),
      MarkedCase("query ($a: String) { a(b: $a) }"),
      MarkedCase("{ ...F } fragment F on ^No { a }", "known-type-names"),
      MarkedCase("query ($a: ^Query) { a(b: $a) }", "variables-are-input-types"),
      MarkedCase("query ($a: ^[Query!]) { a(b: $a) }", "variables-are-input-types"),
    ])
  func typeNames(rule: MarkedCase) {
    let schema = "type Query { a(b: Any): Any } scalar Any"
    rule.check(
      errors(in: rule.text, schema: schema).filter { !$0.hasPrefix("variables-in-allowed") })
  }

  @Test(
    "a subscription selects one response key, directly or through fragments",
    arguments: [
      MarkedCase("subscription { born { name } born { owner { name } } }"),
      MarkedCase("subscription { ...F ...F } fragment F on Subscription { born { name } }"),
      MarkedCase(
        "subscription { a: born { name } ^b: born { name } }", "single-field-subscriptions"),
      MarkedCase(
        "subscription { born { name } ^died { name } ... { ^x: died { name } } }",
        "single-field-subscriptions"),
      MarkedCase("subscription { ^x: __typename }", "single-field-subscriptions"),
      MarkedCase("{ dog { name } cat { name } }"),
    ])
  func subscriptions(rule: MarkedCase) { rule.check(errors(in: rule.text)) }
}
