import RelayStore
import RelayStoreTesting
import Testing

/// The difference between a null argument and an omitted one: in the query sent and its variables,
/// in storage keys and connection keys, and for updaters, missing-field handlers and servers.
@Suite("Null and omitted arguments", .timeLimit(.minutes(1)))
struct NullTests {
  private static let schema = """
    scalar Extra
    enum PetKind { DOG CAT }
    enum Order { NAME AGE }
    input FindBy { tag: String kind: PetKind }
    interface Node { id: ID! }
    type Query {
      find(tag: String = "any", tags: [String], by: FindBy, extra: Extra): Found
      person(id: ID!): Person node(id: ID!): Node
    }
    type Mutation { setNick(id: ID!, nick: String): Nicked }
    type Found { asked: String! }
    type Nicked { id: ID! nick: String }
    type Person implements Node {
      id: ID! name: String!
      followers(first: Int, after: String, last: Int, before: String, by: Order): FollowerConnection
    }
    type FollowerConnection { edges: [FollowerEdge] pageInfo: PageInfo! }
    type FollowerEdge { cursor: String! node: Person }
    type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
    """

  /// A server that resolves `find` to the arguments it received, and logs the requests.
  private final class Server: Sendable {
    private let sent: Locked<[GraphQLRequest]>
    let environment: RelayEnvironment

    /// The query document and the variables of the last request.
    var last: (text: String, variables: JSONObject) {
      sent.withLock { ($0.last?.text ?? "", $0.last?.variables ?? [:]) }
    }

    init(handlers: [MissingFieldHandler] = []) throws {
      let sent = Locked<[GraphQLRequest]>([])
      self.sent = sent
      let server = try SchemaServer(
        schema: NullTests.schema,
        resolvers: [
          "Query.find": { ["asked": .string("\(JSONValue.object($0.arguments))")] },
          "Mutation.setNick": { call in
            let nick: GraphQLNullable<String> = try call.argument("nick")
            return switch nick {
            case .none: ["id": "1", "nick": "unchanged"]
            case .null: ["id": "1", "nick": nil]
            case .some(let nick): ["id": "1", "nick": .string(nick)]
            }
          },
          "Query.person": { _ in ["id": "1", "name": "Ann"] },
          "Query.node": { _ in ["__typename": "Person", "id": "1", "name": "Ann"] },
          "Person.followers": { call in
            let isFirst = !call.hasArgument("after") || call.arguments["after"] == .null
            let id: JSONValue = isFirst ? "2" : "3"
            return [
              "edges": [["cursor": id, "node": ["id": id, "name": "n"]]],
              "pageInfo": [
                "endCursor": id, "hasNextPage": .bool(isFirst), "hasPreviousPage": false,
              ],
            ]
          },
        ]
      ) { request in sent.withLock { $0.append(request) } }
      environment = RelayEnvironment(
        store: RecordStore(
          configuration: .init(garbageCollection: .manual, missingFieldHandlers: handlers)),
        transport: server)
    }

    /// The storage keys of the record `id`.
    func keys(of id: String) throws -> [String] {
      let dump = try JSONValue(parsing: Array(environment.store.dump().utf8))
      return dump[id]?.object?.keys.filter { !$0.hasPrefix("__typename") && $0 != "__id" } ?? []
    }
  }

  // MARK: Queries

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let query: any GraphQLQuery
    /// A fragment of the query document that is sent; `variables` are all the variables sent with
    /// it.
    let text: String
    let variables: JSONObject
    /// The arguments that the server's resolver receives, as JSON.
    let asked: String
    let key: String

    init(
      _ name: String, _ query: any GraphQLQuery, text: String, variables: JSONObject = [:],
      asked: String, key: String
    ) {
      (self.name, self.query, self.asked, self.key) = (name, query, asked, key)
      (self.text, self.variables) = (text, variables)
    }

