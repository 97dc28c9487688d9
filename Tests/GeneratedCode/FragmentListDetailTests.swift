import RelayStore
import RelayStoreTesting
import Testing

/// Details of a fragment list that come from its elements, in addition to their data.
@Suite(.timeLimit(.minutes(1)))
struct FragmentListDetailTests {
  private let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(garbageCollection: .manual)),
    transport: MockTransport())

  @Test("an object that was deleted on the client and left out of a nested list is no failure")
  func omitted() async throws {
    try environment.commitUpdate { store in
      let friend = try store.create("3", type: "Person")
      try friend.setValue("3", for: "id")
      try friend.setValue("Cy", for: "name")
      try friend.setLinkedRecords([], for: "buddies")
      let people = try ["1", "2"].map { try store.create(DataID($0), type: "Person") }
      for (person, id) in zip(people, ["1", "2"] as [JSONValue]) {
        try person.setValue(id, for: "id")
        try person.setValue("Ann", for: "name")
        try person.setLinkedRecords([friend], for: "buddies")
      }
    }
    let references = ["1", "2"].map { FragmentRef<Buddy_person>(id: DataID($0)) }
    var delivered = environment.observe(references).makeAsyncIterator()
    _ = await delivered.next()
    try environment.commitUpdate { try $0.delete("3") }
    for snapshot in [environment.read(references), try #require(await delivered.next())] {
      #expect(try snapshot.result.get()?.map { $0?.buddies?.count } == [0, 0])
      #expect(snapshot.missing.map(\.description) == ["[0].buddies[0]", "[1].buddies[0]"])
    }
  }

  @Test("an element that shows another record with equal values is stale when that record is")
  func otherRecord() async throws {
    try environment.commitUpdate { store in
      let dogs = try ["a", "b"].map { try store.create(DataID($0), type: "Dog") }
      for dog in dogs { try dog.setValue("Rex", for: "name") }
      for id in ["1", "2"] {
        let person = try store.create(DataID(id), type: "Person")
        try person.setValue(30, for: "age")
        try person.setLinkedRecords([dogs[0]], for: "pets")
      }
    }
    let references = ["1", "2"].map { FragmentRef<NameOnly_person>(id: DataID($0)) }
    var delivered = environment.observe(references).makeAsyncIterator()
    _ = await delivered.next()
    try environment.commitUpdate { store in
      try store["1"]?.setLinkedRecords([store["b"]], for: "pets")
    }
    try environment.commitUpdate { try $0["b"]?.invalidateRecord() }
    try environment.commitUpdate { try $0["2"]?.setValue(31, for: "age") }
    let next = try #require(await delivered.next())
    #expect(next.data?.map { $0?.age } == [30, 31])
    #expect(environment.read(references).isStale)
    #expect(next.isStale)
  }

  @Test("missing paths and errors of all elements together are limited")
  func pathLimit() async throws {
    let server = MockTransport()
    let limited = RelayEnvironment(
      store: RecordStore(configuration: .init(readLimits: ReadLimits(paths: 2))),
      transport: server)
    let fetch = Task { try await limited.fetch(AgeErrorsQuery()) }
    try await server.next().resolve(
      data: ["me": ["id": "1", "age": nil, "buddies": [["id": "2", "age": nil, "buddies": []]]]],
      errors: [
        ["message": "no", "path": ["me", "age"]],
        ["message": "no", "path": ["me", "buddies", 0, "age"]],
      ])
    _ = try await fetch.value
    try limited.commitUpdate { store in
      let dog = try store.create("a", type: "Dog")
      try dog.setValue("Rex", for: "name")
      for id in ["1", "2"] {
        try store[DataID(id)]?.setLinkedRecords(id == "1" ? [] : [dog], for: "pets")
      }
    }
    let references = ["1", "2"].map { FragmentRef<NameOnly_person>(id: DataID($0)) }
    var delivered = limited.observe(references).makeAsyncIterator()
    #expect(await delivered.next()?.errors.map(\.path.description) == ["[0].age", "[1].age"])
    try limited.commitUpdate { try $0.delete("a") }
    let snapshot = try #require(await delivered.next())
    #expect(snapshot.missing.map(\.description) == ["[1].pets[0]"])
    // The last error says that there is more.
    #expect(snapshot.errors.map(\.path) == [[0, "age"], []])
  }
}
