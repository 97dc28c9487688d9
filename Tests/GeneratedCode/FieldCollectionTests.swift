import RelayStore
import RelayStoreTesting
import Testing

@Suite("Garbage collection of fields with arguments", .timeLimit(.minutes(1)))
struct FieldCollectionTests {
  private func environment(buffer: Int = 0) -> RelayEnvironment {
    RelayEnvironment(
      store: RecordStore(
        configuration: .init(releaseBufferSize: buffer, garbageCollection: .manual)),
      transport: MockTransport())
  }

  private func write(_ ids: some Sequence<Int>, in environment: RelayEnvironment) throws {
    for id in ids {
      try environment.commitPayload(
        OneOfManyQuery(id: "\(id)"),
        data: ["person": ["id": .string("p\(id)"), "name": .string("Name \(id)"), "age": 1]])
    }
  }

  /// The ids that the root record has a field `person(id:)` for.
  private func people(of environment: RelayEnvironment) -> Set<Int> {
    let dump = environment.store.dump(.base)
    return Set((0..<1_000).filter { dump.contains("\"person(id:\\\"\($0)\\\")\"") })
  }

  @Test(
    "only fields of retained, buffered and observed operations survive a collection",
    arguments: [10, 500])
  func selected(count: Int) throws {
    let environment = environment(buffer: 1)
    try write(0..<count, in: environment)
    let retention = environment.retain(OneOfManyQuery(id: "1"))
    let buffered = environment.retain(OneOfManyQuery(id: "2"))
    buffered.release()
    let observation = environment.readAndObserve(OneOfManyQuery(id: "3")) { _ in }.observation
    environment.store.collectGarbage()
    #expect(people(of: environment).isSuperset(of: [1, 2, 3]))
    #expect(people(of: environment).count <= 4)
    #expect(environment.read(OneOfManyQuery(id: "1")).data?.person?.name == "Name 1")
    #expect(environment.read(OneOfManyQuery(id: "3")).data?.person?.name == "Name 3")
    #expect(environment.read(OneOfManyQuery(id: "9")).isMissingData)
    observation.cancel()
    retention.release()
    environment.store.collectGarbage()
    #expect(people(of: environment) == [1])
  }

  @Test("collecting in slices removes the same fields while others are written and read")
  func slices() throws {
    let environment = environment()
    try write(0..<600, in: environment)
    let retention = environment.retain(OneOfManyQuery(id: "300"))
    let other = environment.retain(OneOfManyQuery(id: "5"))
    other.release()
    var number = 600
    var observations: [ObservationHandle] = []
    while environment.store.garbageCollector.step(records: 50) {
      observations.append(
        environment.readAndObserve(OneOfManyQuery(id: "\(number)")) { _ in }.observation)
      try write([number], in: environment)
      number += 1
    }
    let observed = Set(600..<number)
    #expect(!observed.isEmpty && people(of: environment) == observed.union([300]))
    for id in observed {
      #expect(environment.read(OneOfManyQuery(id: "\(id)")).data?.person?.name == "Name \(id)")
    }
    retention.release()
  }

  @Test("fields written by updaters and dumps survive until a response has written them")
  func clientWrittenFields() throws {
    let environment = environment()
    try environment.commitUpdate { store in
      for id in [1, 2] {
        try store.root.setValue(
          JSONValue.null, for: "person", arguments: ["id": .string(String(id))])
      }
      try store.root.setValue(true, for: "isOpen", arguments: ["section": "a"])
    }
    environment.store.collectGarbage()
    #expect(people(of: environment) == [1, 2])
    let restored = RelayEnvironment(
      store: try RecordStore(
        dump: environment.store.dump(), configuration: .init(releaseBufferSize: 0)),
      transport: MockTransport())
    try write([1, 7], in: restored)
    restored.store.collectGarbage()
    #expect(people(of: restored) == [2])
    #expect(restored.store.dump().contains(#""isOpen(section:\"a\")":true"#))
  }

