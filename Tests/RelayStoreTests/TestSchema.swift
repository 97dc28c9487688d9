/// The schema that the tests' documents are written against.
enum TestSchema {
  static let text = """
    type Query {
      todos(first: Int, after: String): [Todo!]!
      me: User
      page(n: Int): Page
    }

    interface Node { id: ID! }

    type Todo implements Node {
      id: ID!
      text: String!
      n: Int
    }

    type Page {
      title: String
      items: [Todo]
    }

    type User implements Node {
      id: ID!
      name: String
    }
    """
}
