import Foundation
import GraphQLLanguage
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("Completions with snippets and of directives", .timeLimit(.minutes(1)))
struct CompletionSnippetTests {
  private static let schema = """
    directive @many(n: Int!) repeatable on FIELD
    directive @once on FIELD | FRAGMENT_SPREAD
    type Query { node(id: ID!): Node me: User users(first: Int): [User!]! }
    type Mutation { add(name: String!, note: String): Added }
    interface Node { id: ID! }
    type Added { edge: UserEdge user: User deleted: ID name: String }
    type Plain { a: Int }
    type User implements Node {
      id: ID! name: String plain: Plain tags: [String] count(unit: Unit! = KM): Int
      friends(first: Int, after: String): UserConnection
      rename(to: String!, note: String): String
    }
    enum Unit { KM }
    type UserConnection { edges: [UserEdge] pageInfo: PageInfo! }
    type UserEdge { node: User cursor: String! }
    type PageInfo { endCursor: String hasNextPage: Boolean! }
    """

  private func project(_ text: String, path: String = "A.graphql") -> LanguageProject {
    LanguageProject(
      [
        path: text,
        "F.graphql":
          "fragment F_user on User @argumentDefinitions(size: {type: \"Int!\"}, n: {type: \"Int\"}) { id }",
        "G.graphql": "fragment G_user on User { id }",
      ], schema: Self.schema)
  }

  private func snippet(_ label: String, _ text: String, path: String = "A.graphql") -> String? {
    let items = project(text, path: path).items
    return items.first { $0.label == label }.map { $0.snippet?.text ?? $0.label }
  }

  // MARK: Snippets

  @Test(
    "a field has its required arguments and braces, unless they follow",
    arguments: [
      ("node", "{ ‸ }", "node(id: ${1:\\$id}) { $0 }"), ("me", "{ ‸", "me { $0 }"),
      ("users", "{ us‸ }", "users { $0 }"), ("me", "{ m‸ { id } }", "me"),
      ("node", "{ no‸(id: 1) { id } }", "node"),
      ("node", "{ no‸ { id } }", "node(id: ${1:\\$id})"),
      ("node", "{ no‸ @include(if: true) { id } }", "node(id: ${1:\\$id})"),
      ("node", "{ no‸: me { id } }", "node"), ("name", "{ me { ‸ } }", "name"),
      ("count", "{ me { ‸ } }", "count"), ("rename", "{ me { ‸ } }", "rename(to: ${1:\\$to})"),
      ("add", "mutation M { ‸ }", "add(name: ${1:\\$name}) { $0 }"),
      ("__typename", "{ ‸ }", "__typename"),
    ])
  func fields(label: String, text: String, expected: String) {
    #expect(snippet(label, text) == expected)
  }

  @Test(
    "arguments, spreads and directives stop where values go",
    arguments: [
      ("first", "{ users(‸) { id } }", "first: $0"), ("first", "{ users(fi‸: 1) { id } }", "first"),
      ("F_user", "{ me { ...‸ } }", "F_user @arguments(size: ${1:\\$size})"),
      ("F_user", "{ me { ...‸ @arguments(size: 1) } }", "F_user"),
      ("G_user", "{ me { ...‸ } }", "G_user"), ("include", "{ me @‸ }", "include(if: $1)"),
      ("include", "{ me @‸(if: true) }", "include"), ("once", "{ me @‸ }", "once"),
      ("required", "{ me { name @‸ } }", "required(action: ${1|NONE,LOG,THROW|})"),
      ("many", "{ me @‸ }", "many(n: $1)"),
      ("size", "{ me { ...F_user @arguments(‸) } }", "size: $0"),
      ("arguments", "{ me { ...F_user @‸ } }", "arguments(size: ${1:\\$size})"),
      (
        "argumentDefinitions", "fragment X on User @‸ { id }", "argumentDefinitions($0)"
      ),
      (
        "connection", "fragment Feed_user on User { all: friends @‸ }",
        "connection(key: \"${1:Feed_user_all}\")"
      ),
      (
        "refetchable", "fragment Feed_user on User @‸ { id }",
        "refetchable(queryName: \"${1:FeedRefetchQuery}\")"
      ),
      (
        "appendEdge", "mutation M { add(name: \"\") { edge @‸ } }",
        "appendEdge(connections: ${1:\\$connections})"
      ),
    ])
  func otherNames(label: String, text: String, expected: String) {
    #expect(snippet(label, text) == expected)
  }

  @Test("quotes are spelled as in the enclosing Swift literal")
  func quotes() {
    func connection(_ open: String, _ close: String) -> String? {
      snippet(
        "connection", "let a = graphql(\(open)fragment F on User { friends @‸ }\(close))",
        path: "A.swift")
    }
    #expect(connection("\"", "\"") == #"connection(key: \\"${1:F_friends}\\")"#)
    #expect(connection("#\"", "\"#") == "connection(key: \"${1:F_friends}\")")
    #expect(connection("\"\"\"\n", "\n\"\"\"") == "connection(key: \"${1:F_friends}\")")
  }

  @Test("an editor without snippets gets names, one with snippets gets the format")
  func request() throws {
    let text = "{ me { id } }"
    let project = try TemporaryProject(["schema.graphql": Self.schema, "src/A.graphql": text])
    let uri = project.uri("src/A.graphql")
    func item(_ capabilities: JSON) -> JSON? {
      var editor = EditorSession(project.folder, capabilities: capabilities)
      editor.open(uri, text)
      let answer = editor.request("textDocument/completion", project.place(uri, 0, 1))["result"]
      return answer?["items"]?.items.first { $0["label"] == "node" }
    }
    let plain = item([:])
    #expect(plain?["textEdit"]?["newText"] == "node" && plain?["insertTextFormat"] == nil)
    let snippet = item([
      "textDocument": ["completion": ["completionItem": ["snippetSupport": true]]]
    ])
    #expect(snippet?["textEdit"]?["newText"] == "node(id: ${1:\\$id}) { $0 }")
    #expect(snippet?["insertTextFormat"] == 2 && snippet?["filterText"] == "node")
  }

