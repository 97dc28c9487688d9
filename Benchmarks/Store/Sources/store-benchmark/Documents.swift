@_spi(GeneratedCode) import RelayStore

// Handwritten equivalents of relay-compiler's output for the documents of the benchmark, and their
// payloads. The folder of storage-benchmark links to this file. A shared module would have to make
// the accessors public, which would slow down the code that store-benchmark measures.

struct ItemRow: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan(
    "Item{id ID! __typename String! name String! score Int! done Boolean! author Author{id ID! __typename String! name String!}!}"
  )
  let __row: Row
  var id: String { __row[0] }
  var name: String { __row[2] }
  var score: Int { __row[3] }
  var done: Bool { __row[4] }
  var author: Author { __row.object(5) }
}

struct Author: GraphQLView, Hashable {
  static var __plan: SelectionPlan { ItemRow.__plan[5] }
  let __row: Row
  var id: String { __row[0] }
  var name: String { __row[2] }
}

/// A query for the list `items`; each item has an author.
struct ItemsQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "ItemsQuery", text: "query ItemsQuery($first: Int) { … }",
    reader: Data.__plan,
    normalization: SelectionPlan(
      "Query{items(first:$first) [Item{id ID! __typename String! name String! score Int! done Boolean! author Author{id ID! __typename String! name String!}!}!]!}"
    ))
  var first: Int
  var __variables: Variables { ["first": first] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "Query{items(first:$first) [Item{id ID! __typename String! name String! score Int! done Boolean! author Author{id ID! __typename String! name String!}!}!]!}"
    )
    let __row: Row
    var items: GraphQLList<ItemRow> { __row[0] }
  }
}

/// A query for the score of one item; its payloads change the score.
struct ItemQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "ItemQuery", text: "query ItemQuery($id: ID!) { … }",
    reader: Data.__plan,
    normalization: SelectionPlan(
      "Query{item(id:$id) Item{id ID! __typename String! score Int!}}"))
  var id: String
  var __variables: Variables { ["id": id] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan("Query{item(id:$id) Item{id ID! score Int!}}")
    let __row: Row
  }
}

/// A transport that responds with an empty body; the cases commit payloads themselves.
struct NoTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    GraphQLResponse(body: [])
  }
}

/// The data of a response to ``ItemsQuery``, in UTF-8.
///
/// - Parameter added: A number that is added to each score.
func payload(_ count: Int, adding added: Int = 0) -> [UInt8] {
  let items = (0..<count).map { n in
    let author = n % 100
    return """
      {"id":"item:\(n)","__typename":"Item","name":"Item number \(n)","score":\(n * 7 % 1000 + added),\
      "done":\(n % 3 == 0),"author":{"id":"author:\(author)","__typename":"Author",\
      "name":"Author number \(author)"}}
      """
  }
  return Array("{\"items\":[\(items.joined(separator: ","))]}".utf8)
}

/// The data of a response to ``ItemQuery``.
func change(_ item: Int, score: Int) -> [UInt8] {
  Array("{\"item\":{\"id\":\"item:\(item)\",\"__typename\":\"Item\",\"score\":\(score)}}".utf8)
}
