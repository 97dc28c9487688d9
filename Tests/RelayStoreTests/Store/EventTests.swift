import RelayStore
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventTests {
  private struct Refusal: Error {}

  /// Returns a store, and a closure that returns the events logged since its last call.
  private func store() -> (TestStore, taken: () -> [StoreEvent]) {
    let events = Locked<[StoreEvent]>([])
    let test = TestStore(
      .init(garbageCollection: .manual, log: { event in events.withLock { $0.append(event) } }))
    return (
      test,
      {
        events.withLock { events in
          defer { events = [] }
          return events
        }
      }
    )
  }

  private let plan = TestSelection("{ me { id name } }")

  @Test("publishing, notifying and collecting garbage are logged with counts")
  func counts() throws {
    let (test, taken) = store()
    try test.write(plan, ["me": ["id": "1", "name": "Ada"]])
    #expect(taken().contains(.publish(changedRecords: 2)))
    let observation = test.environment.observe(FragmentRef<User_name>(id: "1")) { _ in }
    _ = taken()
    try test.environment.commitUpdate { try $0["1"]?.setValue("Eve", for: "name") }
    #expect(taken() == [.publish(changedRecords: 1), .notify(observers: 1)])
    observation.cancel()
    test.store.collectGarbage()
    #expect(taken() == [.garbageCollection(collected: 1, retained: 1)])
  }

  @Test("reads and availability checks are logged, with missing data by path and owner")
  func reading() throws {
    let (test, taken) = store()
    _ = test.read(TestSelection("query Owner { me { id } }"))
    #expect(
      taken() == [
        .read(owner: "Owner", isMissingData: true),
        .missingData(owner: "Owner", paths: [["me"]]),
      ])
    let checked = test.environment.check(TodoListQuery())
    #expect(taken() == [.check(checked)])
    guard case .missing(let todos) = checked, todos.count == 1 else {
      Issue.record("not one field is missing")
      return
    }
    #expect(todos[0].path == ["todos"] && todos[0].recordID == .root)
    #expect(todos[0].typeName == "__Root" && todos[0].storageKey == "todos(first:10)")
  }

  @Test("a write that leaves out what an observer reads is a problem; what was never there is none")
  func incomplete() throws {
    let (test, taken) = store()
    func problems() -> [StoreEvent] { taken().filter(\.isProblem) }
    let list = SelectionPlan("List Query{todos [Todo{id ID! text String!}]}")
    let observation = test.store.readAndObserve(
      .record(
        .root, list, in: VariableScope(operation: [:])
      )
    ) { _ in }.observation
    try test.write(
      SelectionPlan("Query{todos [Todo{id ID!}]}"), ["todos": [["id": "1"]]])
    #expect(problems().isEmpty)
    try test.write(list, ["todos": [["id": "1", "text": "a"]]])
    #expect(problems().isEmpty)
    let ids = SelectionPlan("Query{todos [Todo{id ID!}]}")
    try test.write(ids, ["todos": [["id": "1"], ["id": "2"]]])
    let problem = StoreEvent.becameIncomplete(owner: "List", paths: [["todos", 1, "text"]])
    #expect(problems() == [problem])
    #expect(problem.description == "a write left out fields that List reads: todos[1].text")
    // It is reported once; a deleted record or an empty store does not count as such a write.
    try test.write(ids, ["todos": [["id": "2"]]])
    try test.write(list, ["todos": [["id": "1", "text": "a"]]])
    try test.environment.commitUpdate { try $0.delete("1") }
    test.environment.reset()
    #expect(problems().isEmpty)
    withExtendedLifetime(observation) {}
  }

  @Test("field errors and null required fields are logged without message or value")
  func fieldErrors() throws {
    let (test, taken) = store()
    try test.write(
      plan, ["me": ["id": "1", "name": nil]],
      errors: [["message": "secret", "path": ["me", "name"]]])
    _ = taken()
    _ = test.read(TestSelection("query Owner { me { name @required(action: LOG) } }"))
    #expect(
      taken() == [
        .read(owner: "Owner", isMissingData: false),
        .fieldError(owner: "Owner", path: ["me", "name"], kind: .server),
        .missingRequiredField(owner: "Owner", path: ["me", "name"]),
      ])
  }

  @Test("two records of different types with one id are logged with both types")
  func typeCollisions() throws {
    let (test, taken) = store()
    try test.write(plan, ["me": ["id": "1", "name": "Ada"]])
    try test.write(
      TestSelection("{ bot { id name } }"), ["bot": ["id": "1", "name": "R2"]])
    #expect(taken().contains(.typeCollision(TypeCollision(old: "User", new: "Bot"))))
    try test.write(plan, ["me": ["id": "2", "name": "Ada"]])
    #expect(!taken().contains { if case .typeCollision = $0 { true } else { false } })
  }

  @Test("an updater that throws is logged, also if it throws only when it runs again")
  func updaters() throws {
    let (test, taken) = store()
    #expect(throws: Refusal.self) { try test.environment.commitUpdate { _ in throw Refusal() } }
    #expect(taken().contains(.updaterFailed(errorType: "Refusal", isOptimistic: false)))
    let isBroken = Locked(false)
    try test.write(plan, ["me": ["id": "1", "name": "Ada"]])
    let update = try test.environment.applyUpdate { store in
      try store["1"]?.setValue("Eve", for: "name")
      if isBroken.withLock({ $0 }) { throw Refusal() }
    }
    #expect(test.json(plan) == ["me": ["id": "1", "name": "Eve"]])
    _ = taken()
    isBroken.withLock { $0 = true }
    try test.environment.commitUpdate { try $0.root.setValue(1, for: "n") }
    #expect(taken().contains(.updaterFailed(errorType: "Refusal", isOptimistic: true)))
    // The update has no effect in this rebase, and applies again in the next.
    #expect(test.json(plan) == ["me": ["id": "1", "name": "Ada"]])
    isBroken.withLock { $0 = false }
    try test.environment.commitUpdate { try $0.root.setValue(2, for: "n") }
    #expect(test.json(plan) == ["me": ["id": "1", "name": "Eve"]])
    update.revert()
  }

  @Test("the store's lock is not held while it logs")
  func reentrancy() throws {
    let box = Locked<RecordStore?>(nil)
    let dumps = Locked(0)
    let store = RecordStore(
      configuration: .init(
        garbageCollection: .manual,
        log: { _ in
          if box.withLock({ $0 })?.dump() != nil { dumps.withLock { $0 += 1 } }
        }))
    box.withLock { $0 = store }
    try RelayEnvironment(store: store, transport: NoTransport()).commitUpdate {
      try $0.root.setValue(1, for: "n")
    }
    #expect(dumps.withLock { $0 } > 0)
    box.withLock { $0 = nil }
  }
}
