import RelayStore
import RelayStoreTesting

/// The schema and data of these tests: a small library.
enum Library {
  static let schema = """
    type Query {
      book(id: ID!): Book
      books(first: Int = 2, genre: [Genre!], filter: Filter): [Book]
      required: Book!
      things: [Thing!]
      titled: [Titled]
      echo(
        int: Int, float: Float, string: String, boolean: Boolean, id: ID, genre: Genre, any: Any,
        ints: [Int], matrix: [[Int!]], filter: Filter, search: Search
      ): Any
      strict(value: Int!): Int
      defaulted(filter: Filter = {text: "all"}): Any
      int: Int
      float: Float
      id: ID
      genre: Genre
      boolean: Boolean
    }
    type Mutation { add(title: String!): Int! reset: Boolean }
    type Subscription { added(genre: Genre): Book counted: Int! }
    interface Titled { title: String! shout: String }
    type Book implements Titled {
      id: ID!
      title: String!
      shout: String
      author: Author
      requiredAuthor: Author!
      genre: Genre!
      chapters: [String!]!
      sequels: [Book!]
    }
    type Author { name: String! books: [Book!]! }
    type Film implements Titled { title: String! shout: String minutes: Int }
    union Thing = Book | Film
    enum Genre { NOVEL POETRY }
    input Filter { text: String = "any", limit: Int! = 7, nested: Filter, genres: [Genre!] }
    input Search @oneOf { id: ID, title: String }
    scalar Any
    """

  static let emma: JSONValue = [
    "__typename": "Book", "id": "1", "title": "Emma", "genre": "NOVEL",
    "author": ["name": "Jane Austen"], "chapters": ["I", "II"],
  ]
  static let odes: JSONValue = [
    "__typename": "Book", "id": 2, "title": "Odes", "genre": "POETRY", "chapters": [],
  ]
  static let metropolis: JSONValue = [
    "__typename": "Film", "title": "Metropolis", "minutes": 153,
  ]

  /// Returns a server of the library. The given resolvers replace the library's own.
  static func server(
    _ resolvers: [String: FieldResolver] = [:],
    subscriptions: [String: SubscriptionResolver] = [:],
    format: IncrementalFormat = .payloads2023,
    beforePart: @escaping @Sendable (IncrementalPart) async throws -> Void = { _ in }
  ) throws -> SchemaServer {
    let own: [String: FieldResolver] = [
      "Query.book": { call in
        let id: String = try call.argument("id")
        return ["1": emma, "2": odes][id]
      },
      "Query.books": { call in
        let first: Int? = try call.argument("first")
        return .array(Array([emma, odes, emma].prefix(max(0, first ?? 3))))
      },
      "Query.things": { _ in [emma, metropolis] },
      "Query.titled": { _ in [metropolis, odes] },
      "Query.echo": { call in .object(call.arguments) },
      "Query.defaulted": { call in .object(call.arguments) },
      "Query.strict": { call in try call.argument("value") },
      "Titled.shout": { call in (call.parent["title"]?.string).map { .string($0.uppercased()) } },
    ]
    return try SchemaServer(
      schema: schema, resolvers: own.merging(resolvers) { _, new in new },
      subscriptions: subscriptions, incrementalFormat: format, beforePart: beforePart)
  }

  /// Returns the library's response to a document.
  static func respond(
    _ document: String, _ variables: JSONObject = [:], operationName: String? = nil,
    resolvers: [String: FieldResolver] = [:]
  ) async throws -> JSONValue {
    try await server(resolvers)
      .respond(to: document, operationName: operationName, variables: variables)
  }

  /// Returns the messages of a response's errors.
  static func messages(_ response: JSONValue) -> [String] {
    response["errors"]?.array?.compactMap { $0["message"]?.string } ?? []
  }

  /// Returns the paths of a response's errors as JSON; "none" for an error without a path.
  static func paths(_ response: JSONValue) -> [String] {
    response["errors"]?.array?.map { "\($0["path"] ?? "none")" } ?? []
  }
}
