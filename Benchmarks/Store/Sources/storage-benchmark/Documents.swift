@_spi(GeneratedCode) import RelayStore

// Handwritten equivalents of relay-compiler's output for the documents of the benchmark.

struct ItemRow: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan(
    "Item{id ID! __typename String! name String! score Int! done Boolean! author Author{id ID! __typename String! name String!}!}"
  )
  let __row: Row
  var id: String { __row[0] }
  var score: Int { __row[3] }
}

/// A query for the list `items`, whose objects have an author each.
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

/// A transport that is never used.
struct NoTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(.transport, "The benchmark sends nothing.")
  }
}

/// Returns the data of a response with `count` items, whose scores are `offset` and following.
func payload(_ count: Int, offset: Int = 0) -> [UInt8] {
  var text = "{\"items\":["
  for index in 0..<count {
    if index > 0 { text += "," }
    let author = index % 100
    text +=
      "{\"id\":\"item-\(index)\",\"__typename\":\"Item\",\"name\":\"The item number \(index)\",\"score\":\(index + offset),\"done\":\(index % 2 == 0),\"author\":{\"id\":\"author-\(author)\",\"__typename\":\"Author\",\"name\":\"The author number \(author)\"}}"
  }
  return Array((text + "]}").utf8)
}
