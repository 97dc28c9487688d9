import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite(.timeLimit(.minutes(1))) struct GarbageCollectionTests {
  @Test("a record index that the root still links to is not reused")
  func rootLinks() throws {
    let test = TestStore()
    try test.write(me, ["me": ["id": "u", "name": "Ada"]])
    #expect(test.store.collectGarbage().collected == 1)
    try reuseIndexes(in: test)
    #expect(test.read(me).missing.map(\.description) == ["me"])
  }

  private let me = TestSelection("{ me { id name } }")
  private let best = TestSelection("{ me { id best { id name } } }")

  /// Creates enough records to reuse every index in the free list.
  private func reuseIndexes(in test: TestStore) throws {
    try test.environment.commitUpdate { store in
      for number in 0..<40 {
        let new = try store.create(DataID("new\(number)"), type: "User")
        try new.setValue("new\(number)", for: "id")
        try new.setValue("Eve", for: "name")
      }
    }
  }

  @Test(
    "a link from a retained record to a collected one is missing, and never leads to another record"
  )
  func linksToCollected() throws {
    let test = TestStore(releaseBufferSize: 0)
    let kept = retain(me, in: test)
    try test.write(best, ["me": ["id": "u", "best": ["id": "f", "name": "Bob"]]])
    test.store.collectGarbage()
    #expect(try ids(test) == ["client:root", "u"])
    try reuseIndexes(in: test)
    #expect(test.read(best).missing.map(\.description) == ["me.best"])
    withExtendedLifetime(kept) {}
  }

  @Test("a link set between slices leads to its record, is null or is missing")
  func linksMeanwhile() throws {
    var outcomes: [String: Int] = [:]
    for slice in 0..<30 {
      let test = TestStore(releaseBufferSize: 0)
      let kept = retain(me, in: test)
      try test.write(me, ["me": ["id": "u", "name": "Ada"]])
      try test.environment.commitUpdate {
        let bob = try $0.create("f", type: "User")
        try bob.setValue("f", for: "id")
        try bob.setValue("Bob", for: "name")
      }
      retain(TestSelection("{ version }"), in: test).release()
      var count = 0
      repeat {
        if count == slice {
          try test.environment.commitUpdate { store in
            try store["u"]?.setLinkedRecord(store["f"], for: "best")
          }
        }
        count += 1
      } while test.store.garbageCollector.step(records: 1)
      try reuseIndexes(in: test)
      let id = test.json(best)?["me"]?["best"]?["id"]
      #expect(id == nil || id == "f", "slice \(slice)")
      let isMissing = test.read(best).missing.map(\.description) == ["me.best"]
      outcomes[isMissing ? "missing" : "null or there", default: 0] += 1
      withExtendedLifetime(kept) {}
    }
    #expect(outcomes.count == 2, "\(outcomes)")
  }

  @Test(
    "records hidden by an optimistic update are kept for an observer that reads them after the revert"
  )
  func underOptimisticUpdates() throws {
    let test = TestStore()
    let user = TestSelection("fragment F on User { best { name pet { name } } }")
    try test.write(
      TestSelection("{ me { id best { id name pet { id name } } } }"),
      [
        "me": [
          "id": "u", "best": ["id": "f", "name": "Bob", "pet": ["id": "p", "name": "Rex"]],
        ]
      ])
    let subscription = test.store.subscribe(
      .record("u", user.reader, in: VariableScope(operation: [:])))
    let before = test.json(user, id: "u")
    let update = try test.environment.applyUpdate { store in
      try store["u"]?.setLinkedRecord(nil, for: "best")
    }
    #expect(test.store.collectGarbage().collected == 0)
    update.revert()
    #expect(test.json(user, id: "u") == before)
    withExtendedLifetime(subscription) {}
  }

  @Test(
    "the data that a mutation returns is complete, however often garbage is collected meanwhile")
  func mutationResults() async throws {
    struct Answer: Transport {
      func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
        GraphQLResponse(
          json: [
            "data": ["setComplete": ["todo": ["id": "1", "isComplete": true, "text": "a"]]]
          ])
      }
    }
    let store = RecordStore(configuration: .init(releaseBufferSize: 0, garbageCollection: .manual))
    let environment = RelayEnvironment(store: store, transport: Answer())
    let isDone = Locked(false)
    let collector = Task.detached {
      while !isDone.withLock({ $0 }) { store.collectGarbage() }
    }
    for _ in 0..<500 {
      let snapshot = try await environment.commit(SetCompleteMutation(id: "1", isComplete: true))
      #expect(snapshot.data?.setComplete?.todo?.isComplete == true)
    }
    isDone.withLock { $0 = true }
    await collector.value
  }

  // MARK: Slices

  private let list = TestSelection("{ items { id name next { id name } } }")

  /// Returns a store with a retained list of items that each link to a next one.
  private func filled(_ count: Int) throws -> (TestStore, Retention) {
    let test = TestStore(releaseBufferSize: 0)
    try test.write(list, items(0..<count))
    return (test, retain(list, in: test))
  }

  private func items(_ numbers: Range<Int>) -> JSONValue {
    [
      "items": .array(
        numbers.map { number in
          [
            "id": .string("\(number)"), "name": "item",
            "next": ["id": .string("n\(number)"), "name": "next"],
          ]
        })
    ]
  }

  private func retain(_ selection: TestSelection, in test: TestStore) -> Retention {
    let plan = selection.normalization
    let identity = RequestIdentity(
      name: "ItemsQuery", documentHash: plan.documentHash, variables: [:])
    return test.store.retain(identity, test.store.bind(plan, variables: [:]), root: .root)
  }

  private func ids(_ test: TestStore) throws -> Set<String> {
    Set(try JSONValue(parsing: Array(test.store.dump(.base).utf8)).object?.keys ?? [])
  }

  @Test("nothing is due until an operation is released for good; slices then collect its records")
  func slices() throws {
    let (test, retention) = try filled(50)
    #expect(!test.store.garbageCollector.isPending)
    #expect(!test.store.garbageCollector.step(records: 1_000))
    retention.release()
    #expect(test.store.garbageCollector.isPending)
    var count = 0
    while test.store.garbageCollector.step(records: 10) { count += 1 }
    #expect(count > 10)
    #expect(!test.store.garbageCollector.isPending)
    #expect(try ids(test) == ["client:root"])
  }

  @Test("a record that becomes reachable between slices is kept, with all records that it reaches")
  func writtenMeanwhile() throws {
    let (test, retention) = try filled(50)
    retention.release()
    let one = TestSelection(#"{ item(id: "49") { id next { id name } } }"#)
    let other = retain(one, in: test)
    for slice in 0..<400 where test.store.garbageCollector.step(records: 3) {
      // Late enough that the sweep has started.
      if slice == 20 {
        try test.environment.commitUpdate { store in
          try store.root.setLinkedRecord(store["49"], for: "item", arguments: ["id": "49"])
        }
      }
    }
    #expect(!test.store.garbageCollector.isPending)
    #expect(try ids(test) == ["client:root", "49", "n49"])
    #expect(test.json(one) == ["item": ["id": "49", "next": ["id": "n49", "name": "next"]]])
    withExtendedLifetime(other) {}
  }

  @Test("garbage that becomes reachable by an observer during the sweep keeps its links")
  func reachedAgain() throws {
    let test = TestStore(releaseBufferSize: 0)
    // "b" has a lower index than "a", which links to it, so the sweep drops "b" first.
    try test.write(TestSelection(#"{ item(id: "b") { id } }"#), ["item": ["id": "b"]])
    try test.write(
      TestSelection(#"{ item(id: "a") { id next { id } } }"#),
      ["item": ["id": "a", "next": ["id": "b"]]])
    try test.environment.commitUpdate { store in
      for id in ["a", "b"] as [JSONValue] {
        try store.root.setLinkedRecord(nil, for: "item", arguments: ["id": id])
      }
    }
    let item = TestSelection("fragment F on Item { next { id name } }")
    // Without it the store has no roots, and the first step collects everything.
    let kept = retain(TestSelection("{ __typename }"), in: test)
    let retention = retain(TestSelection("{ version }"), in: test)
    retention.release()
    defer { kept.release() }
    var observation: ObservationHandle?
    while test.store.garbageCollector.step(records: 1) {
      let left = try ids(test)
      guard observation == nil, left.contains("a"), !left.contains("b") else { continue }
      observation =
        test.store.readAndObserve(.record("a", item.reader, in: VariableScope(operation: [:]))) {
          _ in
        }.observation
    }
    try #require(observation != nil)
    // Reuses every index in the free list.
    try test.environment.commitUpdate { store in
      for number in 0..<10 {
        try store.create(DataID("new\(number)"), type: "Item").setValue("Eve", for: "name")
      }
    }
    let base = try JSONValue(parsing: Array(test.store.dump(.base).utf8))
    #expect(base["a"]?["next"] == ["__ref": "b"])
    #expect(test.json(item, id: "a")?["next"]?["name"] != "Eve")
    observation?.cancel()
  }

  @Test("an operation retained and an observer added between slices keep their records")
  func rootsMeanwhile() throws {
    let (test, retention) = try filled(20)
    retention.release()
    _ = test.store.garbageCollector.step(records: 1)
    let item = TestSelection("fragment F on Item { name next { name } }").reader
    let observation = test.store.readAndObserve(
      .record("7", item, in: VariableScope(operation: [:]))
    ) { _ in }.observation
    while test.store.garbageCollector.step(records: 5) {}
    #expect(try ids(test) == ["client:root", "7", "n7"])
    observation.cancel()
    let again = retain(list, in: test)
    try test.write(list, items(0..<3))
    #expect(test.store.collectGarbage().collected == 2)
    #expect(try ids(test).count == 7)
    withExtendedLifetime(again) {}
  }

  @Test("a garbage collection completes, however much is written between its slices")
  func neverStarved() throws {
    let (test, retention) = try filled(100)
    var slices = 0
    retention.release()
    let other = retain(list, in: test)
    while test.store.garbageCollector.step(records: 1) {
      slices += 1
      try test.write(list, items(slices..<slices + 100))
      if slices > 5_000 { break }
    }
    #expect(slices < 2_000)
    withExtendedLifetime(other) {}
  }

  @Test("records that an optimistic update links to are kept until it is reverted")
  func optimisticMeanwhile() throws {
    let (test, retention) = try filled(20)
    retention.release()
    _ = test.store.garbageCollector.step(records: 1)
    let update = try test.environment.applyUpdate { store in
      try store.create("draft", type: "Draft").setLinkedRecord(store["3"], for: "of")
    }
    while test.store.garbageCollector.step(records: 5) {}
    #expect(try ids(test) == ["client:root", "3"])
    update.revert()
    test.store.collectGarbage()
    #expect(try ids(test) == ["client:root"])
  }

  @Test("a hold prevents every collection until it is released; holds are counted")
  func holds() throws {
    let (test, retention) = try filled(5)
    let (first, second) = (test.store.garbageCollector.hold(), test.store.garbageCollector.hold())
    retention.release()
    #expect(test.store.garbageCollector.isPending)
    #expect(!test.store.garbageCollector.step(records: 1_000))
    #expect(test.store.garbageCollector.finish().collected == 0)
    first.release()
    first.release()
    #expect(test.store.garbageCollector.finish().collected == 0)
    second.release()
    #expect(test.store.garbageCollector.finish().collected == 10)
  }

  @Test("ended observations, growth of the store and elapsed time trigger a garbage collection")
  func triggers() throws {
    let clock = VirtualClock()
    let test = TestStore(
      .init(
        releaseBufferSize: 0, clock: clock, garbageCollection: .manual,
        garbageCollectionThreshold: 50,
        garbageCollectionInterval: .seconds(60)))
    for _ in 0..<99 {
      test.store.readAndObserve(.record("1", list.reader, in: VariableScope(operation: [:]))) { _ in
      }.observation.cancel()
    }
    #expect(!test.store.garbageCollector.isPending)
    test.store.readAndObserve(.record("1", list.reader, in: VariableScope(operation: [:]))) { _ in }
      .observation.cancel()
    #expect(test.store.garbageCollector.isPending)
    test.store.garbageCollector.finish()
    try test.write(list, items(0..<20))
    #expect(!test.store.garbageCollector.isPending)
    try test.write(list, items(20..<40))
    #expect(test.store.garbageCollector.isPending)
    test.store.garbageCollector.finish()
    clock.advance(by: .seconds(61))
    #expect(!test.store.garbageCollector.isPending)
    try test.write(list, items(0..<1))
    #expect(test.store.garbageCollector.isPending)
  }

  @Test("the reasons why a record is kept can be queried")
  func explaining() throws {
    let (test, retention) = try filled(2)
    let row = TestSelection("fragment Row_item on Item { next { name } }").reader
    let observation = test.store.readAndObserve(
      .record("1", row, in: VariableScope(operation: [:]))
    ) { _ in }.observation
    let update = try test.environment.applyUpdate { try $0["1"]?.setValue("x", for: "name") }
    #expect(
      test.store.explain("1") == [
        .retained(operation: "ItemsQuery", count: 1), .observed(by: "Row_item"),
        .optimisticUpdate,
      ])
    #expect(test.store.explain("n0") == [.retained(operation: "ItemsQuery", count: 1)])
    #expect(test.store.explain(.root).first == .root)
    #expect(test.store.explain("unheard of") == [])
    update.revert()
    retention.release()
    #expect(test.store.explain("0") == [])
    #expect(test.store.explain("n1") == [.observed(by: "Row_item")])
    withExtendedLifetime(observation) {}
  }

  /// A store that collects by itself, and the number of records of each collection.
  private func automaticStore() -> (TestStore, AsyncStream<Int>) {
    let (collections, continuation) = AsyncStream.makeStream(of: Int.self)
    let test = TestStore(
      .init(
        releaseBufferSize: 0, garbageCollection: .automatic,
        log: { event in
          if case .garbageCollection(let collected, _) = event { continuation.yield(collected) }
        }))
    return (test, collections)
  }

  @Test("a store collects automatically once an operation is released for good")
  func automatic() async throws {
    let (test, collections) = automaticStore()
    try test.write(list, items(0..<3_000))
    retain(list, in: test).release()
    var iterator = collections.makeAsyncIterator()
    #expect(await iterator.next() == 6_000)
    #expect(try ids(test) == ["client:root"])
  }

  @Test("a store collects once many observers have ended, although it is only read then")
  func automaticAfterObservers() async throws {
    let (test, collections) = automaticStore()
    try test.write(list, items(0..<10))
    let target = ReadTarget.record(.root, list.reader, in: VariableScope(operation: [:]))
    for _ in 0..<GarbageCollectionScheduler.endLimit {
      test.store.readAndObserve(target) { _ in }.observation.cancel()
    }
    // Removes the observers.
    #expect(test.store.statistics.observers == 0)
    var iterator = collections.makeAsyncIterator()
    #expect(await iterator.next() == 20)
  }

  @Test("a due garbage collection is scheduled once, until that run has ended")
  func scheduling() {
    var collector = GarbageCollectionScheduler(threshold: 1_000, interval: nil)
    var isScheduled = [collector.schedule()]
    collector.markDue()
    isScheduled += [collector.schedule(), collector.schedule()]
    collector.endSchedule()
    collector.hold()
    isScheduled += [collector.schedule()]
    collector.endHold()
    isScheduled += [collector.schedule()]
    #expect(isScheduled == [false, true, false, false, true])
  }

  @Test("a record index that is reused is found by its new id only")
  func tableRemoval() {
    var table = RecordTable()
    var numbers: [String: RecordIndex] = [:]
    var generator = SystemRandomNumberGenerator()
    for round in 0..<20_000 {
      let id = "\(Int.random(in: 0..<300, using: &generator))"
      DataID(id).withBytes { bytes in
        let hash = RecordTable.hash(bytes)
        #expect(table.index(of: bytes, hash: hash) == numbers[id])
        if let index = numbers.removeValue(forKey: id) {
          table.drop(index)
        } else {
          numbers[id] = table.insert(.unknown(id: bytes), hash: hash)
        }
      }
      if round % 100 == 0 { while table.purgeBuckets(from: 0, count: .max / 2) != nil {} }
      if round % 1_000 == 0 {
        #expect(Set(numbers.values).count == numbers.count)
      }
    }
  }
}
