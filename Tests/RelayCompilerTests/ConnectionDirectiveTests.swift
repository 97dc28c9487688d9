import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("@connection, mutation directives, @defer and @stream", .timeLimit(.minutes(1)))
struct ConnectionDirectiveTests {
  private static let schema = """
    interface Node { id: ID! }
    type User implements Node {
      id: ID! name: String
      friends(first: Int, after: String, last: Int, before: String, orderBy: String): Friends
      all: Friends list(first: Int): [User] bare(first: Int): Bare
    }
    type Friends { edges: [Edge] pageInfo: PageInfo }
    type Edge { cursor: String node: User }
    type Bare { edges: [BareEdge] pageInfo: PageInfo }
    type BareEdge { node: User }
    type PageInfo { endCursor: String hasNextPage: Boolean startCursor: String }
    type Query { me: User users: [User] node(id: ID!): Node }
    type Payload { edge: Edge user: User name: String id: ID }
    type Mutation { add: Payload }
    type Subscription { changed: User }
    """

  private func compile(_ document: String) -> Compilation {
    Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)]))
  }

  /// The diagnostics of a document: for each one the rule, and the source at its location.
  private func problems(_ document: String) -> [String] {
    compile(document).diagnostics.map { diagnostic in
      let span = diagnostic.locations[0]
      let bytes = Array(document.utf8)[Int(span.start)..<Int(span.end)]
      return diagnostic.rule + " " + String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Declares those variables from `all` that a document uses.
  private func variables(_ text: String, _ all: [String]) -> String {
    let used = all.filter { text.contains("$" + $0.prefix(1)) }
    return used.isEmpty ? "" : "(" + used.map { "$" + $0 }.joined(separator: ", ") + ")"
  }

  private func connection(_ field: String) -> [String] {
    problems("query Q\(variables(field, ["a: String", "k: String!"])) { me { \(field) } }")
      .map { $0.replacing("connection-directive ", with: "") }
  }

  @Test("a connection's key is a name followed by the response key of its field")
  func key() {
    #expect(
      connection("friends(first: 1) @connection(key: \"A_friends\") { edges { cursor } }") == [])
    #expect(
      connection("fs: friends(first: 1) @connection(key: \"A_friends\") { edges { cursor } }")
        == ["\"A_friends\""])
    #expect(
      connection("friends(first: 1) @connection(key: \"_friends\") { edges { cursor } }")
        == ["\"_friends\""])
    #expect(
      connection("friends(first: 1) @connection(key: \"A(b)_friends\") { edges { cursor } }")
        == ["\"A(b)_friends\""])
    #expect(
      connection("friends(first: 1) @connection(key: \"1_friends\") { edges { cursor } }")
        == ["\"1_friends\""])
    #expect(connection("friends(first: 1) @connection(key: $k) { edges { cursor } }") == ["$k"])
  }

  @Test("two selections of one field have the same connection key")
  func oneKey() {
    let rule = "overlapping-fields-can-be-merged "
    func field(_ key: String) -> String {
      "friends(first: 1) @connection(key: \"\(key)\") { edges { cursor } }"
    }
    func fragment(_ key: String) -> String {
      "fragment \(key) on User { \(field("\(key)_friends")) }"
    }
    #expect(problems("query Q { me { \(field("A_friends")) \(field("A_friends")) } }") == [])
    #expect(
      problems("query Q { me { \(field("A_friends")) \(field("B_friends")) } }") == [rule + "Q"])
    let fragments = fragment("A") + fragment("B")
    #expect(problems("query Q { me { ...A ...B } } " + fragments) == [])
    #expect(
      problems("query Q { me { ...A @relay(mask: false) ...B @relay(mask: false) } } " + fragments)
        == [rule + "Q"])
  }

  @Test("a connection needs a page size, edges, and a connection type")
  func shape() {
    let key = "@connection(key: \"A_friends\")"
    #expect(connection("friends(after: $a) \(key) { edges { cursor } }") == ["friends"])
    #expect(connection("friends(first: 1) \(key) { pageInfo { endCursor } }") == ["friends"])
    #expect(connection("friends(last: 1) \(key) { edges { cursor } }") == [key])
    #expect(
      connection("list(first: 1) @connection(key: \"A_list\") { name }")
        == ["@connection(key: \"A_list\")"])
    #expect(
      connection("bare(first: 1) @connection(key: \"A_bare\") { edges { node { name } } }")
        == ["@connection(key: \"A_bare\")"])
  }

  @Test("a connection's edges may have an alias")
  func aliasedEdges() {
    let key = "@connection(key: \"A_friends\")"
    #expect(connection("friends(first: 1) \(key) { links: edges { cursor } }") == [])
    #expect(connection("friends(first: 1) \(key) { edges: pageInfo { endCursor } }") == ["friends"])
  }

  @Test("a connection's filters are arguments of its field, paging arguments included")
  func filters() {
    func filters(_ text: String) -> [String] {
      connection(
        "friends(first: 1) @connection(key: \"A_friends\", \(text)) { edges { cursor } }")
    }
    #expect(filters("filters: [\"orderBy\"]") == [])
    #expect(filters("filters: [\"orderby\", \"first\"]") == ["\"orderby\""])
    #expect(filters("filters: [\"first\", \"after\", \"orderBy\"]") == [])
    #expect(filters("filters: [$a]") == ["$a"])
    #expect(filters("dynamicKey_UNSTABLE: \"x\"") == ["dynamicKey_UNSTABLE: \"x\""])
    #expect(filters("handler: \"x\"") == ["handler: \"x\""])
  }

  private func mutation(_ field: String) -> [String] {
    problems("mutation M\(variables(field, ["c: [ID!]!", "t: String!"])) { add { \(field) } }")
      .map { $0.replacing("mutation-directives ", with: "") }
  }

  @Test("mutation directives are checked against the type of their field")
  func mutations() {
    #expect(mutation("edge @appendEdge(connections: $c) { cursor }") == [])
    #expect(
      mutation("user @appendEdge(connections: $c) { name }") == ["@appendEdge(connections: $c)"])
    #expect(mutation("id @deleteRecord") == [])
    #expect(mutation("name @deleteRecord") == ["@deleteRecord"])
    #expect(
      mutation("user @deleteEdge(connections: $c) { id }") == ["@deleteEdge(connections: $c)"])
    #expect(mutation("edge @prependEdge(connections: []) { cursor }") == ["[]"])
    #expect(
      mutation("user @appendNode(connections: $c, edgeTypeName: \"Edgy\") { id }") == ["\"Edgy\""])
    #expect(mutation("user @appendNode(connections: $c, edgeTypeName: $t) { id }") == [])
    #expect(
      problems(
        "mutation M($c: [ID!]!, $t: Int) { add { user @prependNode(connections: $c, edgeTypeName: $t) { id } } }"
      ) == ["variables-in-allowed-position $t: Int"])
    #expect(
      mutation("edge @appendEdge(connections: $c) @prependEdge(connections: $c) { cursor }")
        == ["@prependEdge(connections: $c)"])
  }

  @Test("@deleteEdge of an object that is added to connections is dropped, with a warning")
  func droppedDeletion() {
    for directives in [
      "@deleteEdge(connections: $c) @appendNode(connections: $c, edgeTypeName: $t)",
      "@prependNode(connections: $c, edgeTypeName: $t) @deleteEdge(connections: $c)",
    ] {
      let compilation = compile(
        "mutation M($c: [ID!]!, $t: String!) { add { user \(directives) { id } } }")
      #expect(compilation.diagnostics.map(\.severity) == [.warning])
      #expect(compilation.diagnostics.map(\.rule) == ["mutation-directives"])
      let plan = compilation.files.first?.text ?? ""
      #expect(plan.contains("pendNode") && !plan.contains("deleteEdge"))
    }
  }

  @Test(
    "labels are unique literals, @defer is for spreads, and @stream is for lists")
  func labels() {
    let fragment = "fragment F on User { name }"
    func rules(_ text: String) -> [String] {
      problems("query Q($l: String) { \(text) } \(fragment)")
    }
    #expect(rules("me { ...F @defer } users @stream { id ...F @include(if: true) }").count == 1)
    #expect(
      problems(
        "query Q { me { ...F @defer friends(first: 1) { edges { node { ...F @defer } } } } } \(fragment)"
      )
        == ["defer-directive @defer"])
    #expect(
      problems("query Q($l: String) { me { ...F @defer(label: $l) } } \(fragment)")
        == ["defer-directive $l"])
    #expect(problems("query Q { me { ... on User @defer { id } } }") == ["defer-directive @defer"])
    #expect(problems("query Q { me { id @stream } }") == ["stream-directive @stream"])
  }

  @Test("@defer is refused where there is no reference to what arrives later")
  func deferWithoutReference() {
    let fragments = "fragment F on User { name } fragment G on User { ...F @defer }"
    func rules(_ selections: String) -> [String] {
      problems("query Q($l: Boolean!) { me { \(selections) } } \(fragments)")
    }
    let refused = ["defer-directive @defer(if: $l)"]
    #expect(rules("...F @relay(mask: false) @defer(if: $l)") == refused)
    #expect(rules("...F @defer(if: $l) @relay(mask: false)") == refused)
    #expect(rules("... @defer(if: $l) { id }") == refused)
    #expect(rules("... on Node { ... on User @defer(if: $l) { id ...F @defer } }") == refused)
    let several = "...F @relay(mask: false) @defer ... @defer { ... on User @defer { id } }"
    #expect(rules(several + " id @include(if: $l)").count == 3)
    #expect(rules("...F @relay(mask: true) @defer(if: $l)") == [])
    #expect(problems("query Q { me { ...G @relay(mask: false) } } \(fragments)") == [])
  }

  @Test(
    "parts of a subscription's events are reported, in the fragments that it spreads as well",
    arguments: [
      (
        "subscription S { changed { id ...F @defer } } fragment F on User { name }",
        ["defer-directive @defer"]
      ),
      (
        "subscription S { changed { list @stream(initialCount: 1) { id } } }",
        ["stream-directive @stream(initialCount: 1)"]
      ),
      (
        """
        subscription S { changed { ...F } } subscription T { changed { ...F ...F } }
        query Q { me { ...F } } fragment F on User { ...G } fragment G on User { ...H @defer }
        fragment H on User { name }
        """, ["defer-directive @defer"]
      ),
      ("subscription S { changed { id ...F @defer(if: false) } } fragment F on User { name }", []),
      (
        "subscription S($a: Boolean!) { changed { id ...F @defer(if: $a) } } fragment F on User { name }",
        []
      ),
    ])
  func subscriptionParts(_ document: String, _ expected: [String]) {
    #expect(problems(document) == expected)
  }

  @Test("a deferred spread of an inline fragment, and a negative initial count are reported")
  func refusedParts() {
    #expect(
      problems("query Q { me { ...F @defer } } fragment F on User @inline { name }")
        == ["defer-directive @defer"])
    #expect(
      problems("query Q { me { list @stream(initialCount: -1) { id } } }")
        == ["stream-directive @stream(initialCount: -1)"])
    #expect(
      problems("query Q { me { list @stream(initial_count: -1) { id } } }")
        == ["stream-directive @stream(initial_count: -1)"])
    #expect(problems("query Q { me { list @stream(initialCount: 0) { id } } }") == [])
  }

  @Test("a deferred unmasked spread is reported with the way out")
  func deferredUnmasked() {
    let document = "query Q { me { ...F @relay(mask: false) @defer } } fragment F on User { name }"
    let diagnostics = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)])
    ).diagnostics
    #expect(
      diagnostics.map(\.message) == [
        "@defer is not supported on an unmasked spread: the fields of \"F\" are read with the "
          + "enclosing object."
      ])
    #expect(diagnostics.map(\.help) == ["Remove @relay(mask: false), or @defer."])
    #expect(diagnostics.flatMap(\.labels).map(\.text) == ["unmasked here"])
  }

  @Test("@match and @module are reported as unsupported")
  func match() {
    #expect(
      problems("query Q { me @match { ...F @module(name: \"x\") } } fragment F on User { name }")
        == ["unsupported-directive @match", "unsupported-directive @module(name: \"x\")"])
  }
}
