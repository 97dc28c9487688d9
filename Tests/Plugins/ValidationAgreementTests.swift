import Foundation
import RelayCompiler
import Testing

/// A comparison of two ways to find a target's modules: `validate` finds them itself, and the
/// plugin names them to the compiler.
@Suite("The build plugin and validate agree", .timeLimit(.minutes(1)))
struct ValidationAgreementTests {
  /// The changes of a package, where `nil` removes a file, and the errors of its targets.
  struct Example: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var dependencies: [String: [String]]?
    var changes: [String: String?] = [:]
    var errors: [String] = []
  }

  private static let library: [String: String] = [
    "schema.graphql": """
    type Query { books: [Book!]! }
    type Book { id: ID! author: Author! pages: Int! title: String! }
    type Author { name: String! }
    """,
    "Sources/Base/relay.config.json": #"{"schema": "../../schema.graphql"}"#,
    "Sources/Base/Name.graphql": "fragment Name_author on Author { name }",
    "Sources/Books/relay.config.json": #"{"schema": "../../schema.graphql"}"#,
    "Sources/Books/Card.graphql": "fragment Card_book on Book { title author { ...Name_author } }",
    "Sources/Shelf/relay.config.json": #"{"schema": "../../schema.graphql"}"#,
    "Sources/Shelf/Shelf.graphql": "query ShelfQuery { books { ...Card_book } }",
  ]

  @Test(
    "on targets with one schema",
    arguments: [
      Example(testDescription: "without an error"),
      Example(
        testDescription: "a mistake in a dependency, for all that depend on it",
        changes: ["Sources/Base/Name.graphql": "fragment Name_author on Author { nam }"],
        errors: [
          "Base: Base/Name.graphql:1:34: error: Cannot query field \"nam\"",
          "Books: Base/Name.graphql:1:34: error: Cannot query field \"nam\"",
          "Shelf: Base/Name.graphql:1:34: error: Cannot query field \"nam\"",
        ]),
      Example(
        testDescription: "a fragment that a dependency has renamed",
        changes: [
          "Sources/Books/Card.graphql": "fragment Cart_book on Book { title }"
        ],
        errors: ["Shelf: Shelf/Shelf.graphql:1:31: error: Unknown fragment \"Card_book\""]),
      Example(
        testDescription: "a target that is no dependency", dependencies: ["Books": ["Base"]],
        errors: ["Shelf: Shelf/Shelf.graphql:1:31: error: Unknown fragment \"Card_book\""]),
      Example(
        testDescription: "a name that a dependency has",
        changes: ["Sources/Shelf/More.graphql": "fragment Card_book on Book { pages }"],
        errors: [
          "Shelf: Shelf/More.graphql:1:10: error: There can be only one fragment named"
        ]),
      Example(
        testDescription: "fields that conflict with a dependency's",
        changes: [
          "Sources/Shelf/Shelf.graphql": "query ShelfQuery { books { title: pages ...Card_book } }"
        ],
        errors: ["Shelf: Shelf/Shelf.graphql:1:28: error: Fields \"title\" conflict"]),
      Example(
        testDescription: "a dependency without a configuration",
        changes: ["Sources/Base/relay.config.json": nil]),
      Example(
        testDescription: "an extension of the schema in one target",
        changes: [
          "client.graphql": "extend type Book { isOpen: Boolean }",
          "Sources/Shelf/relay.config.json":
            #"{"schema": "../../schema.graphql", "schemaExtensions": ["../../client.graphql"]}"#,
          "Sources/Shelf/Shelf.graphql": "query ShelfQuery { books { isOpen ...Card_book } }",
        ]),
      Example(
        testDescription: "an extension that only a dependency has",
        changes: [
          "client.graphql": "extend type Book { isOpen: Boolean }",
          "Sources/Books/relay.config.json":
            #"{"schema": "../../schema.graphql", "schemaExtensions": ["../../client.graphql"]}"#,
          "Sources/Books/Card.graphql": "fragment Card_book on Book { isOpen }",
        ], errors: ["Shelf: Books/Card.graphql:1:30: error: Cannot query field \"isOpen\""]),
    ])
  func oneSchema(_ example: Example) throws {
    try expectAgreement(
      example, of: Self.library, dependencies: ["Books": ["Base"], "Shelf": ["Books"]])
  }

  private static let orders = """
    enum Status { paid shipped } type Order { id: ID! status: Status! } type Query { order: Order }
    """
  private static let shop: [String: String] = [
    "Sources/Orders/schema.graphql": orders,
    "Sources/Orders/relay.config.json": #"{"schema": "schema.graphql"}"#,
    "Sources/Orders/Order.graphql":
      "query OrderQuery { order { id } } fragment Row_order on Order { id status }",
    "Sources/Users/schema.graphql": """
    enum Status { online } type User { id: ID! status: Status! } type Query { user: User }
    """,
    "Sources/Users/relay.config.json": #"{"schema": "schema.graphql"}"#,
    "Sources/Users/User.graphql": "query UserQuery { user { id status } }",
  ]

  @Test(
    "on targets with two schemas",
    arguments: [
      Example(testDescription: "without an error"),
      Example(
        testDescription: "an operation with the name of one of the other schema",
        changes: ["Sources/Users/User.graphql": "query OrderQuery { user { id } }"]),
      Example(
        testDescription: "a mistake in a document of the other schema",
        changes: ["Sources/Orders/Order.graphql": "query OrderQuery { order { ids } }"],
        errors: ["Orders: Orders/Order.graphql:1:28: error: Cannot query field \"ids\""]),
      Example(
        testDescription: "a reference to the other schema",
        changes: ["Sources/Users/User.graphql": "query UserQuery { user { ...Row_order } }"],
        errors: [
          "Users: Users/User.graphql:1:29: error: Fragment \"Row_order\" belongs to module"
        ]),
      Example(
        testDescription: "a reference to the other schema, which has no configuration",
        changes: [
          "Sources/Orders/relay.config.json": nil,
          "Sources/Users/User.graphql": "query UserQuery { user { ...Row_order } }",
        ],
        errors: [
          "Users: Users/User.graphql:1:29: error: Fragment \"Row_order\" belongs to module"
        ]),
      Example(
        testDescription: "types of the other schema",
        changes: [
          "Sources/Users/relay.config.json":
            #"{"schema": "schema.graphql", "schemaModule": "Orders"}"#
        ],
        errors: [
          "Users: Users/relay.config.json:1:47: error: \"schemaModule\" names module \"Orders\""
        ]),
      Example(
        testDescription: "a later version of the schema",
        changes: [
          "Sources/Users/schema.graphql": orders.replacing("paid", with: "paid lost"),
          "Sources/Users/relay.config.json":
            #"{"schema": "schema.graphql", "sameSchema": {"Orders": true}}"#,
          "Sources/Users/User.graphql": "query UserQuery { order { ...Row_order } }",
        ]),
    ])
  func twoSchemas(_ example: Example) throws {
    try expectAgreement(example, of: Self.shop, dependencies: ["Users": ["Orders"]])
  }

  private func expectAgreement(
    _ example: Example, of files: [String: String], dependencies: [String: [String]]
  ) throws {
    let files = example.changes.reduce(into: files) { $0[$1.key] = $1.value }
    let package = try ExamplePackage(files, dependencies: example.dependencies ?? dependencies)
    var errors: [String] = []
    for target in package.configuredTargets {
      let built = try package.build(target)
      #expect(package.validate(target) == built)
      errors += built.map { "\(target): \($0)" }
    }
    #expect(errors.count == example.errors.count, "\(errors)")
    for (error, expected) in zip(errors, example.errors) {
      #expect(error.hasPrefix(expected))
    }
  }
}
