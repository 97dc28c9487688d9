import RelayStore
import RelayStoreTesting
import Testing

@Suite("A root record with very many fields", .timeLimit(.minutes(1)))
struct LargeRecordTests {
  private let count = 700

  /// An environment whose root record has a field `person(id:)` for each of `count` ids.
  private func filled() throws -> RelayEnvironment {
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)),
      transport: MockTransport())
    for number in 0..<count { try write(number, "Name \(number)", in: environment) }
    return environment
  }

  private func write(
    _ number: Int, _ name: String, in environment: RelayEnvironment
  ) throws {
    let person: JSONValue = ["id": .string("p\(number)"), "name": .string(name), "age": nil]
    try environment.commitPayload(OneOfManyQuery(id: "p\(number)"), data: ["person": person])
  }

  private func name(_ number: Int, in environment: RelayEnvironment) -> String? {
    environment.read(OneOfManyQuery(id: "p\(number)")).data?.person?.name
  }

  @Test("each field is read back by queries and updaters, and is in the dump")
  func fieldsAreKept() throws {
    let environment = try filled()
    for number in 0..<count { #expect(name(number, in: environment) == "Name \(number)") }
    #expect(environment.read(OneOfManyQuery(id: "other")).isMissingData)
    try environment.commitUpdate { store in
      for number in stride(from: 0, to: count, by: 50) {
        let linked = try store.root.getLinkedRecord(
          "person", arguments: ["id": .string("p\(number)")])
        #expect(linked?.id == DataID("p\(number)"))
      }
    }
    let dump = environment.store.dump()
    let restored = RelayEnvironment(
      store: try RecordStore(dump: dump), transport: MockTransport())
    #expect(restored.store.dump() == dump)
    #expect(name(count - 1, in: restored) == "Name \(count - 1)")
  }

  @Test("writing an equal value notifies no observer; a new value notifies its readers")
  func observers() throws {
    let environment = try filled()
    let delivered = Locked<[String?]>([])
    let observation = environment.readAndObserve(TwoOfManyQuery(a: "p3", b: "p650")) { snapshot in
      delivered.withLock { $0.append(snapshot.data?.a?.name) }
    }.observation
    let before = delivered.withLock { $0 }
    for number in [3, 650, 12] { try write(number, "Name \(number)", in: environment) }
    try environment.commitPayload(OneOfManyQuery(id: "p12"), data: ["person": nil])
    #expect(delivered.withLock { $0 } == before)
    try environment.commitPayload(
      OneOfManyQuery(id: "p3"), data: ["person": ["id": "p4", "name": "Name 4", "age": 4]])
    #expect(delivered.withLock { $0 } == before + ["Name 4"])
    observation.cancel()
  }

  @Test("reverting an optimistic update restores the record exactly")
  func optimistic() throws {
    let environment = try filled()
    let base = environment.store.dump(.base)
    let update = try environment.applyUpdate { store in
      try store.root.setLinkedRecord(store["p1"], for: "person", arguments: ["id": "p2"])
      try store.root.setValue(JSONValue.null, for: "person", arguments: ["id": "p1"])
      try store.root.setValue(true, for: "flag")
    }
    #expect(name(2, in: environment) == "Name 1" && name(1, in: environment) == nil)
    try write(5, "Five", in: environment)
    #expect(environment.store.dump(.base) != base && name(2, in: environment) == "Name 1")
    try write(5, "Name 5", in: environment)
    update.revert()
    #expect(environment.store.dump(.visible) == base && environment.store.dump(.base) == base)
  }

  @Test("an updater that throws leaves the record as it was")
  func throwing() throws {
    let environment = try filled()
    let base = environment.store.dump(.base)
    #expect(throws: CancellationError.self) {
      try environment.commitUpdate { store in
        for number in 0..<300 {
          try store.root.setValue(number, for: "flag", arguments: ["n": JSONValue(number)])
        }
        throw CancellationError()
      }
    }
    #expect(environment.store.dump(.base) == base)
  }

  @Test("errors are reported for their own fields, and the next write removes them")
  func errors() async throws {
    let transport = MockTransport()
    let environment = RelayEnvironment(store: try filled().store, transport: transport)
    async let fetched = environment.fetch(OneOfManyQuery(id: "p7"))
    try await transport.next().resolve(
      GraphQLResponse(
        json: ["data": ["person": nil], "errors": [["message": "Gone.", "path": ["person"]]]]))
    _ = try await fetched
    let query = TwoOfManyQuery(a: "p7", b: "p8")
    #expect(environment.read(query).errors.map(\.message) == ["Gone."])
    #expect(environment.read(TwoOfManyQuery(a: "p6", b: "p8")).errors.isEmpty)
    let dump = environment.store.dump()
    #expect(dump.contains(#""__errors":{"person(id:\"p7\")":[{"message":"Gone.""#))
    #expect(try RecordStore(dump: dump).dump() == dump)
    try write(7, "Back", in: environment)
    #expect(environment.read(query).errors.isEmpty && name(7, in: environment) == "Back")
    #expect(!environment.store.dump().contains("__errors"))
  }

  @Test("a record whose type changes is replaced, however many fields it had")
  func replaced() throws {
    let environment = try filled()
    try environment.commitUpdate { store in
      let record = try store.create("wide", type: "Stone")
      for number in 0..<count { try record.setValue(number, for: "f\(number)") }
    }
    let query = OneOfManyQuery(id: "wide")
    try environment.commitPayload(
      query, data: ["person": ["id": "wide", "name": "Small", "age": 1]])
    #expect(
      environment.store.dump().contains(
        #"{"__id":"wide","__typename":"Person","age":1,"id":"wide","name":"Small"}"#))
    try environment.commitUpdate { store in
      let record = try #require(try store["wide"])
      for number in 0..<count { try record.setValue(number, for: "f\(number)") }
    }
    #expect(environment.read(query).data?.person?.name == "Small")
    try environment.commitUpdate { try $0.delete("wide") }
    #expect(environment.read(query).data?.person == nil)
  }

  @Test("a collection after writes and a revert keeps the retained records")
  func collection() throws {
    let environment = try filled()
    let query = TwoOfManyQuery(a: "p3", b: "p650")
    let retention = environment.retain(query)
    try write(0, "First", in: environment)
    let update = try environment.applyUpdate { store in
      try store.root.setLinkedRecord(store["p1"], for: "person", arguments: ["id": "p2"])
    }
    update.revert()
    let release = environment.retain(OneOfManyQuery(id: "p5"))
    release.release()
    environment.store.collectGarbage()
    #expect(environment.read(query).data?.a?.name == "Name 3")
    #expect((try? environment.read(query).data?.b.get()?.name) == "Name 650")
    retention.release()
  }
}
