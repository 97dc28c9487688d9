import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("@refetchable", .timeLimit(.minutes(1)))
struct RefetchableTests {
  private static let schema = """
    interface Node { id: ID! }
    type User implements Node {
      id: ID! name: String friends(first: Int, after: String): Friends groups: [Group]
      tagged(with: [String]): String
    }
    type Group { name: String friends(first: Int, after: String): Friends }
    type Friends { edges: [Edge] pageInfo: PageInfo }
    type Edge { cursor: String node: User }
    type PageInfo { endCursor: String hasNextPage: Boolean }
    type Query { node(id: ID!): Node me: User }
    """

  private func compile(_ document: String) -> Compilation {
    Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)]))
  }

  private func places(_ document: String) -> [String] {
    compile(document).diagnostics.map { diagnostic in
      let span = diagnostic.locations[0]
      return diagnostic.rule == "refetchable-directive"
        ? String(decoding: Array(document.utf8)[Int(span.start)..<Int(span.end)], as: UTF8.self)
        : diagnostic.rule
    }
  }

  @Test("the refetch query is generated beside its fragment, which refers to it")
  func query() throws {
    let compilation = compile("fragment F on User @refetchable(queryName: \"Again\") { name }")
    #expect(compilation.diagnostics == [])
    let text = try #require(compilation.files.first).text
    #expect(text.contains("public typealias RefetchQuery = AgainQuery"))
    #expect(text.contains("struct AgainQuery: GraphQLRefetchQuery"))
    #expect(text.contains("query Again($id:ID!){node(id:$id){__typename id ...on User{...F}}}"))
  }

  @Test("the refetch query declares the variables of directives that the schema does not define")
  func directiveVariables() throws {
    let compilation = compile(
      """
      fragment F on User @refetchable(queryName: "Again") {
        groups @stream(initialCount: $n, if: $on) { name }
        ...G @defer(if: $late)
      }
      fragment G on User { name }
      """)
    #expect(compilation.diagnostics == [])
    let text = try #require(compilation.files.first).text
    #expect(
      text.contains("query Again($n:Int,$on:Boolean,$late:Boolean,$id:ID!){"), "\(text)")
  }

  @Test(
    "the fragment selects the field that identifies its object, even with other key fields")
  func keys() throws {
    let schema = """
      interface Node { id: ID! }
      type Country implements Node { id: ID! code: String! name: String }
      type City implements Node { id: ID! name: String }
      type Parcel @fetchable(field_name: "number") { number: ID! weight: Float }
      type Query { node(id: ID!): Node fetch__Parcel(number: ID!): Parcel country: Country parcel: Parcel city: City }
      directive @fetchable(field_name: String!) on OBJECT
      """
    let document = """
      query Q { country { ...C } parcel { ...P } city { ...T } }
      fragment C on Country @refetchable(queryName: "CQuery") { name }
      fragment P on Parcel @refetchable(queryName: "PQuery") { weight }
      fragment T on City @refetchable(queryName: "TQuery") { name }
      """
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", schema)],
        options: EmissionOptions(keyFields: ["Country": ["code"]])))
    #expect(compilation.diagnostics.map(\.message) == [])
    let text = try #require(compilation.files.first).text
    for fragment in [
      "fragment C on Country{id name}", "fragment P on Parcel{number weight}",
      "fragment T on City{name}", "Country{#code String! id ID! name String}",
    ] {
      #expect(text.contains(fragment), "\(fragment)")
    }
  }

  @Test("the query uses the schema's name for the id of its nodes")
  func customIDs() throws {
    func text(_ schema: String, _ condition: String) throws -> String {
      let document = "fragment F on \(condition) @refetchable(queryName: \"Again\") { name }"
      let compilation = Compiler.compile(
        CompilationInput(
          sources: [
            .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
          ],
          schema: [Source(path: "schema.graphql", schema)]))
      #expect(compilation.diagnostics == [])
      return try #require(compilation.files.first).text
    }
    let global = try text(
      """
      interface Node { global_id: ID! }
      type User implements Node { global_id: ID! name: String }
      type Query { node(global_id: ID!): Node }
      """, "User")
    #expect(global.contains("query Again($id:ID!){node(global_id:$id){"))
    #expect(global.contains("fragment F on User{global_id name}"))
    #expect(global.contains("RefetchInfo(field: \"node\", id: \"global_id\")"))
    let argument = try text(
      """
      interface Node { id: ID! }
      type User implements Node { id: ID! name: String }
      type Query { node(key: ID!, old: Boolean): Node }
      """, "User")
    #expect(argument.contains("query Again($id:ID!){node(key:$id){"))
    let fetchable = try text(
      """
      interface Parcel @fetchable(field_name: "number") { number: ID! name: String }
      type Box implements Parcel { number: ID! name: String }
      type Query { fetch__Parcel(number: ID!): Parcel }
      """, "Parcel")
    #expect(fetchable.contains("query Again($id:ID!){fetch__Parcel(number:$id){"))
  }

  @Test("a field without an id argument leads to no object, and neither does @fetchable on a union")
  func noIDs() {
    func rules(_ schema: String) -> [String] {
      let document = "fragment F on User @refetchable(queryName: \"Again\") { name }"
      return Compiler.compile(
        CompilationInput(
          sources: [
            .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
          ],
          schema: [Source(path: "schema.graphql", schema)]
        )
      ).diagnostics.filter { $0.severity == .error }.map(\.rule)
    }
    let types = "interface Node { id: ID! } type User implements Node { id: ID! name: String }"
    #expect(rules(types + " type Query { node(at: Int!): Node }") == ["refetchable-directive"])
    #expect(
      rules(types + " type Query { node(id: ID!, at: Int!): Node }") == ["refetchable-directive"])
    #expect(
      rules(types + " union U @fetchable(field_name: \"id\") = User type Query { me: User }")
        == ["refetchable-directive"])
  }

  @Test("a fragment variable and an operation variable of the same name are an error")
  func bothVariables() {
    let directive = "@refetchable(queryName: \"A\")"
    func document(_ variable: String) -> String {
      "fragment F on User \(directive) @argumentDefinitions(n: {type: Int}) "
        + "{ friends(first: $n) { edges { cursor } } ...G } "
        + "fragment G on User { more: friends(first: \(variable)) { edges { cursor } } }"
    }
    #expect(places(document("$m")) == [])
    #expect(places(document("$n")) == [directive])
  }

  @Test("types of fragment variables mean the same with and without quotes")
  func unquotedTypes() {
    func files(_ int: String, _ strings: String) -> [GeneratedFile] {
      let compilation = compile(
        """
        fragment F on User @refetchable(queryName: "Again") @argumentDefinitions(
          count: {type: \(int), defaultValue: 3}, tags: {type: \(strings)}
        ) { friends(first: $count) { edges { cursor } } tagged(with: $tags) }
        """)
      #expect(compilation.diagnostics == [])
      return compilation.files
    }
    let quoted = files("\"Int\"", "\"[String]\"")
    #expect(files("Int", "[String]") == quoted)
    #expect(quoted.first?.text.contains("query Again($count:Int=3,$tags:[String],$id:ID!)") == true)
  }

  @Test("a fragment that no root field leads to cannot be refetched, and neither can a plural one")
  func unreachable() {
    let directive = "@refetchable(queryName: \"Again\")"
    #expect(places("fragment F on Group \(directive) { name }") == [directive])
    #expect(
      places("fragment F on User @relay(plural: true) \(directive) { name }") == [directive])
  }

  @Test("the query's name must be unused, and its directives must be valid")
  func names() {
    #expect(
      places(
        "query Again { me { ...F } } fragment F on User @refetchable(queryName: \"Again\") { name }"
      )
        == ["\"Again\""])
    #expect(
      places(
        "fragment AQuery on User @refetchable(queryName: \"A\") { name }") == ["swift-names"])
    #expect(places("fragment F on User @refetchable(queryName: \"a b\") { name }") == ["\"a b\""])
    #expect(
      places("fragment F on User @refetchable(queryName: \"A\", directives: [\"no\"]) { name }")
        == ["\"no\""])
    #expect(
      places(
        "fragment F on User @refetchable(queryName: \"A\", directives: [\"@raw_response_type\"]) { name }"
      )
        == [])
    #expect(
      places(
        "fragment F on User @refetchable(queryName: \"A\") { friends(after: $id) { edges { cursor } } }"
      )
        == ["@refetchable(queryName: \"A\")"])
  }

  @Test("a paginated connection takes its page from variables, is alone, and is not in a list")
  func paging() {
    func fragment(_ selections: String) -> String {
      "fragment F on User @argumentDefinitions(n: {type: \"Int\"}, c: {type: \"String\"}) "
        + "@refetchable(queryName: \"A\") { \(selections) }"
    }
    let good = "friends(first: $n, after: $c) @connection(key: \"F_friends\") { edges { cursor } }"
    #expect(places(fragment(good)) == [])
    #expect(
      places(
        "fragment F on User @refetchable(queryName: \"A\") "
          + "{ friends(first: 3) @connection(key: \"F_friends\") { edges { cursor } } }")
        == ["friends", "first: 3"])
    #expect(places(fragment("groups { \(good) }")) == ["friends"])
    let second =
      "more: friends(first: $n, after: $c) @connection(key: \"F_more\") { edges { cursor } }"
    #expect(places(fragment(good + " " + second)) == ["friends"])
  }
}
