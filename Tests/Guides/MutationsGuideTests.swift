import RelayStore
import RelayStoreTesting
import Testing

@Suite("The program of the guide to mutations", .timeLimit(.minutes(1)))
@MainActor
struct MutationsGuideTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() { environment = RelayEnvironment(transport: server) }

  @Test("a form sends what has changed, and has the reasons of the fields that are refused")
  func form() async throws {
    let todo = TodoForm_todo(id: "1", text: "Wash", note: "With soap")
    let form = TodoForm(todo, in: environment)

    // Null clears the note; the text is absent.
    form.note = nil
    let first = Task { await form.save() }
    let cleared = try await server.next(TodoFormMutation.self)
    #expect(cleared.request.variables == ["input": ["id": "1", "note": nil]])
    #expect(form.saving.isInFlight)
    let problem: JSONValue = ["field": "note", "message": "A note, please."]
    cleared.resolve(data: ["editTodo": ["todo": nil, "problems": [problem]]])
    #expect(await first.value == false)
    #expect(form.problems == ["note": "A note, please."] && !form.saving.isInFlight)

    // The note is as before, and absent.
    form.note = "With soap"
    form.text = "Wash the cat"
    let second = Task { await form.save() }
    let changed = try await server.next()
    #expect(changed.request.variables == ["input": ["id": "1", "text": "Wash the cat"]])
    #expect(form.problems.isEmpty)
    let error: JSONValue = [
      "message": "Not the cat.", "path": ["editTodo"], "extensions": ["field": "text"],
    ]
    changed.resolve(data: ["editTodo": nil], errors: [error])
    #expect(await second.value == false)
    #expect(form.problems == ["text": "Not the cat."])

    form.text = "Wash the dog"
    let third = Task { await form.save() }
    let saved: JSONValue = ["id": "1", "text": "Wash the dog", "note": "With soap"]
    try await server.next().resolve(data: ["editTodo": ["todo": saved, "problems": []]])
    #expect(await third.value == true)
    #expect(form.problems.isEmpty && form.saving.error == nil)
    let row = environment.read(FragmentRef<TodoForm_todo>(id: "1"))
    #expect(row.data?.text == "Wash the dog")

    // Without a connection there is no field to blame.
    let fourth = Task { await form.save() }
    try await server.next().reject(RelayError(.transport, "no network"))
    #expect(await fourth.value == false)
    #expect(form.problems.isEmpty && form.saving.error?.code == .transport)
  }

  @Test("a new row is in the list at once, and leaves it if the server refuses")
  func adding() async throws {
    let page: JSONValue = ["edges": [], "pageInfo": ["endCursor": nil, "hasNextPage": false]]
    let query = SharedListQuery(id: "l")
    try environment.commitPayload(
      query, data: ["list": ["id": "l", "name": "Home", "todos": page]])
    let list = try #require(environment.read(query).data?.list)
    func texts() -> [String?]? {
      environment.read(list.fragments.listItems_list).data?.todos?.nodes.map {
        environment.read($0.fragments.todoRow_todo).data?.text
      }
    }
    let lists = environment.connections("ListItems_todos", of: DataID(list.id))
    let adding = Task { try await addComplete(to: lists, environment) }
    let request = try await server.next(AddTodoMutation.self)
    #expect(texts() == ["Feed the cat"])
    request.resolve(data: nil, errors: [["message": "No more todos."]])
    let error = await #expect(throws: RelayError.self) { try await adding.value }
    #expect(error?.code == .graphQL && texts() == [])
  }
}
