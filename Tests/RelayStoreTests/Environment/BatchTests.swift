import Foundation
import RelayStore
import Testing

@Suite(.timeLimit(.minutes(1))) struct BatchTests {
  private func store() throws -> TestStore {
    let test = TestStore()
    try test.write(
      TestSelection(#"{ user(id: "1") { id name } other: user(id: "2") { id name } }"#),
      ["user": ["id": "1", "name": "Ada"], "other": ["id": "2", "name": "Bob"]])
    return test
  }

  private func name(_ name: String, of id: DataID = "1") -> StoreUpdater {
    { try $0[id]?.setValue(.string(name), for: "name") }
  }

  private func names(_ test: TestStore) -> [String?] {
    ["1", "2"].map { test.environment.read(FragmentRef<User_name>(id: $0)).data?.name }
  }

  /// Observes the names of both users.
  private func observeNames(
    in environment: RelayEnvironment, _ tell: @escaping @Sendable (String) -> Void
  ) -> [ObservationHandle] {
    ["1", "2"].map { id in
      environment.observe(FragmentRef<User_name>(id: DataID(id))) { tell($0.data?.name ?? "-") }
    }
  }

  @Test("commits of another thread during a batch are delivered by that thread, at once")
  func otherThread() throws {
    let test = try store()
    let environment = test.environment
    let calls = Locked<[String]>([])
    let observations = observeNames(in: environment) { name in calls.withLock { $0.append(name) } }
    let eve = name("Eve")
    let kim = name("Kim", of: "2")
    try environment.batch {
      try environment.commitUpdate(eve)
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        try? environment.commitUpdate(kim)
        calls.withLock { $0.append("committed") }
        done.signal()
      }
      done.wait()
      #expect(calls.withLock { $0 } == ["Kim", "committed"])
    }
    #expect(calls.withLock { $0 } == ["Kim", "committed", "Eve"])
    for observation in observations { observation.cancel() }
  }

  @Test("payloads of mutations committed in a batch are one change")
  func mutations() throws {
    let environment = TestStore().environment
    let seen = Locked<[JSONValue]>([])
    try environment.batch {
      for (id, isComplete) in [("1", true), ("2", false)] {
        let todo: JSONValue = ["id": .string(id), "isComplete": .bool(isComplete)]
        try environment.commitPayload(
          SetCompleteMutation(id: id, isComplete: isComplete),
          data: ["setComplete": ["todo": todo]]
        ) { store in
          let isComplete = try store[DataID(id)]?.getValue("isComplete")
          seen.withLock { $0.append(isComplete ?? .null) }
        }
      }
    }
    #expect(seen.withLock { $0 } == [true, false])
    let base = try JSONValue(parsing: Array(environment.store.dump(.base).utf8))
    #expect(base["1"]?["isComplete"] == true && base["2"]?["isComplete"] == false)
    #expect(base["client:root"]?["setComplete"] == nil)
  }

  @Test("a batch notifies once at its end, and its own reads show every change at once")
  func once() throws {
    let test = try store()
    let environment = test.environment
    let calls = Locked<[String]>([])
    let observations = observeNames(in: environment) { name in calls.withLock { $0.append(name) } }
    try environment.batch {
      try environment.commitUpdate(name("Eve"))
      let update = try environment.applyUpdate(name("Zoe"))
      #expect(names(test) == ["Zoe", "Bob"])
      try environment.batch { try environment.commitUpdate(name("Kim", of: "2")) }
      update.revert()
      #expect(calls.withLock { $0 } == [])
    }
    #expect(calls.withLock { $0 } == ["Eve", "Kim"])
    withExtendedLifetime(observations) {}
  }

  @Test("a batch that throws keeps its changes and delivers them")
  func throwing() throws {
    struct Refusal: Error {}
    let test = try store()
    let calls = Locked(0)
    let observation = test.environment.observe(FragmentRef<User_name>(id: "1")) { _ in
      calls.withLock { $0 += 1 }
    }
    #expect(throws: Refusal.self) {
      try test.environment.batch {
        try test.environment.commitUpdate(name("Eve"))
        throw Refusal()
      }
    }
    #expect(calls.withLock { $0 } == 1 && names(test) == ["Eve", "Bob"])
    try test.environment.commitUpdate(name("Kim"))
    #expect(calls.withLock { $0 } == 2)
    withExtendedLifetime(observation) {}
  }

  @Test("replacing an optimistic update moves it above all others")
  func replacing() throws {
    let test = try store()
    let first = try test.environment.applyUpdate(name("first"))
    let second = try test.environment.applyUpdate(name("second"))
    #expect(names(test)[0] == "second")
    try first.replace(name("third"))
    #expect(names(test)[0] == "third" && test.store.statistics.optimisticUpdates == 2)
    first.revert()
    #expect(names(test)[0] == "second")
    #expect(throws: RelayError.self) { try first.replace(name("late")) }
    second.revert()
    #expect(names(test) == ["Ada", "Bob"])
  }

  @Test("an update whose replacement throws is removed")
  func failedReplacement() throws {
    struct Refusal: Error {}
    let test = try store()
    let update = try test.environment.applyUpdate(name("first"))
    #expect(throws: Refusal.self) {
      try update.replace { store in
        try store["2"]?.setValue("x", for: "name")
        throw Refusal()
      }
    }
    #expect(names(test) == ["Ada", "Bob"] && test.store.statistics.isEmpty)
  }
}
