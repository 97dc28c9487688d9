import Foundation
import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

/// Reads of small responses whose links lead to the same records again and again. Without shared
/// rows the value would grow exponentially with the depth of the selection.
@Suite("Responses with cyclic and shared links", .timeLimit(.minutes(1)))
struct AmplificationTests {
  /// An environment whose store holds `response` as the response to `query`.
  private func environment<Query: GraphQLQuery>(
    _ query: Query, response: String, limits: ReadLimits = ReadLimits()
  ) throws -> RelayEnvironment {
    let store = RecordStore(
      configuration: .init(releaseBufferSize: 0, readLimits: limits, garbageCollection: .manual))
    let environment = RelayEnvironment(store: store, transport: MockTransport())
    try environment.commitPayload(query, data: Array(response.utf8))
    return environment
  }

  /// A response about a person whose `count` buddies are all the same person. `members` is appended
  /// to the fields of each object.
  private func selfLinked(_ count: Int, _ members: String = "") -> String {
    let buddy = #"{"id":"1","buddies":[]\#(members)}"#
    let buddies = Array(repeating: buddy, count: count).joined(separator: ",")
    return #"{"me":{"id":"1","name":"Ann","buddies":[\#(buddies)]\#(members)}}"#
  }

  /// A response about a person with `count` buddies. Each has one buddy, the hub, who in turn has
  /// `leaves` buddies.
  private func hub(_ count: Int, leaves: Int) -> String {
    let leaf = (0..<leaves).map { #"{"id":"l\#($0)","name":"leaf"}"# }.joined(separator: ",")
    let buddies = (0..<count).map { number in
      let inner =
        number == 0 ? #"{"id":"hub","name":"Hub","buddies":[\#(leaf)]}"# : #"{"id":"hub"}"#
      return #"{"id":"b\#(number)","name":"b","buddies":[\#(inner)]}"#
    }
    return #"{"me":{"id":"1","name":"Ann","buddies":[\#(buddies.joined(separator: ","))]}}"#
  }

  // MARK: Reading

  @Test("ten levels of four thousand links to one record are read without multiplying its rows")
  func deep() throws {
    let limits = ReadLimits(rows: 100_000)
    let environment = try environment(
      TenBuddiesQuery(), response: selfLinked(4_000), limits: limits)
    let snapshot = environment.read(TenBuddiesQuery())
    #expect(snapshot.errors.isEmpty && snapshot.missing.isEmpty)
    let third = snapshot.data?.me?.buddies?.last?.buddies?.last?.buddies
    #expect(third?.count == 4_000 && third?.last?.name == "Ann")
    #expect(third?.last?.buddies?.first?.buddies?.first?.buddies?.count == 4_000)
    #expect(snapshot.seenRecords == ["client:root", "1"])
    guard case .available = environment.check(TenBuddiesQuery()) else {
      return #expect(Bool(false))
    }
  }

  @Test("a value with shared rows is compared, hashed, printed and dumped without expanding it")
  func walks() throws {
    let first = try environment(TenBuddiesQuery(), response: selfLinked(300)).read(
      TenBuddiesQuery())
    let second = try environment(TenBuddiesQuery(), response: selfLinked(300)).read(
      TenBuddiesQuery())
    let other = try environment(TenBuddiesQuery(), response: selfLinked(301)).read(
      TenBuddiesQuery())
    let (data, same) = (try #require(first.data), try #require(second.data))
    #expect(data == same && data.hashValue == same.hashValue && first == second)
    #expect(data != other.data)
    let buddies = try #require(data.me?.buddies)
    #expect(buddies == same.me?.buddies && buddies.hashValue == same.me?.buddies?.hashValue)
    var dumped = ""
    dump(first, to: &dumped)
    for text in [dumped, "\(data)", String(reflecting: data), first.description, "\(buddies)"] {
      #expect(text.contains("Ann") && text.utf8.count < 1_000_000)
    }
    #expect("\(data)".contains(#"Person_buddies(id: "1", name: "Ann", buddies: [300 elements])"#))
  }

  @Test("an observer of a value with shared rows receives its changes and keeps its records")
  func observing() throws {
    let environment = try environment(
      TenBuddiesQuery(), response: selfLinked(300), limits: ReadLimits(rows: 10_000))
    let names = Recorded()
    let observation = environment.readAndObserve(TenBuddiesQuery()) { snapshot in
      names.add(snapshot.data?.me?.buddies?.last?.buddies?.last?.name ?? "none")
    }.observation
    try environment.commitUpdate { try $0["1"]?.setValue("Bea", for: "name") }
    try environment.commitUpdate { try $0["1"]?.setValue("Bea", for: "name") }
    let update = try environment.applyUpdate { try $0["1"]?.setValue("Cid", for: "name") }
    update.revert()
    #expect(names.all == ["Bea", "Cid", "Bea"])
    #expect(environment.store.collectGarbage().collected == 0)
    observation.cancel()
    #expect(environment.store.collectGarbage().collected > 0)
  }

  @Test("a record below many others reads the same in all of them, before and after it changes")
  func sharing() throws {
    let environment = try environment(
      HubQuery(), response: hub(300, leaves: 100), limits: ReadLimits(rows: 3_000))
    let names = Recorded()
    let observation = environment.readAndObserve(HubQuery()) { snapshot in
      let leaves = snapshot.data?.me?.buddies?.map { buddy in
        buddy.buddies?.first?.buddies?.map(\.name).joined() ?? ""
      }
      names.add(Set(leaves ?? []).map { String($0.prefix(12)) }.sorted().joined(separator: " "))
    }.observation
    try environment.commitUpdate { try $0["l0"]?.setValue("new1", for: "name") }
    try environment.commitUpdate { try $0["b150"]?.setValue("other", for: "name") }
    try environment.commitUpdate { try $0["l0"]?.setValue("new2", for: "name") }
    try environment.commitUpdate { try $0["l1"]?.setValue("new3", for: "name") }
    #expect(names.all == ["new1leafleaf", "new1leafleaf", "new2leafleaf", "new2new3leaf"])
    withExtendedLifetime(observation) {}
  }

  @Test("type conditions that select more fields of the same records do not multiply their rows")
  func conditions() throws {
    let dog =
      #"{"__typename":"Dog","__isNode":"Dog","id":"1","name":"Rex","barks":true,"friends":[]}"#
    let friends = Array(repeating: dog, count: 1_000).joined(separator: ",")
    let response =
      #"{"animal":{"__typename":"Dog","__isNode":"Dog","id":"1","name":"Rex","friends":[\#(friends)]}}"#
    let environment = try environment(
      FriendlyAnimalsQuery(), response: response, limits: ReadLimits(rows: 30_000))
    let snapshot = environment.read(FriendlyAnimalsQuery())
    #expect(snapshot.errors.isEmpty)
    let friendsOfDog = snapshot.data?.animal?.asDog?.friends
    #expect(friendsOfDog?.count == 1_000 && snapshot.data?.animal?.friends.count == 1_000)
    #expect(friendsOfDog?.last?.asDog?.friends.last?.asDog?.friends.last?.name == "Rex")
  }

  // MARK: Missing fields and errors

  @Test(
    "a record deleted on the client is left out, and reported missing, at every path to it")
  func deleted() throws {
    let environment = try environment(HubQuery(), response: hub(10, leaves: 3))
    try environment.commitUpdate { try $0.delete("l1") }
    let snapshot = environment.read(HubQuery())
    let leaves = snapshot.data?.me?.buddies?.map { $0.buddies?.first?.buddies?.map(\.id) }
    #expect(leaves == Array(repeating: ["l0", "l2"], count: 10))
    #expect(snapshot.errors.isEmpty)
    let places: [ResponsePath] = (0..<10).map {
      ["me", "buddies", .index($0), "buddies", 0, "buddies", 1]
    }
    #expect(snapshot.missing == places)
    #expect(throws: Never.self) { try snapshot.result.get() }
    guard case .available = environment.check(HubQuery()) else { return #expect(Bool(false)) }
  }

  @Test("an object with a non-null link to a deleted record is left out at every path to it")
  func deletedBelow() throws {
    let partner = #"{"id":"p","chair":{"id":"1"},"members":[{"id":"2"}]}"#
    let other = #"{"id":"q","chair":{"id":"2"},"members":[]}"#
    let clubs = (0..<6).map { #"{"id":"c\#($0)","partners":[\#(partner),\#(other)]}"# }
    let environment = try environment(
      ClubsQuery(), response: #"{"clubs":[\#(clubs.joined(separator: ","))]}"#)
    try environment.commitUpdate { try $0.delete("1") }
    let snapshot = environment.read(ClubsQuery())
    #expect(
      snapshot.data?.clubs.map { $0.partners.map(\.id) } == Array(repeating: ["q"], count: 6))
    let places: [ResponsePath] = (0..<6).map {
      ["clubs", .index($0), "partners", 0, "chair"]
    }
    #expect(snapshot.errors.isEmpty && snapshot.missing == places)
    guard case .available = environment.check(ClubsQuery()) else { return #expect(Bool(false)) }
  }

  @Test("an object that lacks a non-null field is left out of its list at every path to it")
  func unnamed() throws {
    let unnamed = #"{"id":"2"}"#
    let buddies = Array(repeating: #"{"id":"3","name":"c","buddies":[\#(unnamed)]}"#, count: 4)
    let environment = try environment(
      BuddiesQuery(),
      response: #"{"me":{"id":"1","name":"a","buddies":[\#(buddies.joined(separator: ","))]}}"#)
    let snapshot = environment.read(BuddiesQuery())
    #expect(snapshot.data?.me?.buddies?.map { $0.buddies?.count } == [0, 0, 0, 0])
    #expect(snapshot.missing.count == 4 && Set(snapshot.missing).count == 4)
    guard case .missing = environment.check(BuddiesQuery()) else { return #expect(Bool(false)) }
  }

  @Test("a missing field is reported at every path to its record")
  func missing() throws {
    let data =
      #"{"me":{"id":"1","buddies":[{"id":"2","buddies":[\#(Array(repeating: #"{"id":"3"}"#, count: 4).joined(separator: ","))]},{"id":"2"},{"id":"2"},{"id":"2"}]}}"#
    let snapshot = try environment(AgesQuery(), response: data).read(AgesQuery())
    let paths = (0..<4).flatMap { outer in
      (0..<4).map { "me.buddies[\(outer)].buddies[\($0)].age" }
    }
    #expect(snapshot.missing.map(\.description) == paths && snapshot.errors.isEmpty)
  }

  @Test("missing fields are reported up to the path limit, with one error for the rest")
  func manyMissing() throws {
    let snapshot = try environment(
      AgesQuery(), response: selfLinked(2_000), limits: ReadLimits(rows: 20_000, paths: 5_000)
    ).read(AgesQuery())
    #expect(snapshot.data?.me?.buddies?.last?.buddies?.count == 2_000)
    #expect((2_000...5_000).contains(snapshot.missing.count))
    #expect(snapshot.errors.map(\.kind) == [.limit])
    #expect(snapshot.errors.first?.message.contains("5000") == true)
  }

  @Test(
    "a caught missing field fails at every path to it, and names that path while there are few")
  func caught() throws {
    let store = try environment(CaughtAgesQuery(), response: selfLinked(3))
    for _ in 0..<100 { _ = store.read(CaughtAgesQuery()) }
    // Each read has the same limit, regardless of earlier ones.
    let few = store.read(CaughtAgesQuery())
    for (outer, buddy) in (few.data?.me?.buddies ?? []).enumerated() {
      for (inner, age) in (buddy.buddies ?? []).map(\.age).enumerated() {
        guard case .failure(let errors) = age else { return #expect(Bool(false)) }
        #expect(
          errors.map(\.path) == [["me", "buddies", .index(outer), "buddies", .index(inner), "age"]])
      }
    }
    let many = try environment(
      CaughtAgesQuery(), response: selfLinked(2_000), limits: ReadLimits(rows: 200_000, paths: 500)
    ).read(CaughtAgesQuery())
    let ages = many.data?.me?.buddies?.last?.buddies?.map(\.age) ?? []
    #expect(ages.count == 2_000)
    #expect(ages.allSatisfy { if case .failure = $0 { true } else { false } })
  }

  @Test("a missing field is an error of every @catch around it, with the path through that @catch")
  func caughtAround() throws {
    let snapshot = try environment(CaughtHubQuery(), response: hub(5, leaves: 2)).read(
      CaughtHubQuery())
    let buddies = try #require(snapshot.data?.me?.buddies)
    #expect(buddies.count == 5 && snapshot.errors.isEmpty && snapshot.missing.count == 10)
    for (place, buddy) in buddies.enumerated() {
      guard case .failure(let errors) = buddy.buddies else { return #expect(Bool(false)) }
      #expect(
        errors.map(\.path.description)
          == (0..<2).map { "me.buddies[\(place)].buddies[0].buddies[\($0)].age" })
    }
  }

  @Test("a server error whose path has a hundred thousand segments stays within the path limit")
  func longPath() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    async let fetched = environment.fetch(AgeErrorsQuery())
    let path = [JSONValue.string("me"), "age"] + (0..<100_000).map { .number(JSONNumber($0)) }
    let response = try JSONValue(parsing: Array(selfLinked(4_000, #","age":null"#).utf8))
    try await server.next().resolve(
      data: response, errors: [["message": "no", "path": .array(path)]])
    let snapshot = try await fetched
    #expect(snapshot.errors.count <= ReadLimits().paths + 1 && snapshot.data != nil)
  }

  // MARK: Limits

  @Test("a list with as many rows as the limit is read; a longer one is an error without data")
  func rowLimit() throws {
    let people = (0..<5_000).map { #"{"id":"\#($0)","name":"n","buddies":[]}"# }
    let response = #"{"me":{"id":"me","name":"Ann","buddies":[\#(people.joined(separator: ","))]}}"#
    let whole = try environment(BuddiesQuery(), response: response, limits: ReadLimits(rows: 5_000))
    #expect(whole.read(BuddiesQuery()).data?.me?.buddies?.count == 5_000)
    let short = try environment(BuddiesQuery(), response: response, limits: ReadLimits(rows: 4_999))
    let snapshot = short.read(BuddiesQuery())
    #expect(snapshot.data == nil && snapshot.missing.isEmpty)
    #expect(snapshot.errors.map(\.kind) == [.limit])
    #expect(snapshot.errors.first?.path == ["me", "buddies"])
    #expect(snapshot.errors.first?.owner == "BuddiesQuery")
    #expect(snapshot.seenRecords.contains("me"))
    let error = #expect(throws: RelayError.self) { try short.read(ThrowingBuddiesQuery()) }
    #expect(error?.code == .field && (error?.underlying as? FieldError)?.kind == .limit)
    #expect(ReadLimits().rows > 1_000_000)
  }

  @Test("an observer receives data again once the list is within the row limit")
  func afterLimit() throws {
    let environment = try environment(
      BuddiesQuery(), response: selfLinked(100), limits: ReadLimits(rows: 150))
    let counts = Recorded()
    let observation = environment.readAndObserve(BuddiesQuery()) { snapshot in
      counts.add("\(snapshot.data?.me?.buddies?.count ?? -1) \(snapshot.errors.count)")
    }.observation
    #expect(environment.read(BuddiesQuery()).data == nil)
    try environment.commitUpdate { store in
      try store["1"]?.setLinkedRecords([store["1"]], for: "buddies")
    }
    #expect(counts.all == ["1 0"])
    withExtendedLifetime(observation) {}
  }

  @Test("fragments read together share one row limit; a fragment read alone has its own")
  func plural() throws {
    let environment = try environment(
      BuddyRowsQuery(), response: hub(200, leaves: 200), limits: ReadLimits(rows: 20_000))
    let rows = try #require(environment.read(BuddyRowsQuery()).data?.me?.buddies)
    let references = rows.map(\.fragments.buddy_person)
    let together = environment.read(references)
    #expect(together.errors.first?.kind == .limit)
    #expect(together.data?.first??.buddies?.first?.buddies?.count == 200)
    #expect(together.data?.last == .some(nil))
    let alone = environment.read(references[199])
    #expect(alone.data?.buddies?.first?.buddies?.count == 200 && alone.errors.isEmpty)
    let calls = Recorded()
    let observation = environment.observe(references) { calls.add("\($0.errors.count)") }
    try environment.commitUpdate { try $0["l0"]?.setValue("new", for: "name") }
    #expect(calls.all.count == 1)
    observation.cancel()
  }

  @Test("mirroring fragments that all reach the same records completes")
  func mirror() throws {
    let environment = try environment(
      BuddyRowsQuery(), response: hub(200, leaves: 200), limits: ReadLimits(rows: 1_000))
    let written = Recorded()
    let handle = environment.mirror(Buddy_person.self, into: Names(written: written))
    #expect(written.all.contains("b1"))
    withExtendedLifetime(handle) {}
  }

  @Test("an optimistic response that repeats its objects is refused beyond the row limit")
  func initialized() async throws {
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(readLimits: ReadLimits(rows: 1_000))),
      transport: MockTransport())
    let error = await #expect(throws: RelayError.self) {
      try await environment.commit(
        AmplifiedRenameMutation(id: "1", name: "n"),
        optimisticResponse: .init(
          rename: .init(
            person: .init(
              id: "1",
              buddies: .init(
                repeatElement(
                  .init(
                    id: "1",
                    buddies: .init(
                      repeatElement(
                        .init(id: "1", buddies: .init(repeatElement(.init(id: "1"), count: 100))),
                        count: 100))), count: 100))))))
    }
    #expect(error?.code == .request && error?.message.contains("1000 rows") == true)
  }
}

private struct Names: FragmentWriter {
  let written: Recorded

  func write(_ changes: FragmentChanges<Buddy_person>) {
    for person in changes.updated { written.add(person.id) }
  }
}
