import RelayStore
import RelayStoreTesting
import Testing

@Suite(
  "Connections with aliases, edge types and paging filters at run time", .timeLimit(.minutes(1)))
struct ConnectionShapeTests {
  private let server = MockTransport()
  private let environment: RelayEnvironment

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: server)
  }

  private func node(_ id: String) -> JSONValue {
    ["__typename": "Person", "id": .string(id), "name": .string("n" + id)]
  }

  /// A page whose edges and nodes are aliased in the response.
  private func circle(_ ids: [String], next: Bool) -> JSONValue {
    [
      "links": .array(
        ids.map {
          ["__typename": "FollowerEdge", "cursor": .string("c" + $0), "who": node($0)]
        }),
      "pageInfo": ["endCursor": .string("c" + (ids.last ?? "")), "hasNextPage": .bool(next)],
    ]
  }

  private func list() throws -> Pagination<Circle_person> {
    let query = CircleQuery(id: "1")
    try environment.commitPayload(
      query, data: ["person": ["id": "1", "followers": circle(["2", "3"], next: true)]])
    let person = try #require(environment.read(query).data?.person)
    return environment.paginate(person.fragments.circle_person)
  }

  private func names(_ list: Pagination<Circle_person>) -> [String?] {
    list.data?.followers?.links?.map { $0?.who?.name } ?? []
  }

  @Test("pages with aliased edges and nodes are merged")
  func aliasedEdges() async throws {
    let list = try list()
    #expect(names(list) == ["n2", "n3"] && list.hasNext)
    async let loading: Void = list.loadNext(1)
    let request = try await server.next()
    #expect(request.request.variables["cursor"] == "c3")
    #expect(CirclePageQuery.__operation.text.contains("links:edges{"))
    request.resolve(
      data: [
        "node": ["__typename": "Person", "id": "1", "followers": circle(["4"], next: false)]
      ])
    try await loading
    #expect(names(list) == ["n2", "n3", "n4"] && !list.hasNext)
  }

  @Test("@appendNode takes the edge type from a variable, optimistically and for the response")
  func edgeTypeName() async throws {
    let list = try list()
    let connection = try #require(list.data?.followers?.__id)
    let sending = Task {
      try await environment.commit(
        WelcomeMutation(id: "5", name: "n5", lists: [connection], edge: "FollowerEdge"),
        optimisticResponse: .init(rename: .init(person: .init(id: "5", name: "n5?"))))
    }
    let request = try await server.next()
    #expect(request.request.variables.members.map(\.key).sorted() == ["id", "name"])
    #expect(names(list) == ["n2", "n3", "n5?"])
    request.resolve(data: ["rename": ["person": ["id": "5", "name": "n5"]]])
    _ = try await sending.value
    #expect(names(list) == ["n2", "n3", "n5"])
    let types = list.data?.followers?.links?.map { $0?.__typename }
    #expect(types == ["FollowerEdge", "FollowerEdge", "FollowerEdge"])
  }

  @Test("with first and after among the filters, each page is a connection of its own")
  func pagesAmongFilters() throws {
    func page(_ ids: [String]) -> JSONValue {
      [
        "edges": .array(ids.map { ["cursor": .string("c" + $0), "node": node($0)] }),
        "pageInfo": ["endCursor": .string("c" + (ids.last ?? "")), "hasNextPage": true],
      ]
    }
    let pages: [(WindowQuery, [String])] = [
      (WindowQuery(id: "1", count: 2), ["2", "3"]),
      (WindowQuery(id: "1", count: 1), ["2"]),
      (WindowQuery(id: "1", count: 2, after: .some("c3")), ["4", "5"]),
      (WindowQuery(id: "1", count: 2, after: .some("c5")), ["6"]),
    ]
    for (query, ids) in pages {
      try environment.commitPayload(
        query, data: ["person": ["id": "1", "followers": page(ids)]])
    }
    func read(_ query: WindowQuery) -> [String?] {
      environment.read(query).data?.person?.followers?.edges?.map { $0?.node?.name } ?? []
    }
    for (query, ids) in pages { #expect(read(query) == ids.map { "n" + $0 }) }
    #expect(environment.connections("Window_followers", of: "1").count == pages.count)
    let third = try #require(environment.read(pages[2].0).data?.person?.followers?.__id)
    try environment.commitPayload(
      WindowMutation(lists: [third]),
      data: ["follow": ["edge": ["cursor": "c9", "node": node("9")]]])
    #expect(pages.map { read($0.0).last } == ["n3", "n2", "n9", "n6"])
  }

  @Test("a deferred spread without a label gets one, and a response in one piece is read")
  func filledInLabel() async throws {
    let loading = Task { try await environment.fetch(UnlabelledQuery(id: "1")) }
    let request = try await server.next()
    let sent = String(decoding: request.request.httpBody, as: UTF8.self)
    #expect(
      sent.contains(#"...Circle_person@defer(label:\"UnlabelledQuery$defer$Circle_person\")"#))
    request.resolve(
      data: ["person": ["id": "1", "name": "n1", "followers": circle(["2"], next: false)]])
    let person = try #require(try await loading.value.data?.person)
    let circle = environment.read(person.fragments.circle_person)
    #expect(circle.missing.isEmpty && circle.data?.followers?.links?.count == 1)
  }
}
