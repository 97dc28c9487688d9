import Foundation
import GraphQLLanguage
import RelayCompiler
import Testing

/// The claims of `Docs/ComingFromRelay.md` about Relay's directives, each with an accepted and a
/// rejected document.
@Suite("The guide's claims about Relay's directives", .timeLimit(.minutes(1)))
struct RelayClaimsTests {
  struct Claim: CustomTestStringConvertible, Sendable {
    let directive: String
    let accepted: String
    let refused: String
    let rule: String

    init(_ directive: String, accepted: String, refused: String, rule: String) {
      (self.directive, self.accepted, self.refused, self.rule) =
        (directive, accepted, refused, rule)
    }

    var testDescription: String { directive }
  }

  private static let schema = """
    interface Node { id: ID! }
    type User implements Node {
      id: ID! name(length: Int): String nick: String friend: User @semanticNonNull tags: [String]
      friends(first: Int, after: String): Friends
    }
    type Parcel @fetchable(field_name: "number") { number: ID! weight: Float }
    type Letter { number: ID! weight: Float }
    type Friends { edges: [Edge] pageInfo: PageInfo }
    type Edge { cursor: String node: User }
    type PageInfo { endCursor: String hasNextPage: Boolean }
    type Query { me: User users: [User] node(id: ID!): Node fetch__Parcel(number: ID!): Parcel parcel: Parcel }
    type Change { edge: Edge user: User removed: ID }
    type Mutation { change: Change }
    """

  private static let f = "fragment F on User { name } "
  private static let g = """
    fragment G on User @argumentDefinitions(n: {type: "Int", defaultValue: 1}) { name(length: $n) }
     
    """

  private static func handle(_ directive: String, on field: String, not other: String) -> Claim {
    func mutation(_ field: String) -> String {
      let selections = field == "removed" ? "" : field == "edge" ? "{ cursor }" : "{ nick }"
      let declaration = directive.contains("$c") ? "($c: [ID!]!)" : ""
      return "mutation M\(declaration) { change { \(field) \(directive) \(selections) } }"
    }
    return Claim(
      String(directive.prefix { $0 != "(" }), accepted: mutation(field), refused: mutation(other),
      rule: "mutation-directives")
  }

  static let claims: [Claim] = fragments + errors + connections + updates

  private static let fragments = [
    Claim(
      "@argumentDefinitions", accepted: g + "query Q { me { ...G } }",
      refused:
        "fragment G on User @argumentDefinitions(n: {type: \"Int\"}) { name } query Q { me { ...G } }",
      rule: "no-unused-fragment-arguments"),
    Claim(
      "@arguments", accepted: g + "query Q { me { ...G @arguments(n: 2) } }",
      refused: g + "query Q { me { ...G @arguments(m: 2) } }", rule: "known-fragment-arguments"),
    Claim(
      "provider:",
      accepted:
        "fragment G on User @argumentDefinitions(n: {type: \"Int\", provider: \"Length\"}) { name(length: $n) }",
      refused:
        "fragment G on User @argumentDefinitions(n: {type: \"Int\", provider: \"a b\"}) { name(length: $n) }",
      rule: "fragment-argument-definitions"),
    Claim(
      "@relay(mask:, plural:)", accepted: f + "query Q { me { ...F @relay(mask: false) } }",
      refused: f + "query Q { me { ...F @relay(plural: true) } }", rule: "relay-directive"),
    Claim(
      "@inline", accepted: "fragment F on User @inline { name }",
      refused: "fragment F on User @inline { name @required(action: LOG) }",
      rule: "required-directive"),
    Claim(
      "@alias", accepted: f + "query Q { me { ...F @alias(as: \"it\") } }",
      refused: f + "query Q { me { ...F @alias(as: \"1 it\") } }", rule: "alias"),
    Claim(
      "@refetchable", accepted: "fragment F on User @refetchable(queryName: \"FQuery\") { name }",
      refused: "fragment F on Letter @refetchable(queryName: \"FQuery\") { weight }",
      rule: "refetchable-directive"),
    Claim(
      "@fetchable", accepted: "fragment F on Parcel @refetchable(queryName: \"FQuery\") { weight }",
      refused: "fragment F on Edge @refetchable(queryName: \"FQuery\") { cursor }",
      rule: "refetchable-directive"),
    Claim(
      "@raw_response_type", accepted: "query Q @raw_response_type { me { nick } }",
      refused: "query Q { me @raw_response_type { nick } }", rule: "known-directives"),
    Claim(
      "@defer", accepted: f + "query Q { me { ...F @defer } }",
      refused: "query Q { me { ... on User @defer { nick } } }", rule: "defer-directive"),
    Claim(
      "@stream", accepted: "query Q { users @stream(initialCount: 1) { nick } }",
      refused: "query Q { me { nick @stream(initialCount: 1) } }", rule: "stream-directive"),
  ]

