@_spi(GeneratedCode) import RelayStore

// Handwritten equivalents of relay-compiler's output, so that the target needs no plugin.

/// A list of todos with two fields each.
struct FeedQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "FeedQuery", text: "query FeedQuery($first: Int) { feed(first: $first) { id text } }",
    reader: Data.__plan,
    normalization: SelectionPlan("Query{feed(first:$first) [Todo{id ID! text String}]}"))
  var first = 10
  var __variables: Variables { ["first": first] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "FeedQuery Query{feed(first:$first) [Todo{id ID! text String}]}")
    let __row: Row
  }

  /// Returns the data of a response.
  static func data(_ todos: (id: String, text: String)...) -> JSONValue {
    [
      "feed": .array(
        todos.map { ["id": .string($0.id), "text": .string($0.text)] })
    ]
  }
}

/// One todo with its owner.
struct TodoQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "TodoQuery",
    text: "query TodoQuery($id: ID!) { todo(id: $id) { id text isDone owner { id name } } }",
    reader: Data.__plan,
    normalization: SelectionPlan(
      "Query{todo(id:$id) Todo{id ID! text String isDone Boolean owner User{id ID! name String}}}"
    ))
  var id: String
  var __variables: Variables { ["id": id] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan("TodoQuery Query{todo(id:$id) Todo{id ID! text String}}")
    let __row: Row
  }
}

struct TodoText: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan("TodoText Todo{id ID! text String}")
  let __row: Row
  var text: String? { __row[1] }
}

struct TodoDetails: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan(
    "TodoDetails Todo{id ID! text String isDone Boolean owner User{id ID! name String}}")
  let __row: Row
}

struct TodoComments: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan("TodoComments Todo{comments(last:5) [Comment{id ID!}]}")
  let __row: Row
}

struct FeedTexts: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan("FeedTexts Query{feed(first:10) [Todo{id ID! text String}]}")
  let __row: Row
}

struct SetTextMutation: GraphQLMutation, Hashable {
  static let __operation = OperationPlan(
    name: "SetTextMutation",
    text:
      "mutation SetTextMutation($id: ID!, $text: String!) { setText(id: $id, text: $text) { id text } }",
    reader: Data.__plan,
    normalization: SelectionPlan("Mutation{setText(id:$id,text:$text) Todo{id ID! text String}}"))
  var id: String
  var text: String
  var __variables: Variables { ["id": id, "text": text] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "SetTextMutation Mutation{setText(id:$id,text:$text) Todo{id ID! text String}}")
    let __row: Row
  }
  struct RawResponse: GraphQLView {
    static let __plan = SelectionPlan(
      "SetTextMutation Mutation{setText(id:$id,text:$text) Todo{id ID! text String}}")
    let __row: Row
    init(__row: Row) { self.__row = __row }
    init(setText: Todo?) { self.init(Self.__plan, setText) }

    struct Todo: GraphQLView {
      static var __plan: SelectionPlan { RawResponse.__plan[0] }
      let __row: Row
      init(__row: Row) { self.__row = __row }
      init(id: String, text: String) { self.init(Self.__plan, id, text) }
    }
  }
}

struct TodoSubscription: GraphQLSubscription, Hashable {
  static let __operation = OperationPlan(
    name: "TodoSubscription", text: "subscription TodoSubscription { todo { id text } }",
    reader: Data.__plan,
    normalization: SelectionPlan("Subscription{todo Todo{id ID! text String}}"))

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "TodoSubscription Subscription{todo Todo{id ID! text String}}")
    let __row: Row
  }
}

struct LabelledFeed: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan("LabelledFeed($label) Query{count(label:$label) String}")
  let __row: Row
}
