import Foundation
import GraphQLLanguage
import RelayCompiler
import Testing

/// The claims of `Docs/ComingFromRelay.md` about Relay's transforms and validations, each with
/// accepted documents, an excerpt of the code generated from them, and rejected documents.
@Suite("Relay's transforms and validations", .timeLimit(.minutes(1)))
struct RelayTransformTests {
  struct Claim: CustomTestStringConvertible, Sendable {
    let name: String
    let accepted: String
    /// An excerpt of the code generated from the accepted documents.
    let generated: String
    let refused: String
    let rule: String

    init(
      _ name: String, _ accepted: String, generates generated: String = "", refused: String,
      rule: String
    ) {
      (self.name, self.accepted, self.generated) = (name, accepted, generated)
      (self.refused, self.rule) = (refused, rule)
    }

    var testDescription: String { name }
  }

  private static let schema = """
    directive @once(n: Int) on FIELD
    interface Node { id: ID! }
    interface Named { nick: String }
    type User implements Node & Named {
      id: ID! name(length: Int): String nick: String friend: User at(box: Box): String
      friends(first: Int, after: String): Friends
    }
    type Robot implements Named { nick: String model: String }
    type Letter { weight: Float }
    input Box { n: Int! }
    type Friends { edges: [Edge] pageInfo: PageInfo }
    type Edge { cursor: String node: User }
    type PageInfo { endCursor: String hasNextPage: Boolean }
    type Query { me: User users: [User] named: Named node(id: ID!): Node find(tag: String): User }
    type Change { edge: Edge user: User removed: ID }
    type Mutation { change: Change }
    type Subscription { changed: User other: User }
    """
  private static let client = "extend type User { draft: String }"

  private static let f = "fragment F on User { nick } "
  private static let g =
    "fragment G on User @argumentDefinitions(n: {type: \"Int\"}) { name(length: $n) } "
  private static let provided =
    "fragment P on User @argumentDefinitions(n: {type: \"Int\", provider: \"Length\"}) { name(length: $n) } "
  private static let paged = """
    fragment L on User @refetchable(queryName: "LQuery")
    @argumentDefinitions(n: {type: "Int"}, a: {type: "String"})
    """

  private static func connection(_ arguments: String) -> String {
    "query Q { me { friends(first: 1) @connection(\(arguments)) { edges { node { nick } } } } }"
  }

