import GraphQLLanguage
import Testing

@Suite("Validation of schemas", .timeLimit(.minutes(1))) struct TypeSystemRuleTests {
  private static let query = "type Query { a: Int }\n"

  @Test(
    "definitions are unique, and refer to types and directives that exist",
    arguments: [
      RuleCase("type A { b: Int } type A { c: Int }", "unique-type-names 2:6 2:24"),
      RuleCase("type A { b: Int b: Int }", "unique-field-definition-names 2:10 2:17"),
      RuleCase(
        "type A { b: Int } extend type A { b: Int }", "unique-field-definition-names 2:10 2:35"),
      RuleCase("enum A { B B }", "unique-enum-value-names 2:10 2:12"),
      RuleCase("type A { b(c: Int, c: Int): Int }", "unique-argument-definition-names 2:12 2:20"),
      RuleCase("directive @a on FIELD directive @a on FIELD", "unique-directive-names 2:12 2:34"),
      RuleCase(
        "schema { query: Query } schema { query: Query }", "unique-operation-types 2:10 2:34",
        "lone-schema-definition 2:25"),
      RuleCase("schema { query: Query query: Query }", "unique-operation-types 2:10 2:23"),
      RuleCase("type A { b: Nothing }", "known-type-names 2:13"),
      RuleCase("type A @nothing { b: Int }", "known-directives 2:8"),
      RuleCase("type A { b: Int @oneOf }", "known-directives 2:17"),
      RuleCase(
        "type A { b: Int @deprecated @deprecated }", "unique-directives-per-location 2:17 2:29"),
      RuleCase(
        "type A { b: Int @deprecated(why: 1) }", "known-argument-names-on-directives 2:29"),
      RuleCase(
        "scalar A @specifiedBy", "provided-required-arguments-on-directives 2:10"),
      RuleCase("extend type A { b: Int }", "possible-type-extensions 2:13"),
      RuleCase("scalar A extend type A { b: Int }", "possible-type-extensions 2:1 2:10"),
    ])
  func definitions(rule: RuleCase) {
    #expect(schemaErrors(in: Self.query + rule.document) == rule.errors)
  }

  @Test(
    "types have members, of permitted kinds and under permitted names",
    arguments: [
      RuleCase("type A", "types-have-members 2:1"),
      RuleCase("union A", "types-have-members 2:1"),
      RuleCase("enum A", "types-have-members 2:1"),
      RuleCase("input A", "types-have-members 2:1"),
      RuleCase("union A = Query | Query", "union-members 2:11 2:19"),
      RuleCase("union A = Int", "union-members 2:11"),
      RuleCase("input I { a: Int } type A { b: I }", "output-types 2:32"),
      RuleCase("type A { b(c: Query): Int }", "input-types 2:15"),
      RuleCase("input A { b: Query }", "input-types 2:14"),
      RuleCase("directive @a(b: Query) on FIELD", "input-types 2:14"),
      RuleCase("type __A { b: Int }", "reserved-names 2:1"),
      RuleCase("type A { __b: Int }", "reserved-names 2:10"),
      RuleCase("type A { b(c: Int! @deprecated): Int }", "deprecated-required 2:20 2:15"),
      RuleCase("input A @oneOf { b: Int! }", "one-of-fields 2:21"),
      RuleCase("input A @oneOf { b: Int = 1 }", "one-of-fields 2:18"),
    ])
  func members(rule: RuleCase) {
    #expect(schemaErrors(in: Self.query + rule.document) == rule.errors)
  }

  @Test(
    "a type implements its interfaces completely",
    arguments: [
      RuleCase(
        "interface I { a: Int } type A implements I { b: Int }", "implements-fields 2:15 2:24"),
      RuleCase(
        "interface I { a: Int } type A implements I { a: ID }", "implements-fields 2:18 2:49"),
      RuleCase(
        "interface I { a(b: Int): Int } type A implements I { a: Int }",
        "implements-fields 2:17 2:54"),
      RuleCase(
        "interface I { a: Int } type A implements I { a(b: Int!): Int }",
        "implements-fields 2:48 2:15"),
      RuleCase("interface I { a: Int } type A implements I & I { a: Int }", "implements 2:42 2:46"),
      RuleCase("type A implements Query { a: Int }", "implements 2:19"),
      RuleCase("interface I implements I { a: Int }", "implements 2:24"),
      RuleCase(
        "interface I { a: Int } interface J implements I { a: Int } type A implements J { a: Int }",
        "implements 2:47 2:78"),
    ])
  func interfaces(rule: RuleCase) {
    #expect(schemaErrors(in: Self.query + rule.document) == rule.errors)
  }

  @Test("a field may have a subtype of the interface field's type, also in lists and as non-null")
  func covariance() {
    let text = """
      type Query { a: A }
      interface I { a: I b: [I] c: Int }
      type A implements I { a: A! b: [A!]! c: Int! }
      """
    #expect(schemaErrors(in: text) == [])
  }

  @Test("the query type exists, and root types are distinct object types")
  func roots() {
    #expect(schemaErrors(in: "type A { b: Int }") == ["root-types"])
    #expect(schemaErrors(in: "schema { mutation: A } type A { b: Int }") == ["root-types 1:1"])
    #expect(schemaErrors(in: "schema { query: A } scalar A") == ["root-types 1:17"])
    #expect(
      schemaErrors(in: "schema { query: A mutation: A } type A { b: Int }") == ["root-types 1:29"])
  }

  @Test("neither an input object nor a default value may require itself")
  func inputCycles() {
    #expect(
      schemaErrors(in: Self.query + "input A { b: B! }\ninput B { a: A! }")
        == ["input-cycles 2:11 3:11"])
    #expect(schemaErrors(in: Self.query + "input A { b: B! }\ninput B { a: [A!]! c: A }") == [])
    #expect(
      schemaErrors(in: Self.query + "input A { b: A = {} }") == ["default-value-cycles 2:11"])
    #expect(schemaErrors(in: Self.query + "input A { b: A = { b: null } }") == [])
    var chain = Self.query
    for level in 0..<20_000 { chain += "input I\(level) { a: I\((level + 1) % 20_000)! }\n" }
    #expect(schemaErrors(in: chain).count == 1)
  }

  @Test(
    "a directive's definition does not use the directive, directly or through what it references",
    arguments: [
      RuleCase("directive @a(b: Int @a) on ARGUMENT_DEFINITION", "directive-cycles 2:21"),
      RuleCase(
        "directive @a(x: Int @b) on ARGUMENT_DEFINITION directive @b(x: Int @a) on ARGUMENT_DEFINITION",
        "directive-cycles 2:21 2:68"),
      RuleCase(
        "directive @a(x: I) on INPUT_FIELD_DEFINITION input I { i: J } input J { j: [I!] k: Int @a }",
        "directive-cycles 2:88"),
      RuleCase("directive @a(x: [E!]) on ENUM_VALUE enum E { A B @a }", "directive-cycles 2:50"),
      RuleCase("directive @a(x: S) on SCALAR scalar S @a", "directive-cycles 2:39"),
      RuleCase("directive @a(x: Int @b) on FIELD directive @b(x: Int) on ARGUMENT_DEFINITION"),
      RuleCase("directive @a(x: I, y: I) on FIELD_DEFINITION input I { i: I e: E } enum E { F }"),
      RuleCase("directive @a(x: Int @deprecated) on OBJECT type A @a { b(c: Int @deprecated): A }"),
    ])
  func directiveCycles(rule: RuleCase) {
    #expect(schemaErrors(in: Self.query + rule.document) == rule.errors)
  }

  @Test("a cycle of directives that exists only because of an extension is a warning")
  func directiveCycleByExtension() {
    let workspace = Workspace()
    let text = Self.query + "directive @a(x: S) on SCALAR scalar S extend scalar S @a"
    let parsed = workspace.parse(Source(path: "schema", text))
    let found = Schema.validated(from: [parsed.document], in: workspace).diagnostics
    #expect(report(found, in: workspace) == ["directive-cycles 2:55"])
    #expect(!found.hasErrors)
  }

  @Test("a long chain of directives is searched without recursion")
  func directiveChain() {
    var chain = Self.query
    for level in 0..<20_000 {
      chain += "directive @d\(level)(a: Int @d\((level + 1) % 20_000)) on ARGUMENT_DEFINITION\n"
    }
    let errors = schemaErrors(in: chain)
    #expect(errors.count == 1)
    #expect(errors.first?.hasPrefix("directive-cycles 2:22 3:22 ") == true)
  }

  @Test("a long chain of default values is searched in linear time, without recursion")
  func defaultValueChain() {
    var chain = Self.query
    for level in 0..<20_000 { chain += "input I\(level) { a: I\((level + 1) % 20_000) = {} }\n" }
    let errors = schemaErrors(in: chain)
    #expect(errors.count == 1)
    #expect(errors.first?.hasPrefix("default-value-cycles 2:12 3:12 ") == true)
  }

  @Test("default values are valid for their types")
  func defaultValues() {
    #expect(
      schemaErrors(in: "type Query { a(b: Int = \"x\"): Int }") == ["default-values 1:25"])
    #expect(
      schemaErrors(in: Self.query + "enum E { A } input I { e: [E!] = [A, B] f: [[Int]] = 3 }")
        == ["default-values 2:38"])
  }

  @Test("several texts form one schema; its errors are ordered by text and position")
  func severalTexts() {
    #expect(schemaErrors(in: Self.query, "extend type Query { b: B }", "type B { c: Int }") == [])
    #expect(
      schemaErrors(in: "extend type Query { b: X }", "type Query { a: Y }")
        == ["known-type-names 1:24", "known-type-names 1:17"])
  }

  @Test("a schema may redefine standard directives, and use Relay's directives in Relay's mode")
  func directives() {
    #expect(
      schemaErrors(
        in:
          "type Query { a: Int @deprecated(because: 1) } directive @deprecated(because: Int) on FIELD_DEFINITION"
      )
        == [])
    let text = "type Query { a: Int @semanticNonNull }"
    #expect(schemaErrors(in: text) == ["known-directives 1:21"])
    #expect(schemaErrors(in: text, mode: .relay) == [])
  }
}
