import RelayStore
import RelayStoreTesting
import Testing

@Suite("The guides to pagination and client state", .timeLimit(.minutes(1)))
struct StateGuideTests {
  @Test("the guides' code behaves as documented")
  func guides() async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(store: draftStore(), transport: server)
    deriveGreeting(environment)
    let query = FriendScreenQuery(id: "1")
    try environment.commitPayload(
      query,
      data: [
        "person": [
          "id": "1", "name": "Ada",
          "friends": [
            "edges": [
              ["cursor": "c", "node": ["__typename": "Person", "id": "2", "name": "Bob"]]
            ],
            "pageInfo": ["endCursor": "c", "hasNextPage": true],
          ],
        ]
      ])
    let person = try #require(environment.read(query).data?.person)
    #expect(person.greeting == " Ada")
    try write(person, environment)
    #expect(environment.read(query).data?.person?.greeting == "Dear Ada Ada")
    let shown = Recorded()
    let paging = Task {
      try await page(person, environment) { shown.add(environment.read($0).data?.name ?? "") }
    }
    try await server.next().reject(RelayError(.transport, "lost"))
    await #expect(throws: RelayError.self) { try await paging.value }
    await view(person, environment) { shown.add(environment.read($0).data?.name ?? "") }
    #expect(shown.all == ["Bob", "Bob"])
    try environment.commitUpdate { store in
      try store.create("4", type: "Person").setValue("4", for: "id")
    }
    for _ in 0..<2 { try befriend(environment) }
    let list = environment.read(person.fragments.friendList_person)
    #expect(list.data?.friends?.nodes.map(\.id) == ["2", "4"])
  }

  @Test("a live field has the last element of its sequence while it is observed")
  func presence() async throws {
    let environment = RelayEnvironment(transport: MockTransport())
    let server = PresenceServer()
    derivePresence(environment, from: server)
    try environment.commitUpdate { store in
      try store.create("1", type: "Person").setValue("1", for: "id")
    }
    var badges = environment.observe(FragmentRef<OnlineBadge_person>(id: "1")).makeAsyncIterator()
    let first = await badges.next()
    #expect(first?.data != nil && first?.data?.isOnline == nil)
    server.send(true)
    #expect(await badges.next()?.data?.isOnline == true)
    #expect(environment.store.statistics.liveFields == 1)
  }
}
