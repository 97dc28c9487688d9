import RelayStore
import RelayStoreTesting
import Testing

@Suite("Connections on an interface", .timeLimit(.minutes(1)))
struct InterfaceConnectionTests {
  private func page(_ ids: [String], next: Bool) -> JSONValue {
    [
      "edges": .array(
        ids.map {
          ["cursor": .string("c" + $0), "node": ["id": .string($0), "name": .string("n" + $0)]]
        }),
      "pageInfo": ["endCursor": .string("c" + (ids.last ?? "")), "hasNextPage": .bool(next)],
    ]
  }

  @Test(
    "a connection on an interface is paginated, whether the concrete type was compiled or not",
    arguments: ["Person", "Band", "Newcomer"])
  func pages(type: String) async throws {
    let server = MockTransport()
    let environment = RelayEnvironment(transport: server)
    let object: JSONObject = [
      "__typename": .string(type), "__isFollowed": .string(type), "__isNode": .string(type),
      "id": "1",
    ]
    var first = object
    first["followers"] = page(["2", "3"], next: true)
    try environment.commitPayload(FollowedQuery(), data: ["followed": .object(first)])
    let node = try #require(environment.read(FollowedQuery()).data?.followed)
    let list = environment.paginate(node.fragments.followed_followed)
    try #require(list.hasNext && list.connectionID != nil)
    async let loaded: Void = list.loadNext(1)
    var second = object
    second["followers"] = page(["4"], next: false)
    try await server.next().resolve(data: ["node": .object(second)])
    try await loaded
    #expect(list.data?.followers?.nodes.map(\.id) == ["2", "3", "4"] && !list.hasNext)
  }
}