  @Test("fields written by an updater that throws do not survive")
  func thrown() throws {
    let environment = environment()
    try write([1], in: environment)
    #expect(throws: CancellationError.self) {
      try environment.commitUpdate { store in
        try store.root.setValue(JSONValue.null, for: "person", arguments: ["id": "1"])
        throw CancellationError()
      }
    }
    #expect(people(of: environment) == [1])
    environment.store.collectGarbage()
    #expect(people(of: environment) == [])
  }

  @Test("a record in an optimistic layer keeps its fields until the update is reverted")
  func optimistic() throws {
    let environment = environment()
    try write([1, 2], in: environment)
    let update = try environment.applyUpdate { try $0.root.setValue(true, for: "flag") }
    environment.store.collectGarbage()
    #expect(people(of: environment) == [1, 2])
    update.revert()
    environment.store.collectGarbage()
    #expect(people(of: environment) == [])
  }

  @Test("fields without arguments, connection handles and errors of kept fields survive")
  func others() async throws {
    let transport = MockTransport()
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(releaseBufferSize: 0, garbageCollection: .manual)),
      transport: transport)
    async let fetched = environment.fetch(OneOfManyQuery(id: "1"))
    try await transport.next().resolve(
      data: ["person": nil], errors: [["message": "Gone.", "path": ["person"]]])
    _ = try await fetched
    try environment.commitPayload(
      TwoOfManyQuery(a: "2", b: "3"),
      data: ["a": nil, "b": nil, "flag": true])
    try environment.commitUpdate { store in
      try store.root.setValue(1, for: "__people_connection", arguments: ["by": "NAME"])
    }
    let retention = environment.retain(OneOfManyQuery(id: "1"))
    environment.store.collectGarbage()
    #expect(environment.read(OneOfManyQuery(id: "1")).errors.map(\.message) == ["Gone."])
    let dump = environment.store.dump()
    #expect(people(of: environment) == [1] && dump.contains(#""flag":true"#))
    #expect(dump.contains("__people_connection(by:"))
    retention.release()
    environment.store.collectGarbage()
    #expect(!environment.store.dump().contains("Gone."))
  }

  @Test("an unused field of a kept record is removed with the records below it")
  func below() throws {
    let environment = environment()
    let (cats, dogs) = (PetsOfKindQuery(kind: .cat), PetsOfKindQuery(kind: .dog))
    for (query, name) in [(cats, "Tom"), (dogs, "Rex")] {
      try environment.commitPayload(
        query,
        data: [
          "person": [
            "id": "1", "pets": [["__typename": "Dog", "id": .string(name), "name": .string(name)]],
          ]
        ])
    }
    let retention = environment.retain(dogs)
    environment.store.collectGarbage()
    let dump = environment.store.dump()
    #expect(dump.contains("pets(kind:\\\"DOG\\\")") && !dump.contains("pets(kind:\\\"CAT\\\")"))
    #expect(dump.contains("Rex") && !dump.contains("Tom"))
    #expect(environment.read(dogs).data?.person?.pets?.first?.name == "Rex")
    retention.release()
  }

  @Test("type schema records of unknown types are collected unless a kept record has the type")
  func types() throws {
    let environment = environment()
    let query = InventedQuery()
    let retention = environment.retain(query)
    for number in 0..<300 {
      try environment.commitPayload(
        query,
        data: [
          "animal": [
            "__typename": .string("Beast\(number)"), "__isNamed": .string("Beast\(number)"),
            "name": "B",
          ]
        ])
    }
    #expect(environment.store.dump().contains("client:__type:Beast0"))
    environment.store.collectGarbage()
    let dump = environment.store.dump()
    #expect(!dump.contains("client:__type:Beast0\"") && !dump.contains("client:__type:Beast298\""))
    #expect(dump.contains("client:__type:Beast299\""))
    #expect(environment.read(query).data?.animal?.asNamed?.name == "B")
    try environment.commitPayload(
      query, data: ["animal": ["__typename": "Beast0", "__isNamed": "Beast0", "name": "C"]])
    #expect(environment.read(query).data?.animal?.asNamed?.name == "C")
    retention.release()
  }
}
