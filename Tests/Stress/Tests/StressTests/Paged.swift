@_spi(GeneratedCode) import RelayStore

// A handwritten version of relay-compiler's output for a mutation and a paginated list:
//
//   mutation SetNumber($id: ID!, $number: Int!) {
//     setNumber(id: $id, number: $number) { id label number }
//   }
//   fragment Paged_query on Query
//   @argumentDefinitions(count: {type: "Int", defaultValue: 2}, cursor: {type: "String"})
//   @refetchable(queryName: "PagedPaginationQuery") {
//     items(first: $count, after: $cursor) @connection(key: "Paged_items") {
//       edges { node { id label number } }
//     }
//   }

/// A mutation of one item.
struct SetNumberMutation: GraphQLMutation, Hashable {
  static let __operation = OperationPlan(
    name: "SetNumber", text: "mutation SetNumber($id: ID!, $number: Int!) { … }",
    reader: Data.__plan,
    normalization: SelectionPlan(
      "Mutation{setNumber(id:$id,number:$number) Item{id ID! label String number Int}}"))
  var id: String
  var number: Int
  var __variables: Variables { ["id": id, "number": number] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "Mutation{setNumber(id:$id,number:$number) Item{id ID! label String number Int}}")
    let __row: Row
    init(__row: Row) { self.__row = __row }
    var setNumber: Friend? { __row[0] }
  }

  struct RawResponse: GraphQLView {
    static var __plan: SelectionPlan { Data.__plan }
    let __row: Row
    init(__row: Row) { self.__row = __row }
    init(id: String, number: Int) {
      let item = Item(id: id, label: ItemInvariant.label(number), number: number)
      __row = Row(Self.__plan, item)
    }

    struct Item: GraphQLView {
      static var __plan: SelectionPlan { Data.__plan[0] }
      let __row: Row
      init(__row: Row) { self.__row = __row }
      init(id: String, label: String, number: Int) { __row = Row(Self.__plan, id, label, number) }
    }
  }
}

/// A paginated list of items.
struct Paged_query: GraphQLFragment, Hashable, GraphQLRefetchable, GraphQLPaginated {
  typealias RefetchQuery = PagedPaginationQuery
  static let __refetch = RefetchInfo()
  static let __connections = [ConnectionInfo(["items"], first: "count", after: "cursor")]
  static let __plan = SelectionPlan(
    "Paged_query($count=2,$cursor)Query{items:__Paged_items_connection ItemConnection{edges [ItemEdge{node Item{id ID! label String number Int}}]}}"
  )
  let __row: Row
  init(__row: Row) { self.__row = __row }
  var items: Items? { __row[0] }

  struct Items: GraphQLView, Hashable {
    static var __plan: SelectionPlan { Paged_query.__plan[0] }
    let __row: Row
    init(__row: Row) { self.__row = __row }
    var edges: GraphQLList<Edge?>? { __row[0] }
  }

  struct Edge: GraphQLView, Hashable {
    static var __plan: SelectionPlan { Paged_query.__plan[0][0] }
    let __row: Row
    init(__row: Row) { self.__row = __row }
    var node: Node? { __row[0] }
  }

  struct Node: GraphQLView, Hashable {
    static var __plan: SelectionPlan { Paged_query.__plan[0][0][0] }
    let __row: Row
    init(__row: Row) { self.__row = __row }
    var id: String { __row[0] }
    var label: String? { __row[1] }
    var number: Int? { __row[2] }
  }
}

/// The pagination query of ``Paged_query``.
struct PagedPaginationQuery: GraphQLRefetchQuery, Hashable {
  static let __operation = OperationPlan(
    name: "PagedPaginationQuery",
    text: "query PagedPaginationQuery($count: Int = 2, $cursor: String) { … }",
    variableDefaults: #"{"count":2}"#, reader: Data.__plan,
    normalization: SelectionPlan(
      #"Query{items(after:$cursor,first:$count) ItemConnection{edges [ItemEdge{node Item{id ID! label String number Int __typename String!} cursor String!}] pageInfo PageInfo{endCursor String hasNextPage Boolean! hasPreviousPage Boolean! startCursor String}!}%connection(filters:[],key:"Paged_items")}"#
    ))
  var count: GraphQLNullable<Int> = .some(2)
  var cursor: GraphQLNullable<String> = .none
  var __variables: Variables { ["count": count, "cursor": cursor] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan("Query{...Paged_query(count:$count,cursor:$cursor)}")
    let __row: Row
    init(__row: Row) { self.__row = __row }
    var paged: FragmentRef<Paged_query> { __row.spread(0) }
  }
}
