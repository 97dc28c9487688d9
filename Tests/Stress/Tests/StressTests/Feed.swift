@_spi(GeneratedCode) import RelayStore

// A handwritten version of relay-compiler's output for the selections of the stress tests:
//
//   query FeedQuery($page: Int!) {
//     feed(page: $page) { id label number friend { id label number } }
//   }
//   fragment Item_item on Item { id label number friend { label number } }

/// A query for a page of items.
struct FeedQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "FeedQuery", text: "query FeedQuery($page: Int!) { … }", reader: Data.__plan,
    normalization: SelectionPlan(
      "Query{feed(page:$page) [Item{id ID! label String number Int friend Item{id ID! label String number Int}}!]}"
    ))
  var page: Int
  var __variables: Variables { ["page": page] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "Query{feed(page:$page) [Item{label String number Int friend Item{label String number Int}}!]}"
    )
    let __row: Row
    init(__row: Row) { self.__row = __row }
    var feed: GraphQLList<Item>? { __row[0] }

    struct Item: GraphQLView, Hashable {
      static var __plan: SelectionPlan { Data.__plan[0] }
      let __row: Row
      init(__row: Row) { self.__row = __row }
      var label: String? { __row[0] }
      var number: Int? { __row[1] }
      var friend: Friend? { __row[2] }
    }
  }
}

/// The friend of an item.
struct Friend: GraphQLView, Hashable {
  static var __plan: SelectionPlan { Item_item.__plan[3] }
  let __row: Row
  init(__row: Row) { self.__row = __row }
  var label: String? { __row[0] }
  var number: Int? { __row[1] }
}

/// A fragment of an item.
struct Item_item: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan(
    "Item{id ID! label String number Int friend Item{label String number Int}}")
  let __row: Row
  init(__row: Row) { self.__row = __row }
  var id: String { __row[0] }
  var label: String? { __row[1] }
  var number: Int? { __row[2] }
  var friend: Friend? { __row[3] }
}

/// The invariant that every snapshot must satisfy: an item's label is derived from its number. Both
/// fields are always written together.
enum ItemInvariant {
  static func label(_ number: Int) -> String { "number \(number)" }

  static func holds(_ label: String?, _ number: Int?) -> Bool {
    label == number.map(ItemInvariant.label)
  }

  static func holds(_ item: Item_item) -> Bool {
    holds(item.label, item.number)
      && (item.friend.map { holds($0.label, $0.number) } ?? true)
  }

  static func holds(_ data: FeedQuery.Data) -> Bool {
    (data.feed ?? []).allSatisfy { item in
      holds(item.label, item.number) && (item.friend.map { holds($0.label, $0.number) } ?? true)
    }
  }
}
