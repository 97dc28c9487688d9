import Foundation
import Testing

@testable import RelayCompiler
@testable import RelayTools

@Suite("relay-compiler explain", .timeLimit(.minutes(1)))
struct ExplainCommandTests {
  private let project: TemporaryProject

  init() throws {
    project = try TemporaryProject([
      "schema.graphql": """
      type Query { viewer: User node(id: ID!): Node }
      interface Node { id: ID! }
      type User implements Node { id: ID! name: String! age: Int friends(first: Int): UserConnection tags: [[Tag]] grid(first: Int): [[Tag]] }
      type UserConnection { edges: [UserEdge] nodes: [User] }
      type UserEdge { node: User }
      type Tag { text: String! }
      """,
      "src/Feed.swift": #"""
      graphql("fragment Friend_user on User { name tags { text } }")
      graphql("""
        query FeedQuery($count: Int = 20, $other: Int) {
          viewer {
            friends(first: $count) { edges { node { ...Friend_user } } }
            few: friends(first: 3) { nodes { name } }
            many: friends(first: $other) { nodes { name } }
            grid(first: 2) { text }
          }
        }
        """)
      """#,
    ])
  }

  private func explain(_ arguments: String...) -> CommandResult {
    project.run("explain", arguments)
  }

  @Test("an operation: what is sent, its types, its plans, its fragments and the estimate")
  func operation() throws {
    let result = explain("FeedQuery")
    #expect(result.exitCode == .success && result.errors == "")
    let text = result.output
    #expect(text.hasPrefix("query FeedQuery, "))
    #expect(text.contains("src/Feed.swift:3:9\n"))
    #expect(text.contains("  spreads    Friend_user\n"))
    // The document as sent, with the compiler's additions, but formatted.
    #expect(text.contains("    viewer {\n      id\n      friends(first: $count) {\n"))
    #expect(text.contains("        nodes {\n          id\n          name\n"))
    #expect(text.contains("  fragment Friend_user on User {\n"))
    #expect(text.contains("\nSwift\n  struct FeedQuery\n    var count: GraphQLNullable<Int>\n"))
    #expect(text.contains("        var few: UserConnection_few?\n"))
    #expect(!text.contains("__row") && !text.contains("__operation") && !text.contains("init("))
    #expect(text.contains("\n  read    FeedQuery Query{viewer User{"))
    #expect(text.contains("\n  stored  Query{viewer User{"))
  }

  @Test("the estimate counts objects by the lengths of lists that arguments give")
  func cost() throws {
    let text = explain("FeedQuery").output
    // The root and the viewer; friends, 20 edges and 20 nodes; few and 3 nodes; many. The length of
    // many is unknown, as are the lengths of the lists of tags and of each of the two lists of the
    // grid.
    #expect(text.contains("  cost       "))
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  cost") })
    #expect(line.hasSuffix(", depth 6, 48 + 3n + 20n² objects"))
  }

  @Test("a fragment: its type, its plan, and the definitions that spread it")
  func fragment() {
    let text = explain("Friend_user").output
    #expect(text.hasPrefix("fragment Friend_user on User, "))
    #expect(text.contains("  spread by  FeedQuery\n") && !text.contains("  spreads "))
    #expect(text.contains("\nSwift\n  struct Friend_user\n    var name: String\n"))
    #expect(text.hasSuffix("\nPlan\n  Friend_user User{name String! tags [[Tag{text String!}]]}\n"))
  }

  @Test("initializers and cases whose parameters the printer wraps are shown with all of them")
  func wrapped() throws {
    let project = try TemporaryProject([
      "schema.graphql": """
      type Query { a: Int }
      type Mutation { rename(id: ID!): Animal }
      interface Animal { id: ID! firstName: String! secondName: String! thirdName: String! }
      type Dog implements Animal {
        id: ID! firstName: String! secondName: String! thirdName: String! nameOfTheOwner: String!
      }
      type Cat implements Animal { id: ID! firstName: String! secondName: String! thirdName: String! }
      """,
      "src/Rename.graphql": """
      mutation Rename {
        rename(id: 1) { id firstName secondName thirdName ... on Dog { nameOfTheOwner } }
      }
      """,
    ])
    let text = project.run("explain", ["Rename"]).output
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    let declarations = lines.filter { $0.hasPrefix("init(") || $0.hasPrefix("case ") }
    // Some are too long for one line of generated code.
    #expect(declarations.contains { $0.count > 100 }, "\(text)")
    for line in declarations where line.contains("(") {
      #expect(line.hasSuffix(")") && !line.contains("( ") && !line.contains(" )"), "\(line)")
    }
    #expect(declarations.contains { $0.contains("nameOfTheOwner: String") }, "\(text)")
  }

  @Test("a mistyped name is an error with a suggestion, and an error of a document is reported")
  func errors() throws {
    let mistyped = explain("FedQuery")
    #expect(mistyped.exitCode == .errors && mistyped.output == "")
    #expect(
      mistyped.errors
        == "error: No operation or fragment is called \"FedQuery\". Did you mean \"FeedQuery\"?\n"
    )
    #expect(explain().exitCode == .usage)
    #expect(explain("--module").exitCode == .usage)
    try project.write(["src/Broken.swift": #"graphql("query BrokenQuery { viewer { nam } }")"#])
    let broken = explain("FeedQuery")
    #expect(broken.exitCode == .errors && broken.errors.contains("Cannot query field \"nam\""))
  }

  @Test("a name that differs in case alone is the only suggestion")
  func caseOnly() throws {
    try project.write(["src/Other.swift": #"graphql("query FreedQuery { viewer { age } }")"#])
    #expect(explain("feedquery").errors.hasSuffix(" Did you mean \"FeedQuery\"?\n"))
    #expect(
      explain("FredQuery").errors.hasSuffix(" Did you mean \"FeedQuery\" or \"FreedQuery\"?\n"))
  }

  @Test("one object is counted in the singular, and the cases of an enum are shown")
  func details() throws {
    try project.write([
      "schema.graphql": (project.read("schema.graphql") ?? "")
        + "type Dog implements Node { id: ID! barks: Int }",
      "src/Other.swift": """
      graphql("query Kind { __typename }")
      graphql("query Cases { node(id: 1) { ... on User { age } ... on Dog { barks } } }")
      """,
    ])
    #expect(explain("Kind").output.contains(", depth 1, 1 object\n"))
    let cases = explain("Cases").output
    let lines = ["enum Cases", "  case user(AsUser)", "  case dog(AsDog)", "  case other(String)"]
    #expect(
      cases.contains(lines.joined(separator: "\n        ") + "\n"), "\(cases)")
  }

  @Test("the type of an operation has a name of its own, which finds it too")
  func typeName() throws {
    try project.write(["src/Other.swift": #"graphql("query Viewer { viewer { age } }")"#])
    let text = explain("ViewerQuery").output
    #expect(text.hasPrefix("query Viewer, ") && text.contains("  struct ViewerQuery\n"))
    #expect(text == explain("Viewer").output)
  }

  @Test(
    "the name of a field is corrected, or names the definitions that select it",
    arguments: [
      ("tags", "\"tags\" is a field, which \"Friend_user\" selects."),
      ("User.name", "\"name\" is a field, which \"FeedQuery\", \"Friend_user\" select."),
      ("few", "\"few\" is a field, which \"FeedQuery\" selects."),
      ("viewr", "Did you mean the field \"viewer\", which \"FeedQuery\" selects?"),
      ("User.tagz", "Did you mean the field \"tags\", which \"Friend_user\" selects?"),
      ("Nothing", ""),
    ])
  func fields(name: String, rest: String) {
    let result = explain(name)
    #expect(result.exitCode == .errors)
    let message = "error: No operation or fragment is called \"\(name)\"."
    #expect(result.errors == (rest.isEmpty ? message : message + " " + rest) + "\n")
  }

  @Test("the type of a fragment finds the fragment")
  func fragmentTypeName() throws {
    try project.write(["src/Other.swift": #"graphql("fragment issue on User { age }")"#])
    let text = explain("Issue").output
    #expect(text.hasPrefix("fragment issue on User, ") && text.contains("  struct Issue\n"))
    #expect(text == explain("issue").output)
    #expect(explain("Isue").errors.contains("Did you mean"))
  }

  @Test(
    "the types of an optimistic response have their initializers, and a refetch query's variables a type"
  )
  func initializers() throws {
    try project.write([
      "schema.graphql": (project.read("schema.graphql") ?? "")
        + "type Mutation { rename(name: String!): Renamed } type Renamed { user: User }",
      "src/Rename.swift": #"""
      graphql("mutation Rename($name: String!) { rename(name: $name) { user { name } } }")
      graphql("fragment Again_user on User @refetchable(queryName: \"AgainQuery\") { age }")
      """#,
    ])
    let text = explain("Rename").output
    #expect(
      text.contains(
        """
            struct RawResponse
              init(rename: Renamed_rename? = nil)
              static func complete(rename: Renamed_rename?) -> Self
              struct Renamed_rename
                init(user: User_user? = nil)
                static func complete(user: User_user?) -> Self
                struct User_user
                  init(id: String, name: String)
                  static func complete(id: String, name: String) -> Self

        """), "\(text)")
    #expect(text.components(separatedBy: "init(").count == 4)
    let refetch = explain("AgainQuery").output
    #expect(
      refetch.contains(
        "    struct __RefetchVariables\n      var id: RefetchVariable<String>\n    struct Data\n"),
      "\(refetch)")
  }
}
