import GraphQLLanguage
import Testing

@Suite("Printer", .timeLimit(.minutes(1))) struct PrinterTests {
  @Test("selections are printed one per line, indented by two spaces")
  func selections() {
    #expect(
      printed("query Q($a:Int=1,$b:[B!]!@d)@x{y:a(b:$a,c:{d:[1,2]})@e{...F@g ...on T@h{i}...{j}}}")
        == """
        query Q($a: Int = 1, $b: [B!]! @d) @x {
          y: a(b: $a, c: {d: [1, 2]}) @e {
            ...F @g
            ... on T @h {
              i
            }
            ... {
              j
            }
          }
        }
        """)
  }

  @Test("only an anonymous query with nothing but a selection set is printed without its keyword")
  func shorthand() {
    #expect(printed("query { a }") == "{\n  a\n}")
    #expect(printed("mutation { a }") == "mutation {\n  a\n}")
    #expect(printed("query @a { a }") == "query @a {\n  a\n}")
    #expect(printed("query ($a: Int) { a }") == "query ($a: Int) {\n  a\n}")
    #expect(printed("\"d\" query { a }") == "\"d\"\nquery {\n  a\n}")
  }

  @Test(
    "a query keeps its keyword if its braces would be parsed as those of the previous definition")
  func queryAfterOpenDefinition() {
    for definition in ["type T", "enum E", "input I @a", "interface J", "extend schema @a"] {
      #expect(printed("\(definition) query { a }") == "\(definition)\n\nquery {\n  a\n}")
    }
    #expect(printed("scalar S query { a }") == "scalar S\n\n{\n  a\n}")
  }

  @Test("the arguments of a field longer than 80 characters are printed one per line")
  func longArguments() {
    let name = String(repeating: "x", count: 71)
    #expect(printed("{ a(\(name): 12) }") == "{\n  a(\(name): 12)\n}")
    #expect(printed("{ a(\(name)xx: 12) }") == "{\n  a(\(name)xx: 12)\n}")
    #expect(printed("{ a(\(name)xxx: 12) }") == "{\n  a(\n    \(name)xxx: 12\n  )\n}")
  }

  @Test("type system definitions are printed in canonical form")
  func typeSystem() {
    #expect(
      printed(
        "\"s\" schema@a{query:Q}extend type T implements A&B@d{\"f\" f(a:Int=1,b:B):C@e} union U=A|B enum E{A B@x}"
          + " input I{a:Int=1@c}directive@d(a:Int)repeatable on FIELD|QUERY scalar S interface N")
          == """
          "s"
          schema @a {
            query: Q
          }

          extend type T implements A & B @d {
            "f"
            f(a: Int = 1, b: B): C @e
          }

          union U = A | B

          enum E {
            A
            B @x
          }

          input I {
            a: Int = 1 @c
          }

          directive @d(a: Int) repeatable on FIELD | QUERY

          scalar S

          interface N
          """)
  }

  @Test("arguments with descriptions are printed one per line, and block strings are indented")
  func descriptions() {
    #expect(
      printed("type T { f(\"\"\"one\ntwo\"\"\" a: Int, b: Int): Int }") == """
        type T {
          f(
            \"""
            one
            two
            \"""
            a: Int
            b: Int
          ): Int
        }
        """)
  }

  @Test("variables with descriptions are printed one per line")
  func variableDescriptions() {
    #expect(
      printed("query Q(\"d\" $a: Int, $b: Int) { a }") == """
        query Q(
          "d"
          $a: Int
          $b: Int
        ) {
          a
        }
        """)
  }

  @Test("the compact form has white space only where it separates tokens")
  func compact() {
    let text = """
      query Q($a: Int = -1, $b: [B!]!) { a(b: "x  y", c: [1, 2]) ...F b: c @d { e ... on T { f } } }
      fragment F on T @g(h: \"""
          block
            string
        \""") { i }
      """
    let compact = Workspace().parse(Source(text)).document.compactText()
    #expect(
      compact
        == "query Q($a:Int=-1$b:[B!]!){a(b:\"x  y\" c:[1 2])...F b:c@d{e ...on T{f}}}"
        + "fragment F on T@g(h:\"\"\"\nblock\n  string\"\"\"){i}")
    let workspace = Workspace()
    #expect(tree(compact, workspace) == tree(text, workspace))
  }

  @Test("the canonical and the compact text of a document parse as the same tree")
  func roundTrip() {
    let workspace = Workspace()
    for text in Self.samples {
      let parsed = workspace.parse(Source(text))
      #expect(parsed.diagnostics.isEmpty)
      let expected = tree(text, workspace)
      let canonical = parsed.document.text()
      #expect(tree(canonical, workspace) == expected)
      #expect(workspace.parse(Source(canonical)).document.text() == canonical)
      #expect(tree(parsed.document.compactText(), workspace) == expected)
    }
  }

  private static let samples = [
    "{ a(b: \"\"\"\n  first\n\n    second \\\"\"\"\n  \"\"\") { c(d: \"\"\" x\"\"\", e: \"\"\"\"\"\", f: \"\"\"\\\"\"\"\"\"\") } }",
    "\"\"\"\n\n  a\n b \\\\\n\"\"\" type T { \"\"\"q \"end\" \"\"\" a: [[Int!]]! @d(e: {f: \"\"\"\n g\n  h\n\"\"\"}) }",
    "\"\"\"trailing\\\n\"\"\" scalar S \"\" scalar S2 \"\\u0000\\\"\" scalar S3",
    "query ($a: [Int] = [] @b(c: -0.0e-1), $d: D = {}) @e { ... @f { g } h: i(j: $a) }",
  ]
}
