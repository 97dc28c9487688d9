import GraphQLLanguage
import RelayCompiler
import Testing

/// The code blocks of Docs/Reference/Compiler.md agree with the operation documents and the output
/// of the compiler.
@Suite(.timeLimit(.minutes(1))) struct CompilerGuideTests {
  private let guide: GuideBlocks
  private let compilation: Compilation

  init() throws {
    guide = try GuideBlocks("Reference/Compiler.md")
    let documents = guide["graphql"].joined(separator: "\n")
    compilation = Compiler.compile(
      CompilationInput(
        sources: [
          .init(
            path: "Guide.graphql", bytes: ContiguousArray(documents.utf8),
            output: "Guide.graphql.swift")
        ],
        schema: [Source(path: "schema.graphql", bytes: ContiguousArray(Self.schema.utf8))],
        extensions: [
          Source(
            path: "client.graphql",
            bytes: ContiguousArray("extend type Person { draft: String }".utf8))
        ],
        options: EmissionOptions(keyFields: ["Country": ["code"], "Airport": ["country", "code"]]),
        makesManifest: true))
  }

  @Test("the documents of the guide compile")
  func documents() {
    #expect(compilation.diagnostics.map(\.message) == [])
    #expect(guide["graphql"].count == 12)
  }

  @Test("the guide's generated code is the compiler's output")
  func generated() {
    #expect(guide["swift generated"].count == 7)
    guide.expectGenerated(in: compilation.files.map { ($0.name, $0.text) })
  }

  @Test("each text that the guide describes as sent is part of an operation's text")
  func sent() {
    let shown = guide["graphql sent"]
    #expect(shown.count == 8)
    let texts = compilation.manifest.map(\.text)
    for text in shown.map({ $0.split(separator: "\n").joined() }) {
      #expect(texts.contains { $0.contains(text) }, "No operation sends \(text)")
    }
  }

  private static let schema = """
    directive @defer(label: String, if: Boolean) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(label: String, initialCount: Int, if: Boolean) on FIELD
    interface Node { id: ID! }
    interface Animal { name: String! friends: [Animal!]! owner: Person }
    type Dog implements Node & Animal { id: ID! name: String! friends: [Animal!]! owner: Person barks: Boolean! }
    type Cat implements Animal { name: String! friends: [Animal!]! owner: Person lives: Int! }
    type User implements Node {
      id: ID! name: String! image(scale: Float!): String friends(first: Int, after: String): [User!] photos: [Photo!]
    }
    type Photo { url: String! }
    type Person implements Node {
      id: ID! name: String! age: Int bestFriend: Person pets(first: Int): [Animal!] animal: Animal
      friends(first: Int, after: String, last: Int, before: String, by: String): FriendConnection
    }
    type FriendConnection { edges: [FriendEdge!]! pageInfo: PageInfo! }
    type FriendEdge { cursor: String! node: Person! }
    type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
    type Account { nick: String friends: [Person!]! emails: [String] owner: Person @semanticNonNull }
    type Country { code: String! name: String! airports: [Airport!]! }
    type Airport { country: String! code: String! name: String! }
    type Query {
      me: User node(id: ID!): Node animal: Animal person(id: ID!): Person account: Account
      country(code: String!): Country
    }
    type Mutation { adopt: Animal befriend(name: String!): BefriendPayload unfriend(id: ID!): UnfriendPayload }
    type BefriendPayload { edge: FriendEdge }
    type UnfriendPayload { removed: ID }
    """
}
