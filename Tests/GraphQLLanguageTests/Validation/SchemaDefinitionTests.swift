import GraphQLLanguage
import Testing

@Suite("Validation of type definitions and extensions", .timeLimit(.minutes(1)))
struct SchemaDefinitionTests {
  private static let query = "type Query { a: Int }\n"

  private func check(_ rule: MarkedCase) {
    MarkedCase(Self.query + rule.marked, rules: rule.rules).check(
      schemaErrors(in: Self.query + rule.text))
  }

  @Test(
    "a type has the fields and arguments of its interfaces, with compatible types",
    arguments: [
      MarkedCase(
        "interface I { a(b: ^Int): Int } type A implements I { a(b: ^String): Int }",
        "implements-fields"),
      MarkedCase(
        "interface I { a(b: ^Int): Int } type A implements I { a(b: ^Int!): Int }",
        "implements-fields"),
      MarkedCase("interface I { a: Int } type A implements I { a(b: Int, c: Int! = 1): Int! }"),
      MarkedCase(
        "interface I { a: ^[Int!] } type A implements I { a: ^[Int] }", "implements-fields"),
      MarkedCase(
        "interface I { a: ^Int! } interface J implements I { a: ^Int }", "implements-fields"),
      MarkedCase("interface I { a: U } union U = A type A implements I { a: A }"),
      MarkedCase(
        "interface I { a: ^U } union U = A type A { b: Int } type B implements I { a: ^B }",
        "implements-fields"),
      MarkedCase(
        "interface I implements ^J { a: Int } interface J implements ^I { a: Int }", "implements"),
      MarkedCase("type A implements ^S { a: Int } scalar S", "implements"),
      MarkedCase(
        "interface I { ^a: Int } ^type A implements I { b: Int } ^extend type A { c: Int }",
        "implements-fields"),
      MarkedCase(
        "interface I { a: Int } type A implements ^I { a: Int } extend type A implements ^I",
        "implements"),
      MarkedCase("interface I { a: Int } type A { a: Int } extend type A implements I"),
    ])
  func interfaces(rule: MarkedCase) { check(rule) }

  @Test(
    "default values are valid for their types at any depth",
    arguments: [
      MarkedCase("input I { a: [Int!] = 3 b: [[Int]] = [1, [2], null] c: Float = 1 d: ID = 2 }"),
      MarkedCase("type A { b(c: Any = { x: [1, Y] }): Int } scalar Any"),
      MarkedCase("type A { b(c: Int! = ^null): Int }", "default-values"),
      MarkedCase("type A { b(c: [Int!] = [1, ^null]): Int }", "default-values"),
      MarkedCase("type A { b(c: I = ^{}): Int } input I { a: Int! }", "default-values"),
      MarkedCase("type A { b(c: I = { a: 1, ^z: 2 }): Int } input I { a: Int! }", "default-values"),
      MarkedCase("type A { b(c: I = { a: ^\"x\" }): Int } input I { a: Int! }", "default-values"),
      MarkedCase("type A { b(c: I = {}): Int } input I { a: Int! = 1 }"),
      MarkedCase("type A { b(c: E = ^C): Int } enum E { A B }", "default-values"),
      MarkedCase(
        "type A { b(c: K = ^{ a: 1, b: 2 }): Int } input K @oneOf { a: Int b: Int }",
        "default-values"),
      MarkedCase(
        "type A { b(c: K = ^{ a: null }): Int } input K @oneOf { a: Int b: Int }", "default-values"),
      MarkedCase("type A { b(c: K = { a: 1 }): Int } input K @oneOf { a: Int b: Int }"),
      MarkedCase("directive @d(a: Int = ^\"x\") on FIELD", "default-values"),
      MarkedCase("input I { a: String = ^3 }", "default-values"),
      MarkedCase("input A { ^b: B = {} } input B { ^a: A = {} }", "default-value-cycles"),
      MarkedCase("input A { ^b: [A] = [{}] }", "default-value-cycles"),
      MarkedCase("input A { b: B = { a: null } } input B { a: A = {} }"),
    ])
  func defaults(rule: MarkedCase) { check(rule) }

  @Test(
    "required arguments and fields are not deprecated, and reserved names are not used",
    arguments: [
      MarkedCase("directive @d(a: ^Int! ^@deprecated) on FIELD", "deprecated-required"),
      MarkedCase("input I { a: ^Int! ^@deprecated }", "deprecated-required"),
      MarkedCase("input I { a: Int! = 1 @deprecated b: Int @deprecated }"),
      MarkedCase("enum E { ^__A }", "reserved-names"),
      MarkedCase("input I { ^__a: Int }", "reserved-names"),
      MarkedCase("type A { a(^__b: Int): Int }", "reserved-names"),
      MarkedCase("^directive @__d on FIELD", "reserved-names"),
      MarkedCase("directive @d(^__a: Int) on FIELD", "reserved-names"),
      MarkedCase("type A { a: Int } extend type A { ^__b: Int }", "reserved-names"),
      MarkedCase("type A { _a: Int a__b: Int _: Int }"),
    ])
  func names(rule: MarkedCase) { check(rule) }

