import GraphQLLanguage
import RelayCompiler
import Testing

@Suite("Elements that are never stored", .timeLimit(.minutes(1)))
struct PrivateElementTests {
  private static let schema = """
    scalar Secret @noPersist
    scalar Date
    interface Node { id: ID! note: String }
    type User implements Node { id: ID! note: String email: String @noPersist name: String pin: Secret }
    type Group implements Node { id: ID! note: String name: String members(token: String @noPersist): Members }
    type Members { edges: [Edge] pageInfo: PageInfo! }
    type Edge { cursor: String! node: User }
    type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
    type Session @noPersist { id: ID! expires: Date }
    union Thing = Session | Group
    input Login { name: String password: String @noPersist }
    input Outermost { outer: Outer }
    input Outer { logins: [Login!] }
    input Token @noPersist { text: String }
    input Plain { name: String }
    type Query { me: User group: Group node: Node thing: Thing session: Session }
    type Mutation { logIn(input: Login): User outer(outer: Outer): User plain(plain: Plain): User outermost(outer: Outermost): User
      redeem(token: Token): User }
    """

  private func compile(_ text: String, _ coordinates: [String] = []) -> Compilation {
    var options = EmissionOptions()
    options.privateElements = coordinates
    return Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(text.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)], options: options))
  }

  /// The prefix of the operation's normalization plan.
  private func prefix(_ text: String, _ coordinates: [String] = []) -> String? {
    let plan = compile(text, coordinates).files.first?.text.onOneLine.split(
      separator: "normalization: ", maxSplits: 1
    ).last?.split(separator: "\"", maxSplits: 1, omittingEmptySubsequences: false).last
    guard let plan, plan.hasPrefix("-") else { return plan == nil ? nil : "" }
    return String(plan.dropFirst().prefix { $0 != " " })
  }

  @Test(
    "the plan begins with the private elements that the operation can write",
    arguments: [
      ("query Q { me { name } }", ""),
      ("query Q { me { email } }", "User.email"),
      ("query Q { me { mail: email } }", "User.email"),
      ("query Q { me { ...F } } fragment F on User { email }", "User.email"),
      ("query Q { me { pin } }", "User.pin"),
      ("query Q { node { ... on User { email } } }", "User.email"),
      ("query Q { session { expires } }", "Session"),
      ("query Q { thing { __typename } }", "Session"),
      ("query Q { group { members { edges { cursor } } } }", ""),
      ("query Q { group { members(token: \"a\") { edges { cursor } } } }", "$,Group.members"),
      ("mutation M($i: Login) { logIn(input: $i) { name } }", "$,Mutation.logIn"),
      ("mutation M($o: Outer) { outer(outer: $o) { name } }", "$,Mutation.outer"),
      ("mutation M($p: String) { logIn(input: {password: $p}) { name } }", "$,Mutation.logIn"),
      ("mutation M($p: Plain) { plain(plain: $p) { name } }", ""),
      ("mutation M($o: Outermost) { outermost(outer: $o) { name } }", "$,Mutation.outermost"),
      ("mutation M($t: Token) { redeem(token: $t) { name } }", "$,Mutation.redeem"),
    ])
  func elements(text: String, expected: String) {
    #expect(prefix(text) == expected)
  }

  @Test(
    "the configuration names elements of a schema that one does not own",
    arguments: [
      ("User.name", "query Q { node { ... on User { name } } }", "User.name"),
      ("Node.note", "query Q { node { note } }", "*.note,Group.note,User.note"),
      ("Query.me", "query Q { me { name } }", "Query.me,__Root.me"),
      ("Node.note", "query Q { me { note } }", "User.note"),
      ("User.note", "query Q { node { note } }", "User.note"),
      ("Node", "query Q { group { id } }", "Group"),
      ("Thing", "query Q { thing { ... on Group { name } } }", "Group,Session"),
      ("Date", "query Q { thing { ... on Group { name } } }", "Session"),
      ("Plain", "mutation M($p: Plain) { plain(plain: $p) { name } }", "$,Mutation.plain"),
      ("Plain.name", "mutation M($p: Plain) { plain(plain: $p) { name } }", "$,Mutation.plain"),
      (
        "Mutation.plain(plain:)", "mutation M($p: Plain) { plain(plain: $p) { name } }",
        "$,Mutation.plain"
      ),
      ("Mutation.plain(plain:)", "mutation M { plain { name } }", ""),
    ])
  func coordinates(coordinate: String, text: String, expected: String) {
    let compilation = compile(text, [coordinate])
    #expect(compilation.diagnostics.isEmpty)
    #expect(prefix(text, [coordinate]) == expected)
  }

  @Test("a client-only field is private, selected by the operation or by a fragment")
  func clientFields() {
    for text in [
      "query Q { me { pin2 } }", "query Q { me { ...F } } fragment F on User { pin2 }",
    ] {
      let compilation = Compiler.compile(
        CompilationInput(
          sources: [
            .init(path: "a.graphql", bytes: ContiguousArray(text.utf8), output: "a.swift")
          ],
          schema: [Source(path: "schema.graphql", Self.schema)],
          extensions: [
            Source(path: "client.graphql", "extend type User { pin2: String @noPersist }")
          ]))
      #expect(compilation.diagnostics.isEmpty)
      #expect(compilation.files.first?.text.onOneLine.contains("\"-User.pin2 Query{") == true)
    }
  }

  @Test("the record of a private connection is private")
  func connections() {
    let text = """
      query Q($t: String) { group { members(first: 1, token: $t) @connection(key: "Q_members") {
      edges { node { name } } } } }
      """
    let schema = Self.schema.replacing(
      "members(token", with: "members(first: Int, after: String, token")
    var options = EmissionOptions()
    options.privateElements = ["Group.members"]
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(text.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", schema)], options: options))
    #expect(
      compilation.files.first?.text.onOneLine.contains(
        "\"-$,Group.__Q_members_connection,Group.members ")
        == false)
    #expect(
      compilation.files.first?.text.onOneLine.contains(
        "\"-Group.__Q_members_connection,Group.members ")
        == true)
  }

  @Test("an updatable definition has the elements that an updater can write")
  func updatable() {
    let text = "fragment F on User @updatable { email name }"
    #expect(
      compile(text).files.first?.text.onOneLine.contains("SelectionPlan(\"-User.email F User{")
        == true)
    let reading = "fragment F on User { email name }"
    #expect(
      compile(reading).files.first?.text.onOneLine.contains("SelectionPlan(\"F User{") == true)
  }

  @Test("a mutation with private elements has the protocol that keeps it out of the outbox")
  func mutations() {
    let login = compile("mutation M($i: Login) { logIn(input: $i) { name } }")
    #expect(login.files.first?.text.contains("Mutation: GraphQLMutating, Hashable") == true)
    let plain = compile("mutation M($p: Plain) { plain(plain: $p) { name } }")
    #expect(plain.files.first?.text.contains("Mutation: GraphQLMutation, Hashable") == true)
  }

  @Test(
    "an unknown coordinate is an error with a suggestion",
    arguments: [
      ("Usr", "User"), ("User.emial", "email"), ("Login.pasword", "password"),
      ("Group.members(tken:)", nil), ("User.", nil), ("User.email.x", nil), ("", nil), (".", nil),
    ] as [(String, String?)])
  func unknown(coordinate: String, suggestion: String?) {
    let diagnostics = compile("query Q { me { name } }", [coordinate]).diagnostics
    #expect(diagnostics.map(\.rule) == ["no-persist"])
    #expect(diagnostics.first?.message.contains("\"\(coordinate)\"") == true)
    if let suggestion { #expect(diagnostics.first?.help?.contains(suggestion) == true) }
  }
}
