import GraphQLLanguage
import Testing

@Suite("Parser", .timeLimit(.minutes(1))) struct ParserTests {
  @Test(
    "a valid document has no errors",
    arguments: [
      "{ a }", "query { a }", "query Q($a: Int = 1 @d, $b: [[T!]]!) @x { a }",
      "\"what it does\" query Q(\"which\" $a: Int) { a }",
      "\"\"\"about\"\"\" fragment F on T { a }",
      "subscription on { on: on(on: on) @on }", "{ ...F @a ... @b { c } ... on T { d } }",
      "fragment fragment on fragment { fragment }",
      "{ a(b: [1, -2.5e3, \"s\", null, true, E, $v, {}, []]) }",
      "mutation M { type(input: {query: {schema: enum}}) { scalar } }",
      "schema @a { query: Q mutation: M }", "\"d\" schema { subscription: S }", "extend schema @a",
      "extend schema { query: Q }", "scalar S @specifiedBy(url: \"u\")", "type T",
      "type T implements A",
      "type T implements & A & B @d { \"f\" f(\"a\" a: Int = 1 @d): [Int!]! @deprecated }",
      "interface I implements A & B { f: T }", "union U", "union U = | A | B", "enum E { A B @d }",
      "input I @oneOf { a: Int = 1 @d b: B }", "directive @d(a: Int) repeatable on | FIELD | QUERY",
      "directive @d on ENUM_VALUE", "extend scalar S @d", "extend type T implements A",
      "extend interface I { a: B }", "extend union U = A", "extend enum E { A }",
      "extend input I { a: B }",
    ])
  func valid(text: String) { #expect(errors(text) == []) }

  @Test(
    "the first error of an invalid document has its location and message",
    arguments: [
      ("", "1:1 The document is empty."),
      (" # only a comment", "1:18 The document is empty."),
      ("{", "1:2 Expected a name, found the end of the document."),
      ("{}", "1:2 Expected a name, found \"}\"."),
      ("{ a(: 1) }", "1:5 Expected a name, found \":\"."),
      ("{ a() }", "1:5 Expected a name, found \")\"."),
      ("query Q() { a }", "1:9 Expected \"$\", found \")\"."),
      ("query Q($a) { a }", "1:11 Expected \":\", found \")\"."),
      ("query Q($a: Int = $b) { a }", "1:19 Unexpected variable \"$b\" in a constant value."),
      ("query Q", "1:8 Expected \"{\", found the end of the document."),
      ("fragment on on T { a }", "1:10 Unexpected \"on\"."),
      ("fragment F($a: Int) on T { a }", "1:11 Expected \"on\", found \"(\"."),
      ("{ ...on }", "1:9 Expected a name, found \"}\"."),
      ("\"d\" { a }", "1:1 Unexpected description."),
      ("\"d\" extend type T { a: B }", "1:1 Unexpected description."),
      ("\"d\" 1", "1:5 Unexpected \"1\"."),
      ("extend \"d\" type T { a: B }", "1:8 Unexpected a string."),
      ("extend type T", "1:14 Unexpected end of document."),
      ("extend schema", "1:14 Unexpected end of document."),
      ("type T {}", "1:9 Expected a name, found \"}\"."),
      ("type T { f(): A }", "1:12 Expected a name, found \")\"."),
      ("enum E { true }", "1:10 The name \"true\" is reserved and cannot be an enum value."),
      ("union U = | A |", "1:16 Expected a name, found the end of the document."),
      ("directive @d on FIELD | NOWHERE", "1:25 Unexpected \"NOWHERE\"."),
      ("directive @d on field", "1:17 Unexpected \"field\"."),
      ("schema {}", "1:9 Expected a name, found \"}\"."),
      ("schema { qurey: Q }", "1:10 Unexpected \"qurey\"."),
      ("qurey Q { a }", "1:1 Unexpected \"qurey\"."),
      ("{ a(b: $) }", "1:9 Expected a name, found \")\"."),
      ("type T { a: [B }", "1:16 Expected \"]\", found \"}\"."),
      ("query Q($a: [Int!!]) { a }", "1:18 Expected \"]\", found \"!\"."),
      ("{ a(b: 1 c) }", "1:11 Expected \":\", found \")\"."), ("{ a } }", "1:7 Unexpected \"}\"."),
    ])
  func firstError(text: String, error: String) { #expect(errors(text).first == error) }

  @Test("the span of a node covers its text, and that of a definition its description as well")
  func spans() throws {
    let text = "\"d\" query Q($v: [Int!]! = 1) { x: a(b: $v) @c { ...F } }"
    let document = Workspace().parse(Source(text)).document
    guard case .operation(let operation) = document.definitions[0],
      case .field(let field) = operation.selectionSet.selections[0]
    else { throw Missing() }
    func part(_ span: Span) -> String {
      String(decoding: Array(text.utf8)[Int(span.start)..<Int(span.end)], as: UTF8.self)
    }
    #expect(part(operation.span) == text)
    #expect(operation.name.map { part($0.span) } == "Q")
    #expect(part(operation.variables[0].span) == "$v: [Int!]! = 1")
    #expect(part(operation.variables[0].variableSpan) == "$v")
    #expect(part(operation.variables[0].name.span) == "v")
    #expect(part(operation.variables[0].type.span) == "[Int!]!")
    #expect(part(field.span) == "x: a(b: $v) @c { ...F }")
    #expect(part(field.arguments[0].span) == "b: $v")
    #expect(part(field.arguments[0].value.span) == "$v")
    #expect(part(field.directives[0].span) == "@c")
    #expect(field.selectionSet.map { part($0.span) } == "{ ...F }")
  }

  @Test("an unknown keyword gets the most similar keywords as help")
  func keywordHelp() {
    let parsed = Workspace().parse(Source("qurey Q { a }"))
    #expect(parsed.diagnostics.first?.help == "Did you mean \"query\"?")
  }

  @Test(
    "the help for an unknown directive location and for single quotes names the mistake",
    arguments: [
      ("directive @a on ANYWHERE", "This is not a directive location."),
      ("{ a(b: 'c') }", "Write strings in double quotes (\")."),
    ])
  func help(text: String, help: String) {
    #expect(Workspace().parse(Source(text)).diagnostics.first?.help == help)
  }

  struct Missing: Error {}
}
