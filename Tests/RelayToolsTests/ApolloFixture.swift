/// A small app for Apollo iOS that uses every feature the import knows.
enum ApolloFixture {
  static let files = [
    "app/apollo-codegen-config.json": configuration,
    "app/schema/schema.graphqls": schema,
    "app/schema/extensions.graphqls": extensions,
    "app/Shop/Screens/Me.graphql": screen,
    "app/Shop/Screens/Local.graphql": local,
    "app/Shop/Lists/Items.graphql": items,
    "app/Shop/Lists/DraftItems.graphql": "query Draft { nothing }",
    "app/Shop/API/Schema/CustomScalars/Money.swift":
      "// @generated\nextension ShopAPI {\n  typealias Money = String\n}\n",
    "app/Shop/API/Schema/CustomScalars/Link.swift":
      "import Foundation\nextension ShopAPI {\n  typealias Link = URL\n}\n",
    "app/Shop/API/Schema/CustomScalars/Count.swift":
      "extension ShopAPI {\n  typealias Count = Int\n}\n",
    "app/Shop/API/Schema/CustomScalars/Point.swift":
      "extension ShopAPI {\n  struct Point: CustomScalarType {}\n}\n",
    "app/Shop/API/SchemaConfiguration.swift": """
    enum SchemaConfiguration: ApolloAPI.SchemaConfiguration {
      static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? { nil }
    }
    """,
    "app/Shop/Client.swift": """
    import Apollo
    // client.watch(query: MeQuery())
    let result = client.fetch(query: MeQuery(), cachePolicy: .returnCacheDataAndFetch)
    let watcher = client.watch(query: MeQuery()) { _ in }
    final class Logger: ApolloInterceptor {}
    """,
  ]

  static let configuration = """
    {
      "schemaNamespace": "ShopAPI",
      "schemaDownload": {
        "downloadMethod": {"introspection": {"endpointURL": "https://example.org/graphql"}},
        "headers": [{"key": "Authorization", "value": "secret"}]
      },
      "input": {
        "operationSearchPaths": ["Shop/**/*.graphql", "!Shop/**/Draft*.graphql", "Old/*.graphql"],
        "schemaSearchPaths": ["schema/*.graphqls"]
      },
      "output": {
        "operations": {"absolute": {"accessModifier": "internal", "path": "./Shop/Operations"}},
        "schemaTypes": {
          "moduleType": {"embeddedInTarget": {"accessModifier": "internal", "name": "Shop"}},
          "path": "./Shop/API"
        },
        "testMocks": {"absolute": {"path": "Mocks"}}
      },
      "options": {
        "additionalInflectionRules": [],
        "conversionStrategies": {"enumCases": "none"},
        "operationDocumentFormat": ["operationId"],
        "selectionSetInitializers": {"localCacheMutations": true},
        "somethingNew": 1
      },
      "experimentalFeatures": {"fieldMerging": ["all"]},
      "operationManifest": {"path": "./operations.json", "version": "persistedQueries"}
    }
    """

  static let schema = """
    directive @apollo_client_ios_localCacheMutation on QUERY | FRAGMENT_DEFINITION
    "The fields that identify an object."
    directive @typePolicy(keyFields: String!) on OBJECT | INTERFACE
    directive @fieldPolicy(forField: String!, keyArgs: String!) repeatable on OBJECT
    directive @import(module: String!) repeatable on QUERY

    # This comment is kept.
    scalar Money
    scalar Link
    scalar Count
    scalar Point
    scalar Upload
    type Query {
      me: User
      user(id: ID!): User
      book(isbn: String!): Book
      books(isbns: [String!]!): [Book!]
      shelf(number: Int!, room: String!): Shelf
      items(first: Int, after: String, kind: Kind): ItemConnection
    }
    type Mutation { upload(file: Upload!): User rename(input: RenameInput!): User }
    type Subscription { userChanged: User }
    input RenameInput { name: String! kind: Kind = BIG }
    type User {
      id: ID!
      name: String
      friends: [User!]
      balance: Money
      site: Link
      home: Point
      visits: Count
      kind: Kind
    }
    enum Kind { BIG SMALL_ONE GONE @deprecated }
    interface Thing @typePolicy(keyFields: "code") { code: String! }
    type Book implements Thing { isbn: String! code: String! title: String author: User }
    type Shelf { number: Int! room: String! books: [Book] }
    type ItemConnection { edges: [ItemEdge] pageInfo: PageInfo! }
    type ItemEdge { cursor: String! node: Book }
    type PageInfo {
      endCursor: String
      hasNextPage: Boolean!
      hasPreviousPage: Boolean!
      startCursor: String
    }

    """

  static let extensions = """
    extend type Book @typePolicy(keyFields: "isbn")
    extend type Shelf @typePolicy(keyFields: "number room")
    extend type User @typePolicy(keyFields: "nothing")

    extend type Query
      @fieldPolicy(forField: "book", keyArgs: "isbn")
      @fieldPolicy(forField: "books", keyArgs: "isbns")
      @fieldPolicy(forField: "shelf", keyArgs: "number room")
      @fieldPolicy(forField: "user", keyArgs: "id")

    extend type User { isSelected: Boolean }
    extend type User { nickname: String }
    """

  static let screen = """
    # The first screen.
    query Me($withFriends: Boolean = true, $later: Boolean! = true) @import(module: "Base") {
      me {
        __typename
        ...UserRow
        nickname
        friends @include(if: $withFriends) { id, name } # Names.
        ... on User @defer(if: $later, label: "money") { balance site }
        ... @defer(label: "place") { home visits friends { ... on User @defer(label: "deep") { id } } }
      }
    }

    fragment UserRow on User { id ...UserNames @defer(label: "names") }
    fragment UserNames on User { name kind }
    fragment Kind on User { kind }
    query UseKind { me { ...Kind } }
    """

  static let local = """
    query SelectUser($flag: Boolean!) @apollo_client_ios_localCacheMutation {
      me {
        isSelected
        name @skip(if: $flag)
        ...UserNames
      }
    }
    fragment RenameUser on User @apollo_client_ios_localCacheMutation { name }
    mutation Change @apollo_client_ios_localCacheMutation { rename(input: {name: "x"}) { id } }
    subscription UserChanged { userChanged { ...RenameUser } }
    """

  static let items = """
    query items {
      items(first: 10, kind: BIG) @connection(key: "Items", filter: ["kind"]) {
        edges { node { title author { name @nonnull } } }
        pageInfo { endCursor }
      }
      books(isbns: ["1"]) @connection(key: "x") { title }
    }
    query keys { shelf(number: 1, room: "A") { room } book(isbn: "2") { title } user(id: "3") { id } }
    mutation Upload($file: Upload!) { upload(file: $file) { id } }
    mutation Rename($input: RenameInput!) { rename(input: $input) { id name } }
    """
}
