import Observation
import RelayStore

// The Swift code of Docs/Mutations.md; a test compares them.

private let setComplete = graphql(
  """
  mutation SetCompleteMutation($id: ID!, $isComplete: Boolean!) {
    setComplete(id: $id, isComplete: $isComplete) { todo { id isComplete } }
  }
  """)

private let like = graphql(
  "mutation LikeMutation($id: ID!) { like(id: $id) { todo { id likes } } }")

private let lists = graphql(
  """
  mutation AddTodoMutation($text: String!, $lists: [ID!]!) {
    addTodo(text: $text) { edge @appendEdge(connections: $lists) { node { ...TodoRow_todo } } }
  }
  mutation DeleteTodoMutation($id: ID!) {
    deleteTodo(id: $id) { deletedID @deleteRecord }
  }
  """)

private let todoForm = graphql(
  """
  fragment TodoForm_todo on Todo { id text note }
  mutation TodoFormMutation($input: EditTodoInput!) {
    editTodo(input: $input) { todo { ...TodoForm_todo } problems { field message } }
  }
  """)

/// A form that sends what has changed, and has the reason of each field that the server refuses.
@MainActor @Observable
final class TodoForm {
  var text: String
  var note: String?
  private(set) var problems: [String: String] = [:]
  let saving: MutationModel<TodoFormMutation>
  private let before: TodoForm_todo

  init(_ todo: TodoForm_todo, in environment: RelayEnvironment) {
    before = todo
    text = todo.text
    note = todo.note
    saving = MutationModel(TodoFormMutation.self, in: environment)
  }

  private var input: EditTodoInput {
    EditTodoInput(
      id: before.id,
      note: note == before.note ? .none : GraphQLNullable(note, ifNil: .null),
      text: text == before.text ? .none : .some(text))
  }

  /// Returns whether everything is saved.
  func save() async -> Bool {
    problems = [:]
    let result = try? await saving.commit(TodoFormMutation(input: input))
    for problem in result?.data?.editTodo?.problems ?? .init() {
      problems[problem.field] = problem.message
    }
    for error in saving.error?.errors ?? [] {
      if let field = error.extensions["field"]?.string { problems[field] = error.message }
    }
    return result != nil && saving.error == nil && problems.isEmpty
  }
}

private let avatar = graphql(
  "mutation SetAvatarMutation($file: Upload!) { setAvatar(file: $file) { viewer { avatar } } }")

/// Commits a mutation with an optimistic response.
func complete(_ todo: FeedTodo, _ environment: RelayEnvironment, on screen: Screen) async throws {
  let result = try await environment.commit(
    SetCompleteMutation(id: todo.id, isComplete: true),
    optimisticResponse: .init(setComplete: .init(todo: .init(id: todo.id, isComplete: true))))
  if let refusal = result.responseErrors.first { await screen.show(refusal.message) }
}

/// Commits a mutation with an optimistic updater that increments a counter.
func like(_ todo: FeedTodo, _ environment: RelayEnvironment) async throws {
  try await environment.commit(
    LikeMutation(id: todo.id),
    optimisticUpdater: { store in
      guard let record = try store[DataID(todo.id)] else { return }
      try record.setValue((record.getValue("likes")?.int ?? 0) + 1, for: "likes")
    })
}

/// Appends an edge to connections with `@appendEdge`, and deletes a record with `@deleteRecord`.
func addAndDelete(
  to list: DataID, _ todo: FeedTodo, _ environment: RelayEnvironment
) async throws {
  let lists = environment.connections("ListItems_todos", of: list)
  try await environment.commit(
    AddTodoMutation(text: "Feed the cat", lists: lists.map(\.rawValue)))
  try await environment.commit(
    DeleteTodoMutation(id: todo.id),
    optimisticResponse: .init(deleteTodo: .init(deletedID: todo.id)))
}

/// Commits a mutation whose optimistic response has every field of the new object.
func addComplete(to lists: [DataID], _ environment: RelayEnvironment) async throws {
  try await environment.commit(
    AddTodoMutation(text: "Feed the cat", lists: lists.map(\.rawValue)),
    optimisticResponse: .complete(
      addTodo: .complete(
        edge: .complete(
          node: .complete(id: ClientID.unique(), isComplete: false, text: "Feed the cat")))))
}

/// Commits a mutation with an updater for a list that no directive changes.
func addFirst(_ environment: RelayEnvironment) async throws {
  try await environment.commit(AddTodoMutation(text: "Feed the cat", lists: [])) { store in
    let payload = try store.getRootField("addTodo", arguments: ["text": "Feed the cat"])
    guard let todo = try payload?.getLinkedRecord("edge")?.getLinkedRecord("node") else { return }
    let feed = try store.root.getLinkedRecords("feed", arguments: ["first": 10]) ?? []
    try store.root.setLinkedRecords([todo] + feed, for: "feed", arguments: ["first": 10])
  }
}

/// Uploads a file.
func setAvatar(_ bytes: [UInt8], _ environment: RelayEnvironment) async throws {
  let file = Upload(bytes, fileName: "me.png", contentType: "image/png")
  try await environment.commit(SetAvatarMutation(file: file))
}

/// Changes the store without a request, durably and with an optimistic draft.
func editLocally(_ todo: FeedTodo, _ environment: RelayEnvironment) throws {
  try environment.commitUpdate { store in
    try store[DataID(todo.id)]?.setValue("Feed both cats", for: "text")
  }
  let draft = try environment.applyUpdate { store in
    try store[DataID(todo.id)]?.setValue("Feed th", for: "text")
  }
  try draft.replace { store in
    try store[DataID(todo.id)]?.setValue("Feed the", for: "text")
  }
  try environment.batch {
    try environment.commitUpdate { try $0[DataID(todo.id)]?.setValue("Feed all", for: "text") }
    draft.revert()
  }
}
