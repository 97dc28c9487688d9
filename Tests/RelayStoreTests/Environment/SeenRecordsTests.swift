import RelayStore
import Testing

@Suite(.timeLimit(.minutes(1))) struct SeenRecordsTests {
  private func store() throws -> TestStore {
    let test = TestStore()
    try test.environment.commitPayload(
      TodoListQuery(),
      data: [
        "todos": [
          ["id": "1", "text": "a", "isComplete": false, "assignee": ["id": "u", "name": "Ada"]],
          ["id": "2", "text": "b", "isComplete": false, "assignee": nil],
        ]
      ])
    return test
  }

  @Test("a snapshot lists the records it was read from")
  func whole() throws {
    let test = try store()
    #expect(test.environment.read(FragmentRef<TodoRow_todo>(id: "1")).seenRecords == ["1", "u"])
    #expect(test.environment.read(TodoListQuery()).seenRecords == [.root, "1", "2"])
    #expect(
      test.environment.read([FragmentRef<User_name>(id: "u"), FragmentRef<User_name>(id: "x")])
        .seenRecords == ["u", "x"])
  }

  @Test("deleted and unknown records are seen, and so are those of objects that became null")
  func holes() throws {
    let test = try store()
    #expect(test.environment.read(FragmentRef<User_name>(id: "x")).seenRecords == ["x"])
    try test.environment.commitUpdate { try $0["u"]?.removeValue("name") }
    let hole = test.environment.read(FragmentRef<TodoRow_todo>(id: "1"))
    #expect(hole.isMissingData && hole.seenRecords == ["1", "u"])
    // The assignee becomes null, because the missing login has a non-null type.
    let login = TestSelection("fragment Login on Todo { assignee { login } }")
    #expect(test.json(login, id: "1") == ["assignee": nil])
    #expect(test.read(login, id: "1").seenIDs == ["1", "u"])
    try test.environment.commitUpdate { try $0.delete("u") }
    let deleted = test.environment.read(FragmentRef<TodoRow_todo>(id: "1"))
    #expect(deleted.data != nil && deleted.seenRecords == ["1", "u"])
    #expect(test.environment.read(FragmentRef<User_name>(id: "u")).seenRecords == ["u"])
  }

  @Test("type schema records are not listed")
  func types() throws {
    let test = TestStore()
    let plan = TestSelection(#"{ node(id: "1") { ... on Actor { login } } }"#)
    // The schema does not have the type, so a read consults the type schema record.
    try test.write(
      plan,
      ["node": ["__typename": "Robot", "id": "1", "__isActor": "Robot", "login": "r2"]])
    #expect(test.read(plan).seenIDs == [.root, "1"])
    try test.environment.commitUpdate { try $0["1"]?.removeValue("login") }
    #expect(test.read(plan).seenIDs == [.root, "1"])
  }
}