  private static let errors = [
    Claim(
      "@required", accepted: "query Q { me { nick @required(action: LOG) } }",
      refused: "query Q { me { nick @required(action: LOG) } again: users { nick } me { nick } }",
      rule: "required-directive"),
    Claim(
      "@catch", accepted: "query Q { me { nick @catch } }",
      refused: "query Q { me { nick @catch @required(action: LOG) } }", rule: "catch-directive"),
    Claim(
      "@throwOnFieldError", accepted: "query Q @throwOnFieldError { me { nick } }",
      refused: "query Q @throwOnFieldError @catch { me { nick } }", rule: "catch-directive"),
    Claim(
      "@semanticNonNull", accepted: "query Q @throwOnFieldError { me { friend { nick } } }",
      refused: "query Q { me { friend @semanticNonNull { nick } } }", rule: "known-directives"),
  ]

  private static let connections = [
    Claim(
      "@connection",
      accepted:
        "query Q { me { friends(first: 1) @connection(key: \"A_friends\") { edges { cursor } } } }",
      refused:
        "query Q { me { friends(first: 1) @connection(key: \"friends\") { edges { cursor } } } }",
      rule: "connection-directive"),
    handle("@appendEdge(connections: $c)", on: "edge", not: "user"),
    handle("@prependEdge(connections: $c)", on: "edge", not: "user"),
    handle("@appendNode(connections: $c, edgeTypeName: \"Edge\")", on: "user", not: "removed"),
    handle("@prependNode(connections: $c, edgeTypeName: \"Edge\")", on: "user", not: "removed"),
    handle("@deleteEdge(connections: $c)", on: "removed", not: "user"),
    handle("@deleteRecord", on: "removed", not: "user"),
  ]

  private static let updates = [
    Claim(
      "@updatable", accepted: "query Q @updatable { me { nick } }",
      refused: "query Q @updatable { me { nick @include(if: true) } }",
      rule: "updatable-definitions"),
    Claim(
      "@assignable", accepted: "fragment F on User @assignable { __typename }",
      refused: "fragment F on User @assignable { nick }", rule: "assignable-fragments"),
  ]

  private func errors(_ document: String) -> [String] {
    Compiler.compile(
      CompilationInput(
        sources: [
          .init(path: "a.graphql", bytes: ContiguousArray(document.utf8), output: "a.swift")
        ],
        schema: [Source(path: "schema.graphql", Self.schema)]
      )
    ).diagnostics.filter { $0.severity == .error }.map(\.rule)
  }

  @Test(
    "a directive is accepted where it is valid, and rejected where it is not", arguments: claims)
  func claim(_ claim: Claim) {
    #expect(errors(claim.accepted) == [])
    #expect(Set(errors(claim.refused)) == [claim.rule])
  }

  @Test(
    "unsupported directives are rejected by name",
    arguments: [
      "@match", "@module(name: \"x\")", "@stream_connection(key: \"A_friends\")", "@preloadable",
      "@live_query", "@no_inline",
    ])
  func refused(directive: String) {
    let name = String(directive.prefix { $0 != "(" })
    let documents = [
      "query Q \(directive) { me { nick } }", "query Q { me \(directive) { nick } }",
      Self.f + "query Q { me { ...F \(directive) } }", "fragment F on User \(directive) { nick }",
    ]
    for document in documents { #expect(errors(document) != [], "\(document)") }
    #expect(guide?.contains("`\(name)`") == true)
  }

  @Test("every directive that the guide claims to support has a case")
  func complete() throws {
    let guide = try #require(guide)
    let rows = guide.split(separator: "\n").filter {
      $0.hasPrefix("| the same | `@") || $0.hasPrefix("| compiled, their")
    }
    #expect(rows.count == 2)
    let claimed = rows.flatMap { row in
      row.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
    #expect(Set(claimed) == Set(Self.claims.map(\.directive)))
  }

  private var guide: String? {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Docs/ComingFromRelay.md")
    return try? String(contentsOf: root.standardizedFileURL, encoding: .utf8)
  }
}
