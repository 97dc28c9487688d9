@_spi(GeneratedCode) import RelayStore

// The output of relay-compiler for a small schema, written by hand so that the runtime's tests do
// not need the compiler:
//   interface Node { id: ID! }
//   type User implements Node { id: ID! name: String! }
//   type Todo implements Node { id: ID! text: String! score: Float isComplete: Boolean! assignee: User tags: [String!] subject: Subject }
//   union Subject = Bug | Chore
//   type Bug { id: ID! severity: Int! }   type Chore { minutes: Int }
//   type Query { todos(first: Int, after: String): [Todo!]! todo(id: ID!): Todo viewer: Viewer }

struct User_name: GraphQLFragment, Hashable, CustomReflectable {
  static let __plan = SelectionPlan("User{id ID! name String!}")
  let __row: Row
  init(__row: Row) { self.__row = __row }
  init(id: String, name: String) { __row = Row(Self.__plan, id, name) }
  var id: String { __row[0] }
  var name: String { __row[1] }
}

struct TodoRow_todo: GraphQLFragment, Hashable, CustomReflectable, Identifiable {
  static let __plan = SelectionPlan(
    "Todo{id ID! text String! isComplete Boolean! assignee User{name String! ...User_name}}")
  let __row: Row
  init(__row: Row) { self.__row = __row }
  init(id: String, text: String, isComplete: Bool, assignee: User_assignee? = nil) {
    __row = Row(Self.__plan, id, text, isComplete, assignee)
  }
  var id: String { __row[0] }
  var text: String { __row[1] }
  var isComplete: Bool { __row[2] }
  var assignee: User_assignee? { __row[3] }

  struct User_assignee: GraphQLView, Hashable {
    static var __plan: SelectionPlan { TodoRow_todo.__plan[3] }
    let __row: Row
    init(__row: Row) { self.__row = __row }
    init(name: String, user_name: FragmentRef<User_name>) {
      __row = Row(Self.__plan, name, user_name)
    }
    var name: String { __row[0] }
    var fragments: Fragments { Fragments(__row: __row) }

    struct Fragments: GraphQLView, Hashable {
      let __row: Row
      init(__row: Row) { self.__row = __row }
      var user_name: FragmentRef<User_name> { __row.spread(1) }
    }
  }
}

struct TodoListQuery: GraphQLQuery, Hashable {
  static let __operation = OperationPlan(
    name: "TodoListQuery", text: "query TodoListQuery($first: Int, $after: String) { … }",
    variableDefaults: #"{"first":10}"#,
    reader: Data.__plan,
    normalization: SelectionPlan(
      "Query{todos(after:$after,first:$first) [Todo{id ID! text String! isComplete Boolean! assignee User{id ID! name String!}}!]!}"
    ))
  var first = 10
  var after: GraphQLNullable<String> = .none
  var __variables: Variables { ["first": first, "after": after] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "Query{todos(after:$after,first:$first) [Todo{id ID! ...TodoRow_todo}!]!}")
    let __row: Row
    init(__row: Row) { self.__row = __row }
    var todos: GraphQLList<Todo_todos> { __row[0] }

    struct Todo_todos: GraphQLView, Hashable {
      static var __plan: SelectionPlan { Data.__plan[0] }
      let __row: Row
      init(__row: Row) { self.__row = __row }
      var id: String { __row[0] }
      var row: FragmentRef<TodoRow_todo> { __row.spread(1) }
    }
  }
}

extension TodoListQuery {
  /// Returns a response's data with one todo, "1".
  static func oneTodo(_ text: String) -> JSONValue {
    ["todos": [["id": "1", "text": .string(text), "isComplete": false, "assignee": nil]]]
  }
}

struct SetCompleteMutation: GraphQLMutation, Hashable {
  static let __operation = OperationPlan(
    name: "SetCompleteMutation",
    text: "mutation SetCompleteMutation($id: ID!, $isComplete: Boolean!) { … }",
    reader: Data.__plan,
    normalization: SelectionPlan(
      #"Mutation{setComplete(id:$id,isComplete:$isComplete) Payload{todo Todo{id ID! isComplete Boolean! text String!}}}"#
    ))
  var id: String
  var isComplete: Bool
  var __variables: Variables { ["id": id, "isComplete": isComplete] }

  struct Data: GraphQLView, Hashable {
    static let __plan = SelectionPlan(
      "Mutation{setComplete(id:$id,isComplete:$isComplete) Payload{todo Todo{isComplete Boolean!}}}"
    )
    let __row: Row
    init(__row: Row) { self.__row = __row }
    var setComplete: Payload? { __row[0] }

    struct Payload: GraphQLView, Hashable {
      static var __plan: SelectionPlan { Data.__plan[0] }
      let __row: Row
      init(__row: Row) { self.__row = __row }
      var todo: Todo? { __row[0] }

      struct Todo: GraphQLView, Hashable {
        static var __plan: SelectionPlan { Payload.__plan[0] }
        let __row: Row
        init(__row: Row) { self.__row = __row }
        var isComplete: Bool { __row[0] }
      }
    }
  }

  struct RawResponse: GraphQLView, Hashable {
    static var __plan: SelectionPlan { SetCompleteMutation.__operation.normalization }
    let __row: Row
    init(__row: Row) { self.__row = __row }
    init(id: String, isComplete: Bool) {
      let todo = Row(Self.__plan[0][0], id, isComplete)
      let payload = Row(Self.__plan[0], Data.Payload.Todo(__row: todo))
      __row = Row(Self.__plan, Data.Payload(__row: payload))
    }
  }
}

/// Any selection, for tests that state a plan and inspect the result as JSON.
struct AnySelection: GraphQLView, Hashable {
  static let __plan = SelectionPlan("Query{}")
  let __row: Row
  init(__row: Row) { self.__row = __row }
}
