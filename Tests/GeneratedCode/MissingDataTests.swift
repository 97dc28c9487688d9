import RelayStore
import Testing

@Suite("Missing data at run time", .timeLimit(.minutes(1)))
struct MissingDataTests {
  @Test("the seen records still include a deleted record after only another part is read again")
  func deletedBesideChanged() async throws {
    let query = KennelQuery(id: "1")
    let environment = try environment(
      query,
      """
      {"person": {"id": "1", "name": "Ann", "pets": [
        {"__typename": "Cat", "name": "Tom", "owner": {"id": "o", "name": "Bob"}}]}}
      """)
    try environment.commitUpdate { try $0.delete("o") }
    var snapshots = environment.snapshots(of: query).makeAsyncIterator()
    let first = try #require(await snapshots.next())
    #expect(first.data?.person?.pets?.first?.owner == nil && first.seenRecords.contains("o"))
    try environment.commitUpdate { try $0["1"]?.setValue("Eve", for: "name") }
    let second = try #require(await snapshots.next())
    #expect(second.data?.person?.name == "Eve")
    #expect(second.seenRecords == first.seenRecords)
  }

  @Test("a __typename that arrives after the object's other fields is stored")
  func typeAlone() throws {
    let environment = try environment(LateTypeQuery(), #"{"animal": {"name": "Tom"}}"#)
    #expect(environment.read(LateTypeQuery()).data?.animal?.__typename == nil)
    try environment.commitPayload(
      LateTypeQuery(), data: ["animal": ["__typename": "Cat", "name": "Tom"]])
    #expect(environment.read(LateTypeQuery()).data?.animal?.__typename == "Cat")
  }

  @Test("a definition with @catch has no data while a nullable field is missing")
  func caughtWhole() throws {
    let environment = try environment(AccountQuery(), #"{"account": {"id": "a", "visits": 1}}"#)
    let null = FragmentRef<NullWhenCaught_account>(id: "a")
    let result = FragmentRef<FailsWhenCaught_account>(id: "a")
    #expect(environment.read(null).data == nil && environment.read(null).errors.isEmpty)
    #expect(environment.read(result).data == nil)
    guard case .failure(let errors) = environment.read(result).result else {
      Issue.record("a missing field is no failure")
      return
    }
    #expect(errors.map(\.path) == [["nick"]])
    try environment.commitUpdate { try $0["a"]?.setValue(JSONValue.null, for: "nick") }
    #expect(environment.read(null).data?.visits == 1 && environment.read(null).data?.nick == nil)
    #expect(try environment.read(result).result.get()?.visits == 1)
  }

  @Test("links that a missing-field handler makes to optimistic records do not outlive them")
  func optimisticHandled() throws {
    let person = MissingFieldHandler.linked { field in
      guard field.name == "person" else { return .none }
      return field.arguments["id"]?.string.map { .some(DataID($0)) } ?? .null
    }
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(missingFieldHandlers: [person])),
      transport: NoTransport())
    let before = environment.store.dump(.base)
    let update = try environment.applyUpdate { store in
      let person = try store.create("4", type: "Person")
      try person.setValue("4", for: "id")
      try person.setValue("Four", for: "name")
      try person.setValue([], for: "pets")
    }
    _ = environment.check(KennelQuery(id: "4"))
    #expect(environment.read(KennelQuery(id: "4")).data?.person?.name == "Four")
    update.revert()
    #expect(environment.store.dump(.base) == before)
    #expect(environment.read(KennelQuery(id: "4")).data?.person == nil)
  }

  @Test("with a path limit of zero, a load with missing data still ends with an error")
  func noPaths() throws {
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(readLimits: ReadLimits(paths: 0))),
      transport: NoTransport())
    try environment.commitPayload(
      KindsQuery(), data: ["account": ["id": "a", "friends": []], "price": "1.00"])
    let load = environment.load(KindsQuery(), policy: .storeOnly)
    #expect(load.state.data == nil && !load.state.isLoading)
    #expect(load.state.error?.message.contains("readLimits") == true, "\(load.state)")
  }

  @Test("a record that is reachable only through a missing-field handler is kept while retained")
  func handled() throws {
    let person = MissingFieldHandler.linked { field in
      guard field.name == "person" else { return .none }
      return field.arguments["id"]?.string.map { .some(DataID($0)) } ?? .null
    }
    let environment = RelayEnvironment(
      store: RecordStore(
        configuration: .init(
          releaseBufferSize: 0, garbageCollection: .manual, missingFieldHandlers: [person])),
      transport: NoTransport())
    try environment.commitPayload(
      KennelQuery(id: "other"), data: ["person": ["id": "1", "name": "Ann", "pets": []]])
    let query = KennelQuery(id: "1")
    let retention = environment.retain(query)
    environment.store.collectGarbage()
    #expect(environment.read(query).data?.person?.name == "Ann")
    withExtendedLifetime(retention) {}
  }
}
