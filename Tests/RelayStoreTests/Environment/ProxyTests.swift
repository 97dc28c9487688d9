import RelayStore
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProxyTests {
  private let plan = TestSelection("{ me { id name age pet { id name } friends { id name } } }")

  private func store() throws -> TestStore {
    let test = TestStore()
    try test.write(
      plan,
      [
        "me": [
          "id": "1", "name": "Ada", "age": 36, "pet": ["id": "p", "name": "Rex"],
          "friends": [["id": "2", "name": "Bob"], nil],
        ]
      ])
    return test
  }

  /// Runs an updater and expects an error whose message contains `part`.
  private func expectError(
    containing part: String, in test: TestStore, sourceLocation: SourceLocation = #_sourceLocation,
    _ updater: @escaping StoreUpdater
  ) {
    do {
      try test.environment.commitUpdate(updater)
      Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch {
      let message = (error as? RelayError)?.message ?? "\(error)"
      #expect(message.contains(part), sourceLocation: sourceLocation)
    }
  }

  @Test("a removed field is absent, not null")
  func removing() throws {
    let test = try store()
    try test.environment.commitUpdate { store in
      try store["1"]?.removeValue("name")
      try store["1"]?.removeValue("pet")
      try store["1"]?.removeValue("never")
      #expect(try store["1"]?.getValue("name") == nil)
    }
    let snapshot = test.read(plan)
    #expect(snapshot.missing.map(\.description) == ["me.name", "me.pet"])
  }

  @Test("removing a field removes its error too")
  func removingErrors() throws {
    let test = TestStore()
    try test.write(
      plan, ["me": ["id": "1", "name": nil]],
      errors: [["message": "no", "path": ["me", "name"]]])
    #expect(test.read(plan).errors.count == 1)
    try test.environment.commitUpdate { try $0["1"]?.removeValue("name") }
    #expect(test.read(plan).errors.isEmpty)
  }

  @Test("copyFields copies all fields of the source, and keeps the copy's other fields")
  func copying() throws {
    let test = try store()
    try test.environment.commitUpdate { store in
      let copy = try store.create("c", type: "User")
      try copy.setValue("mine", for: "note")
      if let other = try store["1"] { try copy.copyFields(from: other) }
      #expect(copy.id == "c")
      #expect(try copy.getValue("name") == "Ada")
      #expect(try copy.getValue("note") == "mine")
      #expect(try copy.getLinkedRecord("pet")?.id == "p")
    }
  }

  @Test("state(of:) distinguishes unknown, deleted and present records")
  func states() throws {
    let test = try store()
    try test.environment.commitUpdate { store in
      try store.delete("2")
      #expect(try store.state(of: "1") == .present)
      #expect(try store.state(of: "2") == .deleted)
      #expect(try store.state(of: "3") == .unknown)
      #expect(try store["2"] == nil)
      #expect(try store["3"] == nil)
      let friends = try store["1"]?.getLinkedRecords("friends")
      #expect(friends?.map { $0?.id } == [nil, nil])
    }
  }

  @Test("storage keys and connection ids equal the ones in dumps")
  func keys() throws {
    let test = try store()
    try test.environment.commitUpdate { store in
      #expect(
        store.storageKey(for: "todos", arguments: ["first": 1, "after": .null])
          == "todos(after:null,first:1)")
      let root = try store.root
      #expect(root.storageKey(for: "a", arguments: ["z": 1, "b": "x"]) == #"a(b:"x",z:1)"#)
      #expect(
        store.connectionID(parent: "1", key: "List_todos", filters: ["status": "OPEN"])
          == #"client:1:__List_todos_connection(status:"OPEN")"#)
      #expect(store.connectionID(parent: .root, key: "K") == "client:root:__K_connection")
    }
  }

  @Test("a value of any input type can be written")
  func inputs() throws {
    let test = try store()
    try test.environment.commitUpdate { store in
      try store["1"]?.setValue(["a", "b"] as [String], for: "tags")
      try store["1"]?.setValue(1.5, for: "score")
      try store["1"]?.setValue(GraphQLNullable<Int>.none, for: "age")
      #expect(try store["1"]?.getValue("tags") == ["a", "b"])
      #expect(try store["1"]?.getValue("score") == 1.5)
      #expect(try store["1"]?.getValue("age") == 36)
    }
  }

  @Test("reading a link as a scalar, or with the other plurality, throws")
  func wrongKinds() throws {
    let test = try store()
    expectError(containing: "\"pet\"", in: test) { _ = try $0["1"]?.getValue("pet") }
    expectError(containing: "is a link", in: test) { _ = try $0["1"]?.getValue("friends") }
    expectError(containing: "friends", in: test) { _ = try $0["1"]?.getLinkedRecord("friends") }
    expectError(containing: "name", in: test) { _ = try $0["1"]?.getLinkedRecord("name") }
    expectError(containing: "pet", in: test) { _ = try $0["1"]?.getLinkedRecords("pet") }
    expectError(containing: "name", in: test) { _ = try $0["1"]?.getLinkedRecords("name") }
  }

  @Test("a list of nulls is a list of links to nothing")
  func listOfNulls() throws {
    try store().environment.commitUpdate { store in
      try store["1"]?.setValue([.null, .null], for: "friends")
      #expect(try store["1"]?.getLinkedRecords("friends")?.map { $0?.id } == [nil, nil])
    }
  }

  @Test("creating an existing record, deleting the root and re-creating a deleted record throw")
  func creating() throws {
    let test = try store()
    expectError(containing: "it already exists", in: test) { _ = try $0.create("1", type: "User") }
    expectError(containing: "root", in: test) { try $0.delete(.root) }
    expectError(containing: "deleted it", in: test) { store in
      try store.delete("1")
      _ = try store.create("1", type: "User")
    }
    #expect(test.json(plan) != nil)
    try test.environment.commitUpdate { try $0.delete("1") }
    try test.environment.commitUpdate { _ = try $0.create("1", type: "User") }
    #expect(
      test.read(TestSelection("fragment F on User { name age }"), id: "1")
        .missing.map(\.description) == ["name", "age"])
  }

  @Test("writing a deleted record throws")
  func absent() throws {
    let test = try store()
    expectError(containing: "deleted", in: test) { store in
      let record = try store["1"]
      try store.delete("1")
      try record?.setValue("x", for: "name")
    }
    expectError(containing: "deleted", in: test) { store in
      let record = try store["1"]
      try store.delete("1")
      try record?.removeValue("name")
    }
  }

  @Test("a local update returns its updater's value once its writes are there")
  func returnedValue() throws {
    let test = try store()
    let id = try test.environment.commitUpdate { store in
      let pet = try store.create(ClientID.unique(), type: "Pet")
      try pet.setValue("Rex", for: "name")
      return pet.id
    }
    #expect(try test.environment.commitUpdate { try $0[id]?.getValue("name") } == .string("Rex"))
    #expect(throws: RelayError.self) {
      try test.environment.commitUpdate { store -> Int in
        try store[id]?.setValue("Max", for: "name")
        throw RelayError(.update, "no")
      }
    }
    #expect(try test.environment.commitUpdate { try $0[id]?.getValue("name") } == .string("Rex"))
  }

  @Test("a proxy of another updater, or of one that has ended, throws")
  func foreignProxies() throws {
    let test = try store()
    nonisolated(unsafe) var kept: RecordProxy?
    try test.environment.commitUpdate { store in kept = try store["1"] }
    nonisolated(unsafe) let other = try #require(kept)
    #expect(throws: RelayError.self) { try other.getValue("name") }
    #expect(throws: RelayError.self) { try other.removeValue("name") }
    #expect(throws: RelayError.self) { try other.invalidateRecord() }
    expectError(containing: "another updater", in: test) { try $0["1"]?.copyFields(from: other) }
    expectError(containing: "another updater", in: test) {
      try $0["1"]?.setLinkedRecord(other, for: "pet")
    }
  }
}