    var testDescription: String { name }
  }

  static let rows = [
    Row("left out", FindQuery(), text: "{find{", asked: #"{"tag":"any"}"#, key: "find"),
    Row(
      "a literal null", FindNullQuery(), text: "find(tag:null)", asked: #"{"tag":null}"#,
      key: "find(tag:null)"),
    Row(
      "a variable without a value", FindVariableQuery(), text: "find(tag:$tag)",
      asked: #"{"tag":"any"}"#, key: "find"),
    Row(
      "a variable that is null", FindVariableQuery(tag: .null), text: "find(tag:$tag)",
      variables: ["tag": .null], asked: #"{"tag":null}"#, key: "find(tag:null)"),
    Row(
      "a variable with a value", FindVariableQuery(tag: "v"), text: "find(tag:$tag)",
      variables: ["tag": "v"], asked: #"{"tag":"v"}"#, key: #"find(tag:"v")"#),
    Row(
      "a variable without a value that has a default", FindDefaultQuery(tag: .none),
      text: #"($tag:String="d")"#, asked: #"{"tag":"d"}"#, key: #"find(tag:"d")"#),
    Row(
      "a null in place of a default", FindDefaultQuery(tag: .null), text: #"($tag:String="d")"#,
      variables: ["tag": .null], asked: #"{"tag":null}"#, key: "find(tag:null)"),
    Row(
      "a default of null", FindDefaultNullQuery(), text: "($tag:String=null)",
      variables: ["tag": .null], asked: #"{"tag":null}"#, key: "find(tag:null)"),
    Row(
      "a variable without a value whose default is null", FindDefaultNullQuery(tag: .none),
      text: "($tag:String=null)", asked: #"{"tag":null}"#, key: "find(tag:null)"),
    Row(
      "absent inside an object and a list", FindNestedQuery(),
      text: "find(by:{tag:$tag,kind:null},tags:[null,$tag])",
      asked: #"{"tag":"any","tags":[null,null],"by":{"kind":null}}"#,
      key: #"find(by:{"kind":null},tags:[null,null])"#),
    Row(
      "null inside an object and a list", FindNestedQuery(tag: .null),
      text: "find(by:{tag:$tag,kind:null},tags:[null,$tag])", variables: ["tag": .null],
      asked: #"{"tag":"any","tags":[null,null],"by":{"tag":null,"kind":null}}"#,
      key: #"find(by:{"kind":null,"tag":null},tags:[null,null])"#),
    Row(
      "an input object with a field that is null and one that is left out",
      FindByQuery(by: .some(.init(tag: .null)), tags: .null), text: "find(by:$by,tags:$tags)",
      variables: ["by": ["tag": .null], "tags": .null],
      asked: #"{"tag":"any","tags":null,"by":{"tag":null}}"#,
      key: #"find(by:{"tag":null},tags:null)"#),
    Row(
      "absent inside a custom scalar", FindExtraQuery(),
      text: "find(extra:{tag:$tag,none:null,list:[$tag]})",
      asked: #"{"tag":"any","extra":{"none":null,"list":[null]}}"#,
      key: #"find(extra:{"list":[null],"none":null})"#),
    Row(
      "null inside a custom scalar", FindExtraQuery(tag: .null),
      text: "find(extra:{tag:$tag,none:null,list:[$tag]})", variables: ["tag": .null],
      asked: #"{"tag":"any","extra":{"tag":null,"none":null,"list":[null]}}"#,
      key: #"find(extra:{"list":[null],"none":null,"tag":null})"#),
    Row(
      "a fragment's default", PassDefaultQuery(), text: #"find(tag:"f")"#,
      asked: #"{"tag":"f"}"#, key: #"find(tag:"f")"#),
    Row(
      "a null passed to a fragment", PassNullQuery(), text: "find(tag:null)",
      asked: #"{"tag":null}"#, key: "find(tag:null)"),
    Row(
      "a variable without a value passed to a fragment", PassVariableQuery(),
      text: "find(tag:$tag)", asked: #"{"tag":"any"}"#, key: "find"),
    Row(
      "a variable that is null passed to a fragment", PassVariableQuery(tag: .null),
      text: "find(tag:$tag)", variables: ["tag": .null], asked: #"{"tag":null}"#,
      key: "find(tag:null)"),
    Row(
      "a fragment's default of null", PassDefaultNullQuery(), text: "find(tag:null)",
      asked: #"{"tag":null}"#, key: "find(tag:null)"),
  ]

  @Test("the request, the resolver and the box key have the same arguments", arguments: rows)
  func agree(_ row: Row) async throws { try await check(row, row.query) }

  private func check<Query: GraphQLQuery>(_ row: Row, _ query: Query) async throws {
    let server = try Server()
    let fetched = try await server.environment.fetch(query)
    #expect(fetched.missing.isEmpty && fetched.errors.isEmpty)
    #expect(server.last.text.contains(row.text), "\(server.last.text)")
    #expect(server.last.variables == row.variables)
    #expect(try server.keys(of: "client:root") == [row.key])
    let dump = try JSONValue(parsing: Array(server.environment.store.dump().utf8))
    #expect(dump["client:root:\(row.key)"]?["asked"]?.string == row.asked)
    #expect(isAvailable(query, in: server))
  }

  private func isAvailable(_ query: some GraphQLQuery, in server: Server) -> Bool {
    if case .available = server.environment.check(query) { true } else { false }
  }

  @Test("a fragment with a null argument reads the field stored with that argument")
  func fragments() async throws {
    let server = try Server()
    func asked(_ reference: FragmentRef<Find_query>) -> String? {
      server.environment.read(reference).data?.find?.asked
    }
    let passed = try await server.environment.fetch(PassNullQuery()).data
    #expect(asked(try #require(passed).fragments.find_query) == #"{"tag":null}"#)
    let left = try await server.environment.fetch(PassVariableQuery()).data
    #expect(asked(try #require(left).fragments.find_query) == #"{"tag":"any"}"#)
    #expect(
      asked(FragmentRef(id: .root, variables: ["tag": GraphQLNullable<String>.null]))
        == #"{"tag":null}"#)
    #expect(asked(FragmentRef(id: .root)) == nil)
    let byDefault = try await server.environment.fetch(PassDefaultNullQuery()).data
    let fragment = try #require(byDefault).fragments.findNull_query
    #expect(server.environment.read(fragment).data?.find?.asked == #"{"tag":null}"#)
  }

  @Test(
    "a field fetched with a null argument does not satisfy one that omits it, nor the reverse"
  )
  func apart() async throws {
    let server = try Server()
    _ = try await server.environment.fetch(FindNullQuery())
    #expect(!isAvailable(FindQuery(), in: server))
    #expect(!isAvailable(FindVariableQuery(), in: server))
    #expect(isAvailable(FindVariableQuery(tag: .null), in: server))
    #expect(isAvailable(FindDefaultNullQuery(tag: .none), in: server))
    _ = try await server.environment.fetch(FindQuery())
    #expect(server.environment.read(FindNullQuery()).data?.find?.asked == #"{"tag":null}"#)
    #expect(server.environment.read(FindVariableQuery()).data?.find?.asked == #"{"tag":"any"}"#)
  }

  // MARK: Updaters and handlers

  @Test("updaters address fields with null arguments and with omitted ones")
  func updaters() async throws {
    let server = try Server()
    _ = try await server.environment.fetch(FindNullQuery())
    try server.environment.commitUpdate { store in
      #expect(try store.root.getLinkedRecord("find") == nil)
      let found = try store.root.getLinkedRecord("find", arguments: ["tag": .null])
      try found?.setValue("changed", for: "asked")
      #expect(store.storageKey(for: "find", arguments: ["tag": .null]) == "find(tag:null)")
      #expect(try store.root.storageKey(for: "find", arguments: [:]) == "find")
      let made = try store.root.getOrCreateLinkedRecord(
        "find", type: "Found", arguments: ["tag": .null, "by": .null])
      #expect(made.id == "client:root:find(by:null,tag:null)")
    }
    #expect(server.environment.read(FindNullQuery()).data?.find?.asked == "changed")
    try server.environment.commitUpdate { store in
      try store.updatable(FindUpdatableQuery(tag: .null)).find?.asked = "typed"
      #expect(try store.updatable(FindUpdatableQuery()).find == nil)
      try store.root.removeValue("find", arguments: ["by": .null, "tag": .null])
    }
    #expect(server.environment.read(FindNullQuery()).data?.find?.asked == "typed")
    #expect(try server.keys(of: "client:root") == ["find(tag:null)"])
  }

  @Test("a missing-field handler receives null arguments, but no omitted ones")
  func handlers() async throws {
    let seen = Recorded()
    let handler = MissingFieldHandler.linked { field in
      seen.add("\(field.storageKey) \(JSONValue.object(field.arguments))")
      return field.arguments["tag"] == .null ? .some("n") : .none
    }
    let server = try Server(handlers: [handler])
    try server.environment.commitUpdate { store in
      try store.create("n", type: "Found").setValue("known", for: "asked")
    }
    #expect(server.environment.read(FindNullQuery()).data?.find?.asked == "known")
    #expect(server.environment.read(FindVariableQuery(tag: .null)).data?.find?.asked == "known")
    #expect(server.environment.read(FindVariableQuery()).data?.find == nil)
    #expect(seen.all.contains(#"find(tag:null) {"tag":null}"#) && seen.all.contains("find {}"))
  }

  // MARK: Mutations

  @Test("a mutation sends a null literal, and its updater finds the root field with it")
  func mutations() async throws {
    let server = try Server()
    let cleared = try await server.environment.commit(ClearNickMutation()) { store in
      #expect(try store.getRootField("setNick", arguments: ["id": "1"]) == nil)
      let field = try store.getRootField("setNick", arguments: ["id": "1", "nick": .null])
      #expect(field?.id == "1")
    }
    #expect(cleared.data?.setNick?.id == "1" && cleared.data?.setNick?.nick == nil)
    #expect(server.last.text.contains(#"setNick(id:"1",nick:null)"#))
    #expect(
      try await server.environment.commit(KeepNickMutation()).data?.setNick?.nick == "unchanged")
    let set = SetNickMutation(nick: "Al")
    #expect(try await server.environment.commit(set).data?.setNick?.nick == "Al")
    let absent = SetNickMutation()
    #expect(try await server.environment.commit(absent).data?.setNick?.nick == "unchanged")
    #expect(
      try await server.environment.commit(SetNickMutation(nick: .null)).data?.setNick?.nick == nil)
    #expect(server.last.variables == ["nick": .null])
  }

  // MARK: Connections

  private func list<Query: GraphQLQuery>(
    of query: Query, on server: Server, _ fragment: (Query.Data) -> FragmentRef<Friends_person>?
  ) async throws -> Pagination<Friends_person> {
    let data = try #require(try await server.environment.fetch(query).data)
    let reference = fragment(data)
    return server.environment.paginate(try #require(reference))
  }

  @Test("a null filter is part of a connection's key; an omitted one is not")
  func filters() async throws {
    let server = try Server()
    let left = try await list(of: OrderQuery(), on: server) { $0.person?.fragments.friends_person }
    #expect(left.connectionID == .connection("Friends_followers", of: "1"))
    let null = try await list(of: OrderQuery(order: .null), on: server) {
      $0.person?.fragments.friends_person
    }
    let id = DataID.connection("Friends_followers", of: "1", filters: ["by": .null])
    #expect(null.connectionID == id)
    #expect(id.rawValue == "client:1:__Friends_followers_connection(by:null)")
    let literal = try await list(of: NullOrderQuery(), on: server) {
      $0.person?.fragments.friends_person
    }
    #expect(literal.connectionID == id && literal.data?.followers?.nodes.map(\.id) == ["2"])
    #expect(server.environment.connections("Friends_followers", of: "1").count == 2)
    try server.environment.commitUpdate { store in
      let person = try #require(try store["1"])
      #expect(
        try person.getConnection("Friends_followers", filters: ["by": .null])?.record.id == id)
      #expect(try person.getConnection("Friends_followers")?.record.id == left.connectionID)
      #expect(
        store.connectionID(parent: "1", key: "Friends_followers", filters: ["by": .null]) == id)
    }
  }

  @Test("a first page omits the cursor; a null cursor from the caller is a first page too")
  func firstPage() async throws {
    let server = try Server()
    let friends = try await list(of: OrderQuery(), on: server) {
      $0.person?.fragments.friends_person
    }
    #expect(try server.keys(of: "1").contains("followers(first:2)"))
    try await friends.refetch()
    #expect(server.last.variables == ["count": 2, "id": "1"])
    #expect(friends.data?.followers?.nodes.map(\.id) == ["2"])
    try await friends.loadNext(3)
    #expect(server.last.variables == ["count": 3, "cursor": "2", "id": "1"])
    #expect(friends.data?.followers?.nodes.map(\.id) == ["2", "3"])
    try await friends.refetch { $0.order = .null }
    #expect(server.last.variables == ["count": 2, "id": "1", "order": .null])
    #expect(
      friends.connectionID == .connection("Friends_followers", of: "1", filters: ["by": .null]))
    #expect(
      try server.keys(of: "1").filter { $0.contains("after") } == [#"followers(after:"2",first:3)"#]
    )
    let null = try await list(of: OrderQuery(cursor: .null), on: server) {
      $0.person?.fragments.friends_person
    }
    #expect(try server.keys(of: "1").contains("followers(after:null,first:2)"))
    #expect(null.data?.followers?.nodes.map(\.id) == ["2"])
    try await null.refetch()
    #expect(server.last.variables["cursor"] == nil)
  }

  @Test("a cursor whose default is null is null for the server, and need not be sent")
  func nullCursor() async throws {
    let server = try Server()
    let data = try await server.environment.fetch(NullCursorQuery()).data
    let person = try #require(data?.person)
    let list = server.environment.paginate(person.fragments.nullCursor_person)
    #expect(list.data?.followers?.nodes.map(\.id) == ["2"] && list.hasNext)
    #expect(server.last.text.contains("followers(first:2,after:null)"))
    #expect(try server.keys(of: "1").contains("followers(after:null,first:2)"))
    try await list.refetch()
    #expect(server.last.variables == ["count": 2, "id": "1"])
    try await list.loadNext(1)
    #expect(list.data?.followers?.nodes.map(\.id) == ["2", "3"])
  }

  @Test("a connection whose other direction is null is paginated in one direction")
  func oneWay() async throws {
    let server = try Server()
    _ = try await server.environment.fetch(OneWayQuery())
    #expect(server.last.text.contains("followers(first:2,last:null)"))
    #expect(server.last.text.contains("hasNextPage"))
    #expect(!server.last.text.contains("hasPreviousPage"))
  }
}