  @Test(
    "types are used only in permitted positions",
    arguments: [
      MarkedCase("type A { a(b: ^[Query!]): Int }", "input-types"),
      MarkedCase("type A { a: ^[I!] } input I { a: Int }", "output-types"),
      MarkedCase("interface A { a: ^I } input I { a: Int }", "output-types"),
      MarkedCase("union U = ^I interface I { a: Int }", "union-members"),
      MarkedCase("union U = ^Query extend union U = ^Query", "union-members"),
      MarkedCase("^interface A", "types-have-members"),
      MarkedCase("input A { ^a: A! }", "input-cycles"),
      MarkedCase(
        "input A { ^b: B! } input B { ^c: C! } input C { ^a: A! x: [A!]! y: A }", "input-cycles"),
      MarkedCase("schema { query: Query mutation: ^E } enum E { A }", "root-types"),
      MarkedCase(
        "schema { query: Query } extend schema { subscription: ^U } union U = Query", "root-types"),
      MarkedCase("^interface Mutation { a: Int }", "root-types"),
      MarkedCase("union U = ^No", "known-type-names"),
      MarkedCase("type A implements ^No { a(b: ^No): ^No }", "known-type-names"),
      MarkedCase("input I { a: ^No } directive @d(a: [^No]) on FIELD", "known-type-names"),
      MarkedCase("schema { query: Query mutation: ^No }", "known-type-names"),
      MarkedCase("type A { a(b: Float): ID c: __Type }"),
    ])
  func types(rule: MarkedCase) { check(rule) }

  @Test(
    "names are unique across a definition and its extensions",
    arguments: [
      MarkedCase("enum E { ^A } extend enum E { ^A }", "unique-enum-value-names"),
      MarkedCase("enum E { A } enum F { A }"),
      MarkedCase("input I { ^a: Int } extend input I { ^a: Int }", "unique-field-definition-names"),
      MarkedCase("type A { a: Int } type B { a: Int }"),
      MarkedCase("directive @d(^a: Int, ^a: Int) on FIELD", "unique-argument-definition-names"),
      MarkedCase("interface A { a(^b: Int, ^b: Int): Int }", "unique-argument-definition-names"),
      MarkedCase("type A { a(b: Int): Int c(b: Int): Int }"),
      MarkedCase(
        "schema { ^query: Query } extend schema { ^query: Query }", "unique-operation-types"),
      MarkedCase(
        "directive @x on OBJECT type A ^@x { a: Int } extend type A ^@x",
        "unique-directives-per-location"),
      MarkedCase("directive @x on OBJECT type A @x { a: Int } type B @x { a: Int }"),
      MarkedCase("directive @x repeatable on OBJECT type A @x { a: Int } extend type A @x"),
      MarkedCase(
        "directive @x on SCHEMA schema ^@x { query: Query } extend schema ^@x",
        "unique-directives-per-location"),
      MarkedCase(
        "type A { a: Int @deprecated(^reason: \"a\", ^reason: \"b\") }", "unique-argument-names"),
      MarkedCase("input I { a: I = { ^b: 1, ^b: 2 } b: Int }", "unique-input-field-names"),
    ])
  func unique(rule: MarkedCase) { check(rule) }

  @Test(
    "an extension has the kind of the type that it extends",
    arguments: [
      MarkedCase("^type A { a: Int } ^extend interface A { b: Int }", "possible-type-extensions"),
      MarkedCase("^interface A { a: Int } ^extend type A { b: Int }", "possible-type-extensions"),
      MarkedCase("^scalar A ^extend enum A { B }", "possible-type-extensions"),
      MarkedCase("^enum A { B } ^extend union A = Query", "possible-type-extensions"),
      MarkedCase("^union A = Query ^extend input A { b: Int }", "possible-type-extensions"),
      MarkedCase(
        "directive @x on SCALAR ^input A { b: Int } ^extend scalar A @x", "possible-type-extensions"
      ),
      MarkedCase("extend enum ^No { A }", "possible-type-extensions"),
      MarkedCase("extend type A { b: Int } type A { a: Int }"),
    ])
  func extensions(rule: MarkedCase) { check(rule) }

  @Test("a directive is permitted only at the locations in its definition")
  func locations() {
    let places = """
      schema ^@f { query: Query } scalar S ^@f type A ^@f { a(b: Int ^@f): Int ^@f }
      interface I ^@f { a: Int } union U ^@f = A enum E ^@f { V ^@f } input N ^@f { a: Int ^@f }
      extend type A ^@f
      """
    check(MarkedCase("directive @f repeatable on FIELD " + places, "known-directives"))
    let all =
      "SCHEMA | SCALAR | OBJECT | ARGUMENT_DEFINITION | FIELD_DEFINITION | INTERFACE | UNION | ENUM"
      + " | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION"
    let text = places.filter { $0 != "^" }
    check(MarkedCase("directive @f repeatable on \(all) " + text))
  }

  @Test("messages suggest similar type names, including those of built-in scalars")
  func messages() {
    func message(_ text: String) -> String? {
      let workspace = Workspace()
      let document = workspace.parse(Source(Self.query + text)).document
      return Schema.validated(from: [document], in: workspace).diagnostics.first?.message
    }
    #expect(
      message("type A { b: Flaot }") == "Unknown type \"Flaot\". Did you mean \"Float\"?")
    #expect(
      message("type A { b: Flaot c: Float }")
        == "Unknown type \"Flaot\". Did you mean \"Float\"?")
    #expect(
      message("extend type Quer { b: Int }")
        == "Cannot extend type \"Quer\" because it is not defined. Did you mean \"Query\"?")
    #expect(
      message("interface Mutation { a: Int }")
        == "Mutation root type must be Object type if provided, it cannot be \"Mutation\".")
    #expect(
      message("enum A { B } extend union A = Query") == "Cannot extend non-union type \"A\".")
  }
}
