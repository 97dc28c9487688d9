import RelayStore
import RelayStoreTesting
import Testing

// The Swift code of Docs/Reference/Errors.md, which a test compares, and its rules.

/// The notice that a view shows for an error, in the app's words.
struct Notice: Equatable {
  var text: String
  var canRetry = false
  var delay = Duration.zero
}

/// Returns the notice for an error; `nil` for an error that views ignore.
func notice(for error: any Error) -> Notice? {
  guard let error = error as? RelayError else {
    return error is CancellationError ? nil : Notice(text: "Something went wrong.")
  }
  let text: String? =
    switch error.code {
    case .cancelled: nil
    case _ where error.errors.contains { $0.extensions["code"]?.string == "FORBIDDEN" }:
      "You may not see this."
    case _ where error.isUnauthenticated || error.status == 401: "Please sign in again."
    case .transport where error.isTimeout: "The server does not respond."
    case .transport where error.status == nil: "There is no connection."
    default: "Something went wrong."
    }
  return text.map {
    Notice(text: $0, canRetry: error.isRetryable, delay: error.retryAfter ?? .zero)
  }
}

/// Returns the contents of a screen: the data, a notice, or both.
func content(of state: QueryState<FeedQuery.Data>) -> (lines: Int?, notice: Notice?) {
  let banner = state.error.flatMap { notice(for: $0) }
  if let feed = state.data { return (feed.feed.count, banner) }
  return (nil, banner ?? Notice(text: "Loading …"))
}

private let details = graphql(
  """
  fragment TodoDetails_todo on Todo {
    text
    dueAt @required(action: LOG)
    assignee @catch { name }
  }
  """)

private let detailsQuery = graphql(
  "query TodoDetailsQuery($id: ID!) { todo(id: $id) { id ...TodoDetails_todo } }")

/// Returns the text of a todo, and of its assignee or the reason why there is none.
func lines(of snapshot: Snapshot<TodoDetails_todo>) -> [String] {
  guard let todo = snapshot.data else { return ["This todo cannot be shown."] }
  switch todo.assignee {
  case .success(let user): return [todo.text, todo.dueAt, user?.name ?? "nobody"]
  case .failure: return [todo.text, todo.dueAt, "The assignee cannot be shown."]
  }
}

/// Likes a todo, and returns the button's notice.
@MainActor
func like(_ todo: FeedTodo, with like: MutationModel<LikeMutation>) async -> Notice? {
  do {
    try await like.commit(LikeMutation(id: todo.id))
  } catch is CancellationError {
    return nil  // the view has gone
  } catch {
    // in like.error, too
  }
  return like.error.flatMap { notice(for: $0) }
}

@Suite("The guide to errors", .timeLimit(.minutes(1)))
@MainActor struct ErrorsGuide {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() { environment = RelayEnvironment(transport: server) }

  @Test("a notice has the app's words, and whether and when to try again")
  func notices() {
    #expect(notice(for: CancellationError()) == nil)
    #expect(notice(for: RelayError(.cancelled, "")) == nil)
    var error = RelayError(.transport, "busy", operationName: "FeedQuery")
    #expect(notice(for: error)?.text == "There is no connection.")
    error.isTimeout = true
    #expect(notice(for: error)?.text == "The server does not respond.")
    error.isUnauthenticated = true
    #expect(notice(for: error)?.text == "Please sign in again.")
    (error.isTimeout, error.isUnauthenticated) = (false, false)
    (error.status, error.isRetryable, error.retryAfter) = (503, true, .seconds(5))
    #expect(notice(for: error)?.canRetry == true && notice(for: error)?.delay == .seconds(5))
    #expect(error.recoverySuggestion == "Try again in 5 seconds.")
    error.status = 401
    #expect(notice(for: error)?.text == "Please sign in again.")
    let refusal = GraphQLError(message: "no", extensions: ["code": "FORBIDDEN"])
    let refused = RelayError(.transport, "", errors: [refusal])
    #expect(notice(for: refused)?.text == "You may not see this.")
    let forbidden = RelayError(.graphQL, "", errors: [refusal])
    #expect(notice(for: forbidden)?.text == "You may not see this.")
    #expect(forbidden.failureReason == "no" && forbidden.recoverySuggestion == nil)
  }

  @Test("data stays on the screen with the error of a later request, which starts without it")
  func dataAndError() async throws {
    let feed = environment.load(FeedQuery(first: 10))
    #expect(content(of: feed.state) == (nil, Notice(text: "Loading …")))
    try await server.next().resolve(data: ["feed": []])
    try await environment.settle()
    feed.refetch()
    try await server.next().reject(RelayError(.transport, "no network"))
    try await environment.settle()
    #expect(content(of: feed.state) == (0, Notice(text: "There is no connection.")))
    feed.refetch()
    #expect(feed.state.error == nil && feed.state.data != nil)
    try await server.next().resolve(data: ["feed": []])
    try await environment.settle()
  }

  @Test("@catch keeps the error of a field in the field, @required in the snapshot")
  func fields() async throws {
    let task = Task { try await environment.fetch(TodoDetailsQuery(id: "1")) }
    try await server.next().resolve(
      data: ["todo": ["id": "1", "text": "Wash", "dueAt": "today", "assignee": nil]],
      errors: [["message": "gone", "path": ["todo", "assignee"]]])
    let todo = try #require(try await task.value.data?.todo)
    func shown() -> Snapshot<TodoDetails_todo> {
      environment.read(todo.fragments.todoDetails_todo)
    }
    #expect(lines(of: shown()) == ["Wash", "today", "The assignee cannot be shown."])
    #expect(shown().errors.isEmpty)
    try environment.commitUpdate { try $0["1"]?.setValue(.null, for: "dueAt") }
    #expect(lines(of: shown()) == ["This todo cannot be shown."])
    #expect(shown().errors.map(\.kind) == [.required])
  }

  @Test("a model's error has a refusal that commit returns, and a failure that it throws")
  func mutations() async throws {
    try environment.commitPayload(
      FeedQuery(first: 10), data: ["feed": [["id": "1", "text": "Wash", "isComplete": false]]])
    let todo = try #require(environment.read(FeedQuery(first: 10)).data?.feed.first)
    let model = MutationModel(LikeMutation.self, in: environment)
    async let refused = like(todo, with: model)
    try await server.next().resolve(
      data: ["like": nil], errors: [["message": "no", "path": ["like"]]])
    #expect(await refused?.text == "Something went wrong.")
    #expect(model.error?.code == .graphQL && model.error?.errors.map(\.message) == ["no"])
    async let failed = like(todo, with: model)
    try await server.next().reject(RelayError(.transport, "no network"))
    #expect(await failed?.text == "There is no connection.")
  }
}
