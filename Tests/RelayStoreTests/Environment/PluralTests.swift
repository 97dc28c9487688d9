import RelayStore
import Testing

@Suite(.timeLimit(.minutes(1))) struct PluralTests {
  private typealias Names = Snapshot<GraphQLList<User_name?>>

  private func store(_ count: Int = 3) throws -> (TestStore, [FragmentRef<User_name>]) {
    let test = TestStore()
    let users = (0..<count).map { number -> JSONValue in
      ["id": .string("\(number)"), "name": .string("name \(number)")]
    }
    try test.write(TestSelection("{ users { id name } }"), ["users": .array(users)])
    return (test, (0..<count).map { FragmentRef(id: DataID("\($0)")) })
  }

  private func names(_ snapshot: Names?) -> [String?]? { snapshot?.data?.map { $0?.name } }

  @Test("several fragments are read as one list, with nil for an element without data")
  func reading() throws {
    let (test, references) = try store()
    let other = FragmentRef.value(User_name(id: "x", name: "by hand"))
    let snapshot = test.environment.read(references + [FragmentRef(id: "unknown"), other])
    #expect(names(snapshot) == ["name 0", "name 1", "name 2", nil, "by hand"])
    #expect(snapshot.missing.map(\.description) == ["[3]"])
    #expect(names(test.environment.read([FragmentRef<User_name>]())) == [])
  }

  @Test("one commit is one delivery, which shares unchanged elements")
  func delivery() async throws {
    let (test, references) = try store()
    var iterator = test.environment.observe(references).makeAsyncIterator()
    let first = await iterator.next()
    #expect(names(first) == ["name 0", "name 1", "name 2"])
    try test.environment.commitUpdate { store in
      try store["0"]?.setValue("a", for: "name")
      try store["2"]?.setValue("b", for: "name")
    }
    let second = await iterator.next()
    #expect(names(second) == ["a", "name 1", "b"])
    #expect((second?.revision ?? 0) > (first?.revision ?? 0))
    try test.environment.commitUpdate { try $0.delete("1") }
    #expect(names(await iterator.next()) == ["a", nil, "b"])
  }

  @Test("a delivered list is optimistic or stale exactly if it is when it is read")
  func flags() throws {
    let (test, references) = try store()
    let environment = test.environment
    let delivered = Locked<[Bool]>([])
    let handle = environment.observe(references) { snapshot in
      delivered.withLock { $0 += [snapshot.isOptimistic, snapshot.isStale] }
    }
    /// Renames the last element, and returns the flags delivered as a result.
    func deliver(_ name: String) throws -> [Bool] {
      delivered.withLock { $0 = [] }
      try environment.commitUpdate { try $0["2"]?.setValue(.string(name), for: "name") }
      let read = environment.read(references)
      #expect(delivered.withLock { $0 } == [read.isOptimistic, read.isStale])
      return delivered.withLock { $0 }
    }
    let update = try environment.applyUpdate { try $0["0"]?.setValue("a", for: "name") }
    #expect(try deliver("1") == [true, false])
    // The element's value does not change, so the end of the update causes no delivery.
    try environment.batch {
      try environment.commitUpdate { try $0["0"]?.setValue("a", for: "name") }
      update.revert()
    }
    #expect(try deliver("2") == [false, false])
    let same = try environment.applyUpdate { try $0["0"]?.setValue("a", for: "name") }
    #expect(try deliver("3") == [true, false])
    same.revert()
    try environment.commitUpdate { try $0["1"]?.invalidateRecord() }
    #expect(try deliver("4") == [false, true])
    try test.write(
      TestSelection("{ users { id name } }"), ["users": [["id": "1", "name": "name 1"]]])
    #expect(try deliver("5") == [false, false])
    handle.cancel()
  }

  @Test(
    "a closure is called once for each commit, in the order of registration, and not after cancelling"
  )
  func closures() throws {
    let (test, references) = try store()
    let calls = Locked<[String]>([])
    let before = test.environment.observe(references[2]) { _ in
      calls.withLock { $0.append("before") }
    }
    let all = test.environment.observe(references) { snapshot in
      calls.withLock { $0.append("all \(snapshot.data?.map { $0?.name ?? "-" } ?? [])") }
    }
    let after = test.environment.observe(references[0]) { _ in calls.withLock { $0.append("after") }
    }
    try test.environment.commitUpdate { store in
      for id in ["0", "1", "2"] as [DataID] { try store[id]?.setValue("x", for: "name") }
    }
    #expect(calls.withLock { $0 } == ["before", #"all ["x", "x", "x"]"#, "after"])
    try test.environment.commitUpdate { try $0["0"]?.setValue("x", for: "name") }
    #expect(calls.withLock { $0.count } == 3)
    all.cancel()
    try test.environment.commitUpdate { try $0["1"]?.setValue("y", for: "name") }
    #expect(calls.withLock { $0.count } == 3)
    before.cancel()
    after.cancel()
    #expect(test.store.statistics.isEmpty)
  }

  @Test("a batch is one delivery, or none if it changes everything back")
  func batches() throws {
    let (test, references) = try store()
    let calls = Locked(0)
    let observation = test.environment.observe(references) { _ in calls.withLock { $0 += 1 } }
    try test.environment.batch {
      for id in ["0", "1", "2"] as [DataID] {
        try test.environment.commitUpdate { try $0[id]?.setValue("x", for: "name") }
      }
    }
    #expect(calls.withLock { $0 } == 1)
    try test.environment.batch {
      try test.environment.commitUpdate { try $0["0"]?.setValue("y", for: "name") }
      try test.environment.commitUpdate { try $0["0"]?.setValue("x", for: "name") }
    }
    #expect(calls.withLock { $0 } == 1)
    withExtendedLifetime(observation) {}
  }

  @Test("a fragment that occurs twice in the list changes at both positions")
  func twice() throws {
    let (test, references) = try store()
    let seen = Locked<[String?]>([])
    let observation = test.environment.observe([references[0], references[1], references[0]]) {
      snapshot in seen.withLock { $0 = snapshot.data?.map { $0?.name } ?? [] }
    }
    try test.environment.commitUpdate { try $0["0"]?.setValue("x", for: "name") }
    #expect(seen.withLock { $0 } == ["x", "name 1", "x"])
    withExtendedLifetime(observation) {}
  }

  @Test(
    "ending the sequence ends the observation of every element; until then their records are kept")
  func ending() async throws {
    let (test, references) = try store()
    do {
      var iterator = test.environment.observe(references).makeAsyncIterator()
      _ = await iterator.next()
      #expect(test.store.collectGarbage().collected == 0)
      #expect(!test.store.statistics.isEmpty)
      _ = iterator
    }
    #expect(test.store.statistics.isEmpty)
    #expect(test.store.collectGarbage().collected == 3)
  }
}
