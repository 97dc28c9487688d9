import RelayStore
import Testing

@Suite(.timeLimit(.minutes(1))) struct OnChangeTests {
  private let plan = TestSelection(
    #"{ user(id: "1") { id name } other: user(id: "2") { id name } }"#)

  private func store() throws -> TestStore {
    let test = TestStore()
    try test.write(
      plan, ["user": ["id": "1", "name": "Ada"], "other": ["id": "2", "name": "Bob"]])
    return test
  }

  private func name(_ name: String, of id: DataID = "1") -> StoreUpdater {
    { try $0[id]?.setValue(.string(name), for: "name") }
  }

  @Test("a closure is called inside the commit, in the order of registration, once for each change")
  func order() throws {
    let test = try store()
    let calls = Locked<[String]>([])
    let observations = ["a", "b", "c"].map { label in
      test.environment.observe(FragmentRef<User_name>(id: "1")) { snapshot in
        calls.withLock { $0.append("\(label) \(snapshot.data?.name ?? "-")") }
      }
    }
    try test.environment.commitUpdate(name("Eve"))
    #expect(calls.withLock { $0 } == ["a Eve", "b Eve", "c Eve"])
    try test.environment.commitUpdate(name("Eve"))
    try test.environment.commitUpdate(name("Kim", of: "2"))
    #expect(calls.withLock { $0.count } == 3)
    withExtendedLifetime(observations) {}
  }

  @Test("reading and observing at once returns the current value and delivers later ones")
  func readAndObserve() throws {
    let test = try store()
    let names = Locked<[String?]>([])
    let one = FragmentRef<User_name>(id: "1")
    let (current, observation) = test.environment.readAndObserve(one) { snapshot in
      names.withLock { $0.append(snapshot.data?.name) }
    }
    #expect(current.data?.name == "Ada" && names.withLock { $0.isEmpty })
    let (list, listObservation) = test.environment.readAndObserve([one, .init(id: "2")]) { list in
      names.withLock { $0.append(list.data?.last??.name) }
    }
    #expect(list.data?.map { $0?.name } == ["Ada", "Bob"])
    try test.environment.commitUpdate(name("Kim", of: "2"))
    try test.environment.commitUpdate(name("Eve"))
    #expect(names.withLock { $0 } == ["Kim", "Eve", "Kim"])
    let own = try #require(current.data)
    let (value, valueObservation) = test.environment.readAndObserve(.value(own)) { _ in }
    #expect(value.data == own)
    for observation in [observation, listObservation, valueObservation] { observation.cancel() }
    try test.environment.commitUpdate(name("Zoe"))
    #expect(names.withLock { $0.count } == 3 && test.store.statistics.isEmpty)
  }

  @Test(
    "no closure is called after it is cancelled, even within the same pass, or after it is dropped")
  func cancelling() throws {
    let test = try store()
    let calls = Locked<[String]>([])
    let second = Locked<ObservationHandle?>(nil)
    let first = test.environment.observe(FragmentRef<User_name>(id: "1")) { _ in
      calls.withLock { $0.append("first") }
      second.withLock { $0 }?.cancel()
    }
    second.withLock { observation in
      observation = test.environment.observe(FragmentRef<User_name>(id: "1")) { _ in
        calls.withLock { $0.append("second") }
      }
    }
    try test.environment.commitUpdate(name("Eve"))
    #expect(calls.withLock { $0 } == ["first"])
    #expect(test.store.statistics.observers == 1)
    first.cancel()
    first.cancel()
    try test.environment.commitUpdate(name("Kim"))
    #expect(calls.withLock { $0.count } == 1 && test.store.statistics.isEmpty)
    _ = test.environment.observe(FragmentRef<User_name>(id: "1")) { _ in
      calls.withLock { $0.append("dropped") }
    }
    #expect(test.store.statistics.isEmpty)
  }

  @Test("a closure may commit; closures not called yet receive only the newest snapshot")
  func nested() throws {
    let test = try store()
    let calls = Locked<[String]>([])
    let environment = test.environment
    let rename = name("Kim")
    let first = environment.observe(FragmentRef<User_name>(id: "1")) { snapshot in
      let name = snapshot.data?.name ?? "-"
      calls.withLock { $0.append("first \(name)") }
      if name == "Eve" { #expect(throws: Never.self) { try environment.commitUpdate(rename) } }
    }
    let second = environment.observe(FragmentRef<User_name>(id: "1")) { snapshot in
      calls.withLock { $0.append("second \(snapshot.data?.name ?? "-")") }
    }
    try environment.commitUpdate(name("Eve"))
    #expect(calls.withLock { $0 } == ["first Eve", "first Kim", "second Kim"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("a change undone by a nested commit is not delivered to closures not called yet")
  func changedBack() throws {
    let test = try store()
    let calls = Locked<[String]>([])
    let environment = test.environment
    let back = name("Ada")
    let first = environment.observe(FragmentRef<User_name>(id: "1")) { snapshot in
      if snapshot.data?.name == "Eve" {
        #expect(throws: Never.self) { try environment.commitUpdate(back) }
      }
    }
    let second = environment.observe(FragmentRef<User_name>(id: "1")) { snapshot in
      calls.withLock { $0.append("second \(snapshot.data?.name ?? "-")") }
    }
    try environment.commitUpdate(name("Eve"))
    #expect(calls.withLock { $0 } == [])
    withExtendedLifetime((first, second)) {}
  }
}