  static let transforms = [
    Claim(
      "ids", "query Q { me { nick } }", generates: "query Q{me{id nick}}",
      refused: "query Q { me { id: nick } }", rule: "key-alias"),
    Claim(
      "type names", "query Q { named { nick } }", generates: "named{__typename ",
      refused: "query Q { named { __typename: nick } }", rule: "key-alias"),
    Claim(
      "types of abstract conditions", "query Q { named { ... on Node { id } } }",
      generates: "...on Node{__isNode:__typename id}",
      refused: "query Q { named { ... on Friends { pageInfo { endCursor } } } }",
      rule: "possible-fragment-spreads"),
    Claim(
      "spreads on narrower types",
      "query Q { named { ...R } } fragment R on Robot { model }", generates: "...on Robot{...R}",
      refused: "query Q { me { ...R } } fragment R on Robot { model }",
      rule: "possible-fragment-spreads"),
    Claim(
      "fragment arguments", g + "query Q { me { ...G @arguments(n: 2) } }",
      generates: "on User{name(length:2)}",
      refused: g + "query Q { me { ...G @arguments(n: \"a\") } }",
      rule: "values-of-correct-type"),
    Claim(
      "provided variables", provided + "query Q { me { ...P } }",
      generates: "query Q($__relay_internal__pv__Length:Int){",
      refused: provided + "query Q { me { ...P @arguments(n: 1) } }",
      rule: "known-fragment-arguments"),
    Claim(
      "unmasked fragments", g + "query Q { me { ...G @relay(mask: false) @arguments(n: 2) } }",
      generates: "query Q{me{id name(length:2)}}",
      refused: "fragment V on User { name(length: $n) } "
        + "query Q($n: Int) { me { ...W } users { ...V } } fragment W on User "
        + "@argumentDefinitions(n: {type: \"Int\"}) { friends(first: $n) { edges { cursor } } ...V @relay(mask: false) }",
      rule: "unmasked-variables"),
    Claim(
      "conditions that never hold", "query Q { me { name @include(if: false) nick } }",
      generates: "query Q{me{id nick}}", refused: "query Q { me { nick @include(if: \"no\") } }",
      rule: "values-of-correct-type"),
    Claim(
      "merged selections", "query Q { me { nick nick friend { nick } friend { name } } }",
      generates: "query Q{me{id nick friend{id nick name}}}",
      refused: "query Q { me { nick nick: name } }", rule: "overlapping-fields-can-be-merged"),
    Claim(
      "client fields", "query Q { me { draft nick } }", generates: "query Q{me{id nick}}",
      refused: "query Q { me { drafft nick } }", rule: "fields-on-correct-type"),
    Claim(
      "pages of connections", connection("key: \"A_friends\""),
      generates: "edges{node{id nick __typename} cursor} pageInfo{endCursor hasNextPage}",
      refused:
        "query Q { me { friends(first: 1) @connection(key: \"A_friends\") { pageInfo { endCursor } } } }",
      rule: "connection-directive"),
    Claim(
      "handles of mutations",
      "mutation M($c: [ID!]!) { change { edge @appendEdge(connections: $c) { cursor } } }",
      generates: "mutation M{change{edge{cursor}}}",
      refused: "mutation M { change { edge @appendEdge(connections: []) { cursor } } }",
      rule: "mutation-directives"),
    Claim(
      "refetch queries", "fragment F on User @refetchable(queryName: \"Again\") { nick }",
      generates: "query Again($id:ID!){node(id:$id){__typename id ...on User{...F}}}",
      refused: "fragment F on Letter @refetchable(queryName: \"Again\") { weight }",
      rule: "refetchable-directive"),
    Claim(
      "labels of parts", f + "query Q { me { ...F @defer } }", generates: "Q$defer$F",
      refused: f
        + "query Q { me { ...F @defer(label: \"a\") friend { ...F @defer(label: \"a\") } } }",
      rule: "defer-directive"),
    Claim(
      "required fields", "query Q { me { nick @required(action: NONE) } }",
      generates: "public var nick: String {",
      refused: "query Q { me { nick @required(action: NONE) nick } }", rule: "required-directive"),
    Claim(
      "raw responses", "mutation M { change { user { ...F } } } " + f,
      generates: "struct RawResponse",
      refused: "mutation M { change @raw_response_type { removed } }", rule: "known-directives"),
    Claim(
      "literal nulls", "query Q { find(tag: null) { nick } }", generates: "find(tag:null)",
      refused: "query Q { node(id: null) { id } }", rule: "values-of-correct-type"),
  ]

