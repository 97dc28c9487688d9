@_spi(GeneratedCode) import RelayStore

// Handwritten equivalents of relay-compiler's output: a list of objects with ten fields each, which
// arrives in one response, with deferred fields or as a stream, and a subscription to one record of
// ten fields.

/// A query for `records`; their ten fields arrive with the objects.
struct WholeQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "WholeQuery", text: "query WholeQuery($first: Int!) { … }", reader: RecordsData.__plan,
    normalization: SelectionPlan(
      "Query{records(first:$first) [Record{id ID! a Int! b Int! c Int! d Boolean! e String! f String! g String! h Float! i Int! j String!}!]!}"
    ))
  var first: Int
  var __variables: Variables { ["first": first] }
  typealias Data = RecordsData
}

/// A query for the ids of `records`.
struct IDsQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "IDsQuery", text: "query IDsQuery($first: Int!) { … }", reader: Data.__plan,
    normalization: SelectionPlan("Query{records(first:$first) [Record{id ID!}!]!}"))
  var first: Int
  var __variables: Variables { ["first": first] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan("IDsQuery Query{records(first:$first) [Record{id ID!}!]!}")
    let __row: Row
  }
}

/// A query for `records` with their ten fields deferred.
struct DeferredQuery: GraphQLQuery, Hashable {
  static let label = "DeferredQuery$defer$Fields_record"
  static let __operation = OperationPlan(
    name: "DeferredQuery", text: "query DeferredQuery($first: Int!) { … }",
    reader: RecordsData.__plan,
    normalization: SelectionPlan(
      #"Query{records(first:$first) [Record{id ID! ...if "DeferredQuery$defer$Fields_record"{a Int! b Int! c Int! d Boolean! e String! f String! g String! h Float! i Int! j String!}}!]!}"#
    ))
  var first: Int
  var __variables: Variables { ["first": first] }
  typealias Data = RecordsData
}

/// A query for `records`, a stream of objects of ten fields.
struct StreamedQuery: GraphQLQuery, Hashable {
  static let label = "StreamedQuery$stream$records"
  static let __operation = OperationPlan(
    name: "StreamedQuery", text: "query StreamedQuery($first: Int!) { … }",
    reader: RecordsData.__plan,
    normalization: SelectionPlan(
      #"Query{records(first:$first) [Record{id ID! a Int! b Int! c Int! d Boolean! e String! f String! g String! h Float! i Int! j String!}!]!%stream(label:"StreamedQuery$stream$records")}"#
    ))
  var first: Int
  var __variables: Variables { ["first": first] }
  typealias Data = RecordsData
}

/// The data of the queries: the fields belong to a fragment.
struct RecordsData: GraphQLView, Hashable {
  static let __plan = SelectionPlan(
    "DeferredQuery Query{records(first:$first) [Record{id ID! ...Fields_record}!]!}")
  let __row: Row
  var records: GraphQLList<Element> { __row[0] }

  struct Element: GraphQLView, Hashable {
    let __row: Row
    var id: String { __row[0] }
  }
}

/// The ten fields of a record.
struct RecordFields: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan(
    "Fields_record Record{a Int! b Int! c Int! d Boolean! e String! f String! g String! h Float! i Int! j String!}"
  )
  let __row: Row
  var a: Int { __row[0] }
}

/// A subscription to changes of a record with ten fields.
struct ChangedSubscription: GraphQLSubscription, Hashable {
  static let __operation = OperationPlan(
    name: "ChangedSubscription", text: "subscription ChangedSubscription($id: ID!) { … }",
    reader: Data.__plan,
    normalization: SelectionPlan(
      "Subscription{changed(id:$id) Record{id ID! a Int! b Int! c Int! d Boolean! e String! f String! g String! h Float! i Int! j String!}!}"
    ))
  var id: String
  var __variables: Variables { ["id": id] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "ChangedSubscription Subscription{changed(id:$id) Record{id ID! a Int! b Int! c Int! d Boolean! e String! f String! g String! h Float! i Int! j String!}!}"
    )
    let __row: Row
    var changed: Changed { __row.object(0) }
  }

  struct Changed: GraphQLView, Hashable {
    let __row: Row
    var id: String { __row[0] }
    var a: Int { __row[1] }
  }
}