  @Test(
    "the documentation of a directive is Markdown if the editor takes it",
    arguments: [([], "plaintext"), (["markdown"], "markdown"), (["plaintext"], "plaintext")])
  func documentation(formats: [String], kind: String) throws {
    let text = "{ me @include(if: true) { id } }"
    let project = try TemporaryProject(["schema.graphql": Self.schema, "src/A.graphql": text])
    let uri = project.uri("src/A.graphql")
    let item: JSON =
      formats.isEmpty ? [:] : ["documentationFormat": .list(formats.map(JSON.string))]
    var editor = EditorSession(
      project.folder, capabilities: ["textDocument": ["completion": ["completionItem": item]]])
    editor.open(uri, text)
    let answer = editor.request("textDocument/completion", project.place(uri, 0, 6))["result"]
    let found = answer?["items"]?.items.first { $0["label"] == "catch" }
    #expect(found?["documentation"]?["kind"]?.text == kind)
    #expect(found?["documentation"]?["value"]?.text?.isEmpty == false)
  }

  @Test("every directive of Relay that documents may use is documented")
  func descriptions() {
    let schema = LanguageProject([:]).session.schema.schema
    for directive in RelayDirectives.directives(for: schema)
    where directive.locations.contains(where: \.isExecutable) {
      let name = schema.symbols[directive.symbol]
      #expect(
        (directive.description == nil) == (ClientDirectives.refusal(of: name) != nil), "\(name)")
    }
  }

  // MARK: Directives

  @Test(
    "a directive is offered where its type and location allow it",
    arguments: [
      ("stream", "{ users @‸ }", true), ("stream", "{ me { tags @‸ } }", true),
      ("stream", "{ me @‸ }", false), ("connection", "{ me { friends @‸ } }", true),
      ("connection", "{ users @‸ }", false), ("connection", "{ me { plain @‸ } }", false),
      ("required", "{ me @‸ }", true), ("required", "{ me { id @‸ } }", false),
      ("required", "{ me { ...G_user @‸ } }", false), ("required", "query Q @‸ { me }", false),
      ("required", "{ me { name @catch @‸ } }", false),
      ("catch", "{ me { name @required(action: LOG) @‸ } }", false),
      ("catch", "{ me { name @‸ } }", true), ("catch", "{ me { ... @‸ { id } } }", false),
      ("throwOnFieldError", "{ me { name @‸ } }", false),
      ("throwOnFieldError", "query Q @‸ { me { id } }", true),
      ("defer", "{ me { ...G_user @‸ } }", true), ("defer", "{ me { ... @‸ { id } } }", false),
      ("alias", "{ me { ... @‸ { id } } }", false),
      ("alias", "{ me { ... on User @‸ { id } } }", true),
      ("arguments", "{ me { ...F_user @‸ } }", true),
      ("arguments", "{ me { ...G_user @‸ } }", false),
      ("appendEdge", "mutation M { add(name: \"\") { edge @‸ } }", true),
      ("appendEdge", "mutation M { add(name: \"\") { user @‸ } }", false),
      ("appendNode", "mutation M { add(name: \"\") { user @‸ } }", true),
      ("appendNode", "mutation M { add(name: \"\") { name @‸ } }", false),
      ("deleteRecord", "mutation M { add(name: \"\") { deleted @‸ } }", true),
      ("deleteRecord", "mutation M { add(name: \"\") { name @‸ } }", false),
      ("refetchable", "fragment X on User @‸ { id }", true),
      ("refetchable", "fragment X on Plain @‸ { a }", false),
      ("refetchable", "fragment X on User { id @‸ }", false),
      ("include", "{ unknown @‸ }", true), ("stream", "{ unknown @‸ }", true),
    ])
  func offered(name: String, text: String, isOffered: Bool) {
    let found = project(text).completions
    #expect(!found.isEmpty && found.contains(name) == isOffered, "\(found)")
  }

  @Test(
    "a directive is offered a second time only if it is repeatable",
    arguments: [
      ("once", "{ me @once @‸ }", false), ("once", "{ me @‸ @once }", false),
      ("once", "{ me @‸(a: {b: 1}) @many(n: 1) @once { id } }", false),
      ("once", "{ me @‸ { id @once } }", true), ("once", "{ me @once { id @‸ } }", true),
      ("many", "{ me @many(n: 1) @‸ }", true), ("many", "{ me @‸ @many(n: 1) }", true),
      ("once", "{ me @on‸ce }", true),
      ("refetchable", "fragment X on User @refetchable(queryName: \"A\") @‸ { id }", false),
    ])
  func repeated(name: String, text: String, isOffered: Bool) {
    #expect(project(text).completions.contains(name) == isOffered)
  }

  @Test(
    "an argument is offered once",
    arguments: [
      ("{ me { friends(first: 1, ‸) } }", ["after"]),
      ("{ me { ...F_user @arguments(n: 1, ‸) } }", ["size"]),
      ("{ me { friends @connection(key: \"\", ‸", ["filters"]),
    ])
  func arguments(text: String, expected: [String]) {
    let found = project(text).completions
    #expect(found.first == expected.first && !found.contains("key") && !found.contains("n"))
  }
}