  static let validations = [
    Claim(
      "unused variables", "query Q($n: Int) { me { name(length: $n) } }",
      refused: "query Q($n: Int) { me { nick } }", rule: "no-unused-variables"),
    Claim(
      "variables of the operation in fragments",
      "fragment V on User { name(length: $n) } query Q($n: Int) { me { ...V } }",
      refused: "fragment V on User { name(length: $n) } query Q { me { ...V } }",
      rule: "no-undefined-variables"),
    Claim(
      "types of variables", "query Q($n: Int!) { me { name(length: $n) } }",
      refused: "query Q($n: String) { me { name(length: $n) } }",
      rule: "variables-in-allowed-position"),
    Claim(
      "fragment cycles", f + "fragment H on User { friend { ...F } }",
      refused: "fragment F on User { friend { ...H } } fragment H on User { friend { ...F } }",
      rule: "no-fragment-cycles"),
    Claim(
      "required arguments", "query Q { node(id: 1) { id } }", refused: "query Q { node { id } }",
      rule: "provided-required-arguments"),
    Claim(
      "unknown arguments", "query Q { me { name(length: 1) } }",
      refused: "query Q { me { nick(length: 1) } }", rule: "known-argument-names"),
    Claim(
      "input objects", "query Q { me { at(box: {n: 1}) } }",
      refused: "query Q { me { at(box: {n: 1, m: 2}) } }", rule: "values-of-correct-type"),
    Claim(
      "default values", "query Q($box: Box = {n: 1}) { me { at(box: $box) } }",
      refused: "query Q($box: Box = {n: \"a\"}) { me { at(box: $box) } }",
      rule: "values-of-correct-type"),
    Claim(
      "overlapping fields between fragments", f + "query Q { me { ...F other: name } }",
      refused: f + "query Q { me { ...F nick: name } }", rule: "overlapping-fields-can-be-merged"),
    Claim(
      "one root field of a subscription", "subscription S { changed { nick } }",
      refused: "subscription S { changed { nick } other { nick } }",
      rule: "single-field-subscriptions"),
    Claim(
      "names of operations", "query A { me { nick } } query B { me { nick } }",
      refused: "query { me { nick } }", rule: "named-operations"),
    Claim(
      "names that differ", "query A { me { nick } } mutation B { change { removed } }",
      refused: "query A { me { nick } } mutation A { change { removed } }",
      rule: "unique-operation-names"),
    Claim(
      "names that differ in Swift",
      "fragment issue on User { nick } fragment issues on User { nick }",
      refused: "fragment issue on User { nick } fragment Issue on User { nick }",
      rule: "swift-names"),
    Claim(
      "directives of one response key",
      "query Q { me { nick @once(n: 1) other: nick @once(n: 2) } }",
      refused: "query Q { me { nick @once(n: 1) nick @once(n: 2) } }",
      rule: "overlapping-fields-can-be-merged"),
    Claim(
      "keys of one connection",
      connection("key: \"A_friends\"")
        .replacing(
          "nick }", with: "friends(first: 1) @connection(key: \"B_friends\") { edges { cursor } } }"
        ),
      refused: connection("key: \"A_friends\"")
        .replacing(
          "me {",
          with: "me { friends(first: 1) @connection(key: \"B_friends\") { edges { cursor } }"),
      rule: "overlapping-fields-can-be-merged"),
    Claim(
      "one connection of a refetchable fragment",
      paged
        + "{ friends(first: $n, after: $a) @connection(key: \"L_friends\") { edges { cursor } } }",
      refused: paged
        + "{ friends(first: $n, after: $a) @connection(key: \"L_friends\") { edges { cursor } } "
        + "friend { friends(first: $n, after: $a) @connection(key: \"M_friends\") { edges { cursor } } } }",
      rule: "refetchable-directive"),
    Claim(
      "handlers of connections", connection("key: \"A_friends\", filters: []"),
      refused: connection("key: \"A_friends\", handler: \"mine\""), rule: "connection-directive"),
    Claim(
      "deferred spreads", f + "query Q { me { ...F @defer } }",
      refused: "query Q { me { ... @defer { nick } } }", rule: "defer-directive"),
    Claim(
      "@catch beside @required",
      "query Q { me { nick @catch friend { nick @required(action: LOG) } } }",
      refused: "query Q { me { nick @catch @required(action: LOG) } }", rule: "catch-directive"),
    Claim(
      "plural fragments",
      "fragment F on User @relay(plural: true) { nick } query Q { users { ...F } }",
      refused: f + "query Q { users { ...F @relay(plural: true) } }", rule: "relay-directive"),
  ]

  private func compile(_ document: String) -> (rules: [String], text: String) {
    let compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)],
        extensions: [Source(path: "client.graphql", Self.client)]))
    return (
      compilation.diagnostics.filter { $0.severity == .error }.map(\.rule),
      compilation.files.first?.text ?? ""
    )
  }

  @Test(
    "a valid document is transformed, and an invalid one is rejected",
    arguments: transforms + validations)
  func claim(_ claim: Claim) {
    let accepted = compile(claim.accepted)
    #expect(accepted.rules == [])
    #expect(
      claim.generated.isEmpty || accepted.text.contains(claim.generated), "\(accepted.text)")
    #expect(Set(compile(claim.refused).rules) == [claim.rule])
  }

  @Test("every transform and validation that the guide claims to support has a case")
  func complete() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Docs/ComingFromRelay.md").standardizedFileURL
    let guide = try String(contentsOf: url, encoding: .utf8)
    for (row, claims) in [("transforms", Self.transforms), ("validations", Self.validations)] {
      let line = guide.split(separator: "\n").first { $0.hasPrefix("| \(row) | ") }
      let names = try #require(line).dropFirst("| \(row) | ".count).dropLast(" |".count)
      #expect(
        names.replacing("`", with: "").split(separator: "; ").map(String.init)
          == claims.map(\.name))
    }
  }
}
