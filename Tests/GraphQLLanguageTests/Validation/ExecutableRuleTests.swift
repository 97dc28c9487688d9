import GraphQLLanguage
import Testing

/// A document and its expected errors.
struct RuleCase: Sendable, CustomTestStringConvertible {
  let document: String
  let errors: [String]

  init(_ document: String, _ errors: String...) {
    self.document = document
    self.errors = errors
  }

  var testDescription: String { document }
}

@Suite("Validation of documents", .timeLimit(.minutes(1))) struct ExecutableRuleTests {
  @Test(
    "valid documents have no errors",
    arguments: [
      "{ dog { name } }",
      "query A { dog { ...F } } query B { dog { ...F } } fragment F on Dog { name }",
      "{ catOrDog { __typename ... on Pet { name } ... on Dog { volume } } }",
      "{ pet { ... on Dog { volume } ... on Cat { meows } } }",
      "query ($id: ID!) { human(id: $id) { pets { name } } }",
      "query ($f: Int = 3) { dog { friends(first: $f, by: NAME) { name } } }",
      "query ($f: Filter) { find(filter: $f) { name } }",
      "{ find(filter: { age: 3, tags: \"a\" }) { name } find2: find(key: { id: 3 }) { name } }",
      "{ any(value: { a: [1, \"b\", { c: D }] }) float(value: 3) }",
      "{ dog { volume @many(at: 1) @many(at: 2) } }",
      "subscription { born { name } }",
      "{ __schema { types { name fields { name } } } __type(name: \"Dog\") { kind } }",
      "query ($yes: Boolean = true) { dog { name @include(if: $yes) } }",
    ])
  func valid(document: String) {
    #expect(errors(in: document) == [])
  }

  @Test(
    "names of operations, fragments, variables, arguments and input fields are unique",
    arguments: [
      RuleCase(
        "query A { dog { name } } query A { cat { name } }", "unique-operation-names 1:7 1:32"),
      RuleCase("{ dog { name } } query B { cat { name } }", "lone-anonymous-operation 1:1"),
      RuleCase(
        "{ dog { ...F } } fragment F on Dog { name } fragment F on Dog { volume }",
        "unique-fragment-names 1:27 1:54"),
      RuleCase(
        "query ($a: ID!, $a: ID!) { human(id: $a) { name } }", "unique-variable-names 1:9 1:18"),
      RuleCase(
        "{ human(id: 1, id: 2, id: 3) { name } }", "unique-argument-names 1:9 1:16 1:23"),
      RuleCase(
        "{ find(filter: { age: 1, age: 2 }) { name } }", "unique-input-field-names 1:18 1:26"),
      RuleCase(
        "{ dog { name @onField @onField } }", "unique-directives-per-location 1:14 1:23"),
    ])
  func unique(rule: RuleCase) {
    #expect(errors(in: rule.document) == rule.errors)
  }

  @Test(
    "referenced names exist and are used where they are permitted",
    arguments: [
      RuleCase("{ dog { nam } }", "fields-on-correct-type 1:9"),
      RuleCase("{ catOrDog { name } }", "fields-on-correct-type 1:14"),
      RuleCase("{ dog { ...Nothing } }", "known-fragment-names 1:12"),
      RuleCase("query ($a: Nothing) { any(value: $a) }", "known-type-names 1:12"),
      RuleCase("{ dog { ... on Nothing { name } } }", "known-type-names 1:16"),
      RuleCase("{ dog { barks(loud: true, much: 1) } }", "known-argument-names 1:27"),
      RuleCase("{ dog { name @onField(no: 1) } }", "known-argument-names 1:23"),
      RuleCase("{ dog { name @nothing } }", "known-directives 1:14"),
      RuleCase("query @onField { dog { name } }", "known-directives 1:7"),
      RuleCase("{ dog { barks } }", "provided-required-arguments 1:9"),
      RuleCase("{ dog { name @skip } }", "provided-required-arguments 1:14"),
      RuleCase("{ dog }", "scalar-leafs 1:3"),
      RuleCase("{ dog { name { first } } }", "scalar-leafs 1:14"),
      RuleCase("type Dog { a: Int }", "executable-definitions 1:1"),
    ])
  func known(rule: RuleCase) {
    #expect(errors(in: rule.document) == rule.errors)
  }

  @Test(
    "fragments have composite types, can apply where they are spread, are used, and have no cycles",
    arguments: [
      RuleCase("{ dog { ... on Order { name } } }", "fragments-on-composite-types 1:16"),
      RuleCase("{ dog { ... on Cat { name } } }", "possible-fragment-spreads 1:9"),
      RuleCase(
        "{ dog { ...F } } fragment F on Cat { name }", "possible-fragment-spreads 1:9"),
      RuleCase("{ dog { name } } fragment F on Dog { name }", "no-unused-fragments 1:18"),
      RuleCase("{ dog { ...F } } fragment F on Dog { ...F }", "no-fragment-cycles 1:38"),
      RuleCase(
        "{ dog { ...F } } fragment F on Dog { ...G } fragment G on Dog { owner { pets { ...F } } }",
        "no-fragment-cycles 1:38 1:80"),
    ])
  func fragments(rule: RuleCase) {
    #expect(errors(in: rule.document) == rule.errors)
  }

  @Test(
    "variables are defined, used, of input types, and valid in their positions",
    arguments: [
      RuleCase("{ human(id: $id) { name } }", "no-undefined-variables 1:13 1:1"),
      RuleCase("query ($a: Int) { dog { name } }", "no-unused-variables 1:8"),
      RuleCase("query ($a: Dog) { any(value: $a) }", "variables-are-input-types 1:12", ),
      RuleCase(
        "query ($a: ID) { human(id: $a) { name } }", "variables-in-allowed-position 1:8 1:28"),
      RuleCase(
        "query ($a: [ID!]!) { human(id: $a) { name } }", "variables-in-allowed-position 1:8 1:32"),
      RuleCase(
        "query A($a: ID) { ...F } fragment F on Query { human(id: $a) { name } }",
        "variables-in-allowed-position 1:9 1:58"),
    ])
  func variables(rule: RuleCase) {
    let found = errors(in: rule.document).filter {
      !$0.hasPrefix("variables-in") || rule.errors.contains($0)
    }
    #expect(found == rule.errors)
  }

  @Test(
    "values are valid for their positions",
    arguments: [
      RuleCase("{ dog { barks(loud: 1) } }", "values-of-correct-type 1:21"),
      RuleCase("{ dog { friends(first: 3.0) { name } } }", "values-of-correct-type 1:24"),
      RuleCase("{ dog { friends(first: 2147483648) { name } } }", "values-of-correct-type 1:24"),
      RuleCase("{ dog { friends(by: [NAME, HEIGHT]) { name } } }", "values-of-correct-type 1:28"),
      RuleCase("{ dog { friends(by: \"NAME\") { name } } }", "values-of-correct-type 1:21"),
      RuleCase("{ dog { friends(by: [null]) { name } } }", "values-of-correct-type 1:22"),
      RuleCase("{ find(filter: {}) { name } }", "values-of-correct-type 1:16"),
      RuleCase("{ find(filter: { age: 1, ag: 2 }) { name } }", "values-of-correct-type 1:26"),
      RuleCase("{ find(filter: [{ age: 1 }]) { name } }", "values-of-correct-type 1:16"),
      RuleCase("{ find(key: { id: 1, name: \"a\" }) { name } }", "values-of-correct-type 1:13"),
      RuleCase("{ find(key: { id: null }) { name } }", "values-of-correct-type 1:13"),
    ])
  func values(rule: RuleCase) {
    #expect(errors(in: rule.document) == rule.errors)
  }

  @Test("a subscription selects one root field, also through fragments, and no introspection field")
  func subscriptions() {
    #expect(
      errors(in: "subscription { born { name } ...F } fragment F on Subscription { died { name } }")
        == ["single-field-subscriptions 1:66"])
    #expect(
      errors(in: "subscription { __typename }") == ["single-field-subscriptions 1:16"])
  }

  @Test("each @skip or @include on root selections of a subscription is a warning, reported once")
  func subscriptionConditions() {
    let (found, workspace) = diagnostics(
      in: [
        """
        subscription A($if: Boolean!) { born @skip(if: $if) { name } }
        subscription B($if: Boolean!) { ... @include(if: $if) { ...F @skip(if: false) } }
        subscription C { ...F }
        fragment F on Subscription { born @include(if: true) { name @skip(if: true) } }
        """
      ], schema: petSchema)
    #expect(
      report(found, in: workspace)
        == ["1:38", "2:37", "2:62", "4:35"].map { "single-field-subscriptions \($0)" })
    #expect(found.allSatisfy { $0.severity == .warning })
    #expect(!found.hasErrors)
    #expect(
      found.first?.message
        == "Subscription \"A\" should not have \"@skip\" on its top level selections.")
  }

  @Test("fragments and names are shared by all documents validated together")
  func together() {
    #expect(errors(in: "{ dog { ...F } }", "fragment F on Dog { name }") == [])
    let repeated = errors(in: "query A { dog { name } }", "query A { dog { name } }")
    #expect(repeated == ["unique-operation-names 1:7 1:7"])
  }

  @Test("a mistake in a fragment is reported once, however many operations use it")
  func reportedOnce() {
    let document = """
      query A { dog { ...F } }
      query B { dog { ...F } }
      fragment F on Dog { nam }
      """
    #expect(errors(in: document) == ["fields-on-correct-type 3:21"])
  }

  @Test("messages suggest similar names")
  func suggestions() {
    func message(_ document: String) -> String? { diagnostics(in: [document]).0.first?.message }
    #expect(
      message("{ dog { nam } }")
        == "Cannot query field \"nam\" on type \"Dog\". Did you mean \"name\"?")
    #expect(
      message("{ catOrDog { volume } }")
        == "Cannot query field \"volume\" on type \"CatOrDog\". Did you mean to use an inline fragment on \"Cat\" or \"Dog\"?"
    )
    #expect(
      message("{ dog { ... on Dogg { name } } }") == "Unknown type \"Dogg\". Did you mean \"Dog\"?")
    #expect(
      message("{ dog { friends(by: NAMED) { name } } }")
        == "Value \"NAMED\" does not exist in \"Order\" enum. Did you mean the enum value \"NAME\" or \"AGE\"?"
    )
  }
}
