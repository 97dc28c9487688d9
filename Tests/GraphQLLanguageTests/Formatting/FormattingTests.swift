import GraphQLFormatting
import Testing

@Suite("Formatting", .timeLimit(.minutes(1))) struct FormattingTests {
  @Test("selections are one to a line, with spaces and commas where they belong")
  func selections() throws {
    let text = """
      query Q($a:Int=1,$b:[ID!]!)@live{user(id:$b first:10,after:{a:1 b:[1 2,$a]})@include(if:$a){id,n:name
      ...F@arguments(count:10)...on User@skip(if:true){x}...{y}...@defer{z}} }
      fragment F on User{id}mutation M{a} query($a:Int){a} query @live{a} {a(o:{},l:[],s:"#,",f:-1.5e3,e:ON)}
      """
    #expect(
      try formatted(text) == """
        query Q($a: Int = 1, $b: [ID!]!) @live {
          user(id: $b, first: 10, after: { a: 1, b: [1, 2, $a] }) @include(if: $a) {
            id
            n: name
            ...F @arguments(count: 10)
            ... on User @skip(if: true) {
              x
            }
            ... {
              y
            }
            ... @defer {
              z
            }
          }
        }
        fragment F on User {
          id
        }
        mutation M {
          a
        }
        query ($a: Int) {
          a
        }
        query @live {
          a
        }
        {
          a(o: {}, l: [], s: "#,", f: -1.5e3, e: ON)
        }
        """)
  }

  @Test("lists that do not fit are written an element to a line, without commas, outer lists first")
  func width() throws {
    let text = """
      query Q($first: Int = 10, $after: String, $order: [Order!] = [{by: NAME}]) { users(first: $first,
      where: {name: "a", tags: ["one", "two"]}) { id } }
      """
    #expect(
      try formatted(text, width: 46) == """
        query Q(
          $first: Int = 10
          $after: String
          $order: [Order!] = [{ by: NAME }]
        ) {
          users(
            first: $first
            where: { name: "a", tags: ["one", "two"] }
          ) {
            id
          }
        }
        """)
    #expect(
      try formatted(text, width: 35).contains(
        """
            where: {
              name: "a"
              tags: ["one", "two"]
            }
        """))
  }

  @Test("a line may be as long as the width, with the brace at its end, and no longer")
  func exactWidth() throws {
    let line = "  aaaa(b: 1, c: 22) {"
    let text = "{\n\(line)\n    id\n  }\n}"
    #expect(try formatted(text, width: line.count) == text)
    #expect(
      try formatted(text, width: line.count - 1)
        == "{\n  aaaa(\n    b: 1\n    c: 22\n  ) {\n    id\n  }\n}")
    // Each of these characters takes several bytes.
    let accents = "{\n  a(b: \"éééé😀\", c: 22)\n}"
    #expect(try formatted(accents, width: 23) == accents)
  }

  @Test(
    "directives that do not fit are on lines of their own, indented unless they are a definition's")
  func directives() throws {
    let text = """
      fragment List_person on Person @argumentDefinitions(count: {type: "Int", defaultValue: 10}, \
      cursor: {type: "String"}) @refetchable(queryName: "ListQuery") {
        friends(first: $count) @connection(key: "List_friends", filters: []) @include(if: $withFriends) { id }
      }
      """
    #expect(
      try formatted(text) == """
        fragment List_person on Person
        @argumentDefinitions(
          count: { type: "Int", defaultValue: 10 }
          cursor: { type: "String" }
        )
        @refetchable(queryName: "ListQuery") {
          friends(first: $count)
            @connection(key: "List_friends", filters: [])
            @include(if: $withFriends) {
            id
          }
        }
        """)
  }

  @Test("definitions of the type system are formatted")
  func typeSystem() throws {
    let text = """
      schema@a{query:Q mutation:M}extend schema@b"Text" scalar Date@specifiedBy(url:"u")scalar B
      type A implements&B&C@key(fields:"id"){"one"id:ID!@deprecated two("arg"a:Int=1 b:[Int!]!):S}
      interface B implements C{id:ID}type Empty type D implements C
      union U=A|D extend union U=|Empty
      enum E{A@deprecated(reason:"r")"c"C}input I@oneOf{a:Int=1@x,b:[I!]=[{a:1}]}
      directive@a(x:Int)repeatable on FIELD|QUERY directive@b on|FIELD
      """
    #expect(
      try formatted(text) == """
        schema @a {
          query: Q
          mutation: M
        }
        extend schema @b
        "Text"
        scalar Date @specifiedBy(url: "u")
        scalar B
        type A implements & B & C @key(fields: "id") {
          "one"
          id: ID! @deprecated
          two("arg" a: Int = 1, b: [Int!]!): S
        }
        interface B implements C {
          id: ID
        }
        type Empty
        type D implements C
        union U = A | D
        extend union U =
          | Empty
        enum E {
          A @deprecated(reason: "r")
          "c"
          C
        }
        input I @oneOf {
          a: Int = 1 @x
          b: [I!] = [{ a: 1 }]
        }
        directive @a(x: Int) repeatable on FIELD | QUERY
        directive @b on
          | FIELD
        """)
  }

  @Test("a brace after a union, a scalar or a directive begins a query")
  func braceAfterDefinition() throws {
    #expect(
      try formatted("union U = A {a b(c:1)} scalar S @d {a b} directive @d on FIELD {a b}") == """
        union U = A
        {
          a
          b(c: 1)
        }
        scalar S @d
        {
          a
          b
        }
        directive @d on FIELD
        {
          a
          b
        }
        """)
  }

  @Test("names separated by pipes that do not fit are below one another")
  func names() throws {
    #expect(
      try formatted("union Result = Person | Organisation directive @a on FIELD | QUERY", width: 30)
        == """
        union Result =
            Person
          | Organisation
        directive @a on FIELD | QUERY
        """)
  }

  @Test(
    "a text with a syntax error is not formatted",
    arguments: ["{", "{ a } }", "{ a(b: \"x) }", "query { a } {", "{ a \u{0} }", "# a\n?"])
  func errors(text: String) {
    #expect(Formatting.format(ContiguousArray(text.utf8)) == nil)
    #expect(Formatting.formatOnOneLine(ContiguousArray(text.utf8)) == nil)
  }

  @Test(
    "on one line nothing breaks, whatever the length; comments and long block strings cannot be")
  func oneLine() {
    func line(_ text: String) -> String? {
      Formatting.formatOnOneLine(ContiguousArray(text.utf8)).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
    #expect(
      line("fragment F on User@a(b:1){\n  name,friends(first:1 after:\"x\"){...G}\n}")
        == "fragment F on User @a(b: 1) { name friends(first: 1, after: \"x\") { ...G } }")
    #expect(line("\"d\" union U = |A|B enum E{A}") == "\"d\" union U = | A | B enum E { A }")
    #expect(line("{ a # comment\n }") == nil)
    #expect(line("{ a(b: \"\"\"one\"\"\") }") == "{ a(b: \"\"\"one\"\"\") }")
    #expect(line("{ a(b: \"\"\"one\ntwo\"\"\") }") == nil)
  }

  @Test("texts are equivalent if they have the same tokens with the same comments in between")
  func equivalence() {
    func isEquivalent(_ left: String, _ right: String) -> Bool {
      Formatting.isEquivalent(ContiguousArray(left.utf8), to: ContiguousArray(right.utf8))
    }
    #expect(isEquivalent("{ a, # c  \n b }", "{a # c\nb}"))
    #expect(isEquivalent("\"\"\"\n  a\n   b\n  c\"\"\"", "\"\"\"a\n  b\n c\"\"\""))
    #expect(!isEquivalent("{ a # c\n b }", "{ a b # c\n }"))
    #expect(!isEquivalent("{ a # c\n b }", "{ a # d\n b }"))
    #expect(!isEquivalent("{ a # c\n b }", "{ a b }"))
    #expect(!isEquivalent("{ a }", "{ b }"))
    #expect(!isEquivalent("{ a(b: \"c\") }", "{ a(b: \"\"\"c\"\"\") }"))
    #expect(!isEquivalent("\"\"\"a\n b\"\"\"", "\"\"\"a\n  b\n c\"\"\""))
    #expect(!isEquivalent("{ a ? }", "{ a ? }"))
  }
}
