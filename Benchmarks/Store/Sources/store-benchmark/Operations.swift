@_spi(GeneratedCode) import RelayStore

// Handwritten equivalents of relay-compiler's output: operations that fetch and change a record of
// ten fields, and a paginated list.

/// A query for a record of ten fields.
struct RecordQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "RecordQuery", text: "query RecordQuery($id: ID!) { … }", reader: Data.__plan,
    normalization: SelectionPlan(
      "Query{record(id:$id) Record{id ID! __typename String! a Int! b Int! c Int! d Boolean! e String! f String! g String! h Float!}}"
    ))
  var id: String
  var __variables: Variables { ["id": id] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "Query{record(id:$id) Record{id ID! __typename String! a Int! b Int! c Int! d Boolean! e String! f String! g String! h Float!}}"
    )
    let __row: Row
  }
}

/// A mutation that changes a record, and selects all of its fields.
struct ChangeMutation: GraphQLMutation, Hashable {
  static let __operation = OperationPlan(
    name: "ChangeMutation", text: "mutation ChangeMutation($id: ID!) { … }", reader: Data.__plan,
    normalization: SelectionPlan(
      "Mutation{change(id:$id) Record{id ID! __typename String! a Int! b Int! c Int! d Boolean! e String! f String! g String! h Float!}}"
    ))
  var id: String
  var __variables: Variables { ["id": id] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "Mutation{change(id:$id) Record{id ID! __typename String! a Int! b Int! c Int! d Boolean! e String! f String! g String! h Float!}}"
    )
    let __row: Row
  }
  typealias RawResponse = Data
}

/// A query for a page of a connection, in either direction.
struct PageQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "PageQuery",
    text: "query PageQuery($first: Int, $after: String, $last: Int, $before: String) { … }",
    reader: Data.__plan,
    normalization: SelectionPlan(
      #"Query{list(after:$after,before:$before,first:$first,last:$last) List{edges [Edge{cursor String node Item{id ID! __typename String! name String! score Int! done Boolean!} __typename String!}] pageInfo PageInfo{endCursor String hasNextPage Boolean! hasPreviousPage Boolean! startCursor String}}%connection(key:"Benchmark_list")}"#
    ))
  var first: Int
  var after: String?
  var before: String?
  var __variables: Variables {
    if let before { return ["last": first, "before": before] }
    return after.map { ["first": first, "after": $0] } ?? ["first": first]
  }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "Query{list:__Benchmark_list_connection List{edges [Edge{node Item{id ID! __typename String! name String! score Int! done Boolean!}}]}}"
    )
    let __row: Row
    var list: List? { __row.object(0) }

    struct List: GraphQLView, Hashable {
      let __row: Row
      var edges: GraphQLList<Edge?>? { __row[0] }
    }

    struct Edge: GraphQLView, Hashable { let __row: Row }
  }
}

/// A transport that responds to every request with the same bytes.
struct InstantTransport: Transport {
  let body: [UInt8]
  /// Whether the transport suspends before it responds, like one that waits for a server.
  let suspends: Bool

  init(_ field: String, suspends: Bool = false) {
    self.suspends = suspends
    body = Array(
      """
      {"data":{"\(field)":{"id":"r:1","__typename":"Record","a":1,"b":22,"c":333,"d":true,"e":"some text",\
      "f":"another text, longer","g":"x","h":2.5}}}
      """.utf8)
  }

  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    if suspends { await Task.yield() }
    return GraphQLResponse(body: body)
  }
}

/// The data of the page `number` of a list with `size` items a page.
func page(_ number: Int, of size: Int) -> [UInt8] { page(number * size..<(number + 1) * size) }

/// The data of a page with the given items.
func page(_ items: Range<Int>) -> [UInt8] {
  let edges = items.map { n in
    """
    {"cursor":"c\(n)","__typename":"Edge","node":{"id":"item:\(n)","__typename":"Item",\
    "name":"Item number \(n)","score":\(n * 7 % 1000),"done":\(n % 3 == 0)}}
    """
  }
  return Array(
    """
    {"list":{"edges":[\(edges.joined(separator: ","))],"pageInfo":{"endCursor":"c\(items.upperBound - 1)",\
    "hasNextPage":true,"hasPreviousPage":true,"startCursor":"c\(items.lowerBound)"}}}
    """.utf8)
}
