import RelayStore
import RelayStoreTesting
import Testing

@Suite("Dumps with hostile content", .timeLimit(.minutes(1)))
struct HostileDumpTests {
  private func page(_ ids: [String], next: Bool) -> JSONValue {
    [
      "edges": .array(
        ids.map {
          [
            "cursor": .string("c" + $0),
            "node": ["__typename": "Person", "id": .string($0), "name": .string("n" + $0)],
          ]
        }),
      "pageInfo": [
        "endCursor": ids.last.map { .string("c" + $0) } ?? .null, "hasNextPage": .bool(next),
        "hasPreviousPage": false, "startCursor": ids.first.map { .string("c" + $0) } ?? .null,
      ],
    ]
  }

  @Test(
    "a connection whose edge counter is missing, invalid or at its maximum still appends pages",
    arguments: [
      "\(Int.max)", "\(Int.max - 1)", "-1", "\(Int.min)", "1e400", "99999999999999999999", "null",
      #""x""#, "{}", "[1]", "",
    ])
  func counter(_ counter: String) async throws {
    let first = RelayEnvironment(transport: MockTransport())
    let query = FriendsQuery(id: "1")
    try first.commitPayload(
      query, data: ["person": ["id": "1", "followers": page(["2", "3"], next: true)]])
    let dump = first.store.dump()
    let known = #""__connection_next_edge_index":2"#
    let odd =
      counter.isEmpty
      ? dump.replacing(known + ",", with: "")
      : dump.replacing(known, with: #""__connection_next_edge_index":\#(counter)"#)
    try #require(odd != dump)

    let server = MockTransport()
    let environment = RelayEnvironment(store: try RecordStore(dump: odd), transport: server)
    let person = try #require(environment.read(query).data?.person)
    let list = environment.paginate(person.fragments.friends_person)
    for (ids, next) in [(["4", "5"], true), (["6"], false)] {
      async let loading: Void = list.loadNext(2)
      try await server.next().resolve(
        data: ["node": ["__typename": "Person", "id": "1", "followers": page(ids, next: next)]])
      try await loading
    }
    #expect(list.data?.followers?.nodes.map(\.id) == ["2", "3", "4", "5", "6"])
    let restored = environment.store.dump()
    #expect((0..<9).filter { restored.contains(":edges:\($0)\"") } == [0, 1, 2, 3, 4])
    #expect(try RecordStore(dump: environment.store.dump()).dump() == environment.store.dump())
  }

  @Test(
    "a record's metadata keys cannot be written as fields",
    arguments: ["__id", "__typename", "__errors", "__invalidated_at"])
  func reservedNames(_ name: String) throws {
    let environment = RelayEnvironment(transport: MockTransport())
    try environment.commitPayload(
      FollowersQuery(id: "1"), data: ["person": ["id": "1", "name": "Ada"]])
    let dump = environment.store.dump()
    let updaters: [@Sendable (RecordProxy) throws -> Void] = [
      { try $0.setValue("x", for: name) }, { try $0.setValue(.null, for: name) },
      { try $0.setLinkedRecord(nil, for: name) }, { try $0.setLinkedRecord($0, for: name) },
      { try $0.setLinkedRecords([$0], for: name) },
      { _ = try $0.getOrCreateLinkedRecord(name, type: "Person") },
    ]
    for updater in updaters {
      let error = #expect(throws: RelayError.self) {
        try environment.commitUpdate { store in
          guard let person = try store["1"] else { return }
          try updater(person)
        }
      }
      #expect(error?.code == .update && error?.message.contains(name) == true)
    }
    #expect(environment.store.dump() == dump)
    #expect(try RecordStore(dump: dump).dump() == dump)
  }
}
