@_spi(GeneratedCode) import RelayStore

private let userName = graphql("fragment User_name on User { id name }")

private let todoRow = graphql(
  """
  fragment TodoRow_todo on Todo {
    id
    text
    isComplete
    assignee { name ...User_name }
  }
  """)

private let todoList = graphql(
  """
  query TodoListQuery($first: Int = 10, $after: String) {
    todos(first: $first, after: $after) { id ...TodoRow_todo @alias(as: "row") }
  }
  """)

private let todoText = graphql("fragment TodoText_todo on Todo { text }")

private let setComplete = graphql(
  """
  mutation SetCompleteMutation($id: ID!, $isComplete: Boolean!) {
    setComplete(id: $id, isComplete: $isComplete) { todo { isComplete ...TodoText_todo } }
  }
  """)

extension TodoListQuery {
  /// Returns a response's data with one todo, "1".
  static func oneTodo(_ text: String) -> JSONValue {
    ["todos": [["id": "1", "text": .string(text), "isComplete": false, "assignee": nil]]]
  }
}

extension SetCompleteMutation.RawResponse {
  /// Creates an optimistic response without the todo's text.
  init(id: String, isComplete: Bool) {
    self.init(setComplete: .init(todo: .init(id: id, isComplete: isComplete)))
  }
}

/// Any selection, for tests that state a plan and inspect the result as JSON.
struct AnySelection: GraphQLView, Hashable {
  let __row: Row
}
