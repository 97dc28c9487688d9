import RelayPersistence
@_spi(GeneratedCode) import RelayStore

/// A mutation in the form that relay-compiler generates, with the optimistic response for tests.
protocol OptimisticMutation: GraphQLMutation {
  var optimisticResponse: RawResponse { get }
}

extension RelayEnvironment {
  /// Commits a mutation to the outbox with its optimistic response.
  @discardableResult
  func add(
    _ mutation: some OptimisticMutation, after: [OutboxEntry.ID] = []
  ) async throws -> OutboxEntry {
    try await commit(
      mutation, optimisticResponse: mutation.optimisticResponse,
      durability: .outbox(after: after))
  }
}

extension MutationInbox {
  /// Adds a mutation with its optimistic response, as another process would.
  @discardableResult
  func add(
    _ mutation: some OptimisticMutation, after: [OutboxEntry.ID] = []
  ) throws -> OutboxEntry {
    try add(mutation, optimisticResponse: mutation.optimisticResponse, after: after)
  }
}

/// A mutation that adds a todo. The todo has a client id until the response arrives.
struct AddTodoMutation: OptimisticMutation {
  static let __operation = OperationPlan(
    text: "mutation AddTodo($text: String!) { addTodo(text: $text) { id text } }",
    reader: "AddTodo Mutation{addTodo(text:$text) Todo{id ID! text String}}",
    normalization: "Mutation{addTodo(text:$text) Todo{__typename String! id ID! text String}}")
  let text: String
  let id: String
  var __variables: Variables { Variables(json: ["text": .string(text)]) }

  struct Data: GraphQLView {
    static let __plan = AddTodoMutation.__operation.reader
    let __row: Row
  }
  struct RawResponse: GraphQLView {
    static let __plan = SelectionPlan(
      "AddTodo Mutation{addTodo(text:$text) Todo{__typename String! id ID! text String}}")
    let __row: Row
    init(__row: Row) { self.__row = __row }
    init(addTodo: Todo?) { self.init(Self.__plan, addTodo) }

    struct Todo: GraphQLView {
      static var __plan: SelectionPlan { RawResponse.__plan[0] }
      let __row: Row
      init(__row: Row) { self.__row = __row }
      init(id: String, text: String) { self.init(Self.__plan, "Todo", id, text) }
    }
  }

  var optimisticResponse: RawResponse { RawResponse(addTodo: .init(id: id, text: text)) }
}

/// A mutation that changes a todo.
struct SetTextMutation: OptimisticMutation {
  static let __operation = OperationPlan(
    text:
      "mutation SetText($id: ID!, $text: String!) { setText(id: $id, text: $text) { id text } }",
    reader: "SetText Mutation{setText(id:$id,text:$text) Todo{id ID! text String}}",
    normalization:
      "Mutation{setText(id:$id,text:$text) Todo{__typename String! id ID! text String}}")
  let id: String
  let text: String
  /// A variable that the document does not use.
  var note: String?

  var __variables: Variables {
    var variables: JSONObject = ["id": .string(id), "text": .string(text)]
    if let note { variables["note"] = .string(note) }
    return Variables(json: variables)
  }

  struct Data: GraphQLView {
    static let __plan = SetTextMutation.__operation.reader
    let __row: Row
  }
  struct RawResponse: GraphQLView {
    static let __plan = SelectionPlan(
      "SetText Mutation{setText(id:$id,text:$text) Todo{__typename String! id ID! text String}}")
    let __row: Row
    init(__row: Row) { self.__row = __row }
    init(setText: Todo?) { self.init(Self.__plan, setText) }

    struct Todo: GraphQLView {
      static var __plan: SelectionPlan { RawResponse.__plan[0] }
      let __row: Row
      init(__row: Row) { self.__row = __row }
      init(id: String, text: String) { self.init(Self.__plan, "Todo", id, text) }
    }
  }

  var optimisticResponse: RawResponse { RawResponse(setText: .init(id: id, text: text)) }
}

extension OptimisticMutation where Self == AddTodoMutation {
  static func add(_ text: String, as id: String) -> Self { AddTodoMutation(text: text, id: id) }
}

extension OptimisticMutation where Self == SetTextMutation {
  static func set(_ id: String, to text: String, with note: String? = nil) -> Self {
    SetTextMutation(id: id, text: text, note: note)
  }
}

/// A mutation that deletes a todo.
struct DeleteTodoMutation: OptimisticMutation {
  static let __operation = OperationPlan(
    text: "mutation DeleteTodo($id: ID!) { deleteTodo(id: $id) { gone } }",
    reader: "DeleteTodo Mutation{deleteTodo(id:$id) Payload{gone ID}}",
    normalization: "Mutation{deleteTodo(id:$id) Payload{gone ID%deleteRecord}}")
  let id: String
  var __variables: Variables { Variables(json: ["id": .string(id)]) }

  struct Data: GraphQLView {
    static let __plan = DeleteTodoMutation.__operation.reader
    let __row: Row
  }
  struct RawResponse: GraphQLView {
    static var __plan: SelectionPlan { DeleteTodoMutation.__operation.normalization }
    let __row: Row
    init(__row: Row) { self.__row = __row }
    init(deleteTodo: Payload?) { self.init(Self.__plan, deleteTodo) }

    struct Payload: GraphQLView {
      static var __plan: SelectionPlan { RawResponse.__plan[0] }
      let __row: Row
      init(__row: Row) { self.__row = __row }
      init(gone: String?) { self.init(Self.__plan, gone) }
    }
  }

  var optimisticResponse: RawResponse { RawResponse(deleteTodo: .init(gone: id)) }
}

extension OptimisticMutation where Self == DeleteTodoMutation {
  static func delete(_ id: String) -> Self { DeleteTodoMutation(id: id) }
}
