import RelayStore
import RelayStoreTesting
import Testing

@Suite("Updaters that write values of the wrong kind", .timeLimit(.minutes(1)))
struct UpdaterTypeTests {
  /// An environment with an account. The store knows its field types from the query.
  private func known() throws -> RelayEnvironment {
    try environment(
      KindsQuery(),
      """
      {"account": {"id": "a", "nick": "ann", "visits": 1, "emails": ["a@b"], "owner": {"id": "p", "name": "Ann"},
        "friends": [{"id": "q", "name": "Bob"}]}, "price": "1.50"}
      """)
  }

  private struct Case: CustomTestStringConvertible {
    let field: String
    let message: String
    let write: @Sendable (RecordSourceProxy) throws -> Void
    var testDescription: String { "\(field): \(message)" }

    init(
      _ field: String, message: String, _ write: @escaping @Sendable (RecordProxy) throws -> Void
    ) {
      self.field = field
      self.message = message
      self.write = { try $0["a"].map(write) }
    }
  }

  private static let refused = [
    Case("nick", message: "is of type String, and cannot be a number") {
      try $0.setValue(5, for: "nick")
    },
    Case("visits", message: "is of type Int, and cannot be a string") {
      try $0.setValue("5", for: "visits")
    },
    Case("visits", message: "is of type Int, and cannot be a number") {
      try $0.setValue(1.5, for: "visits")
    },
    Case("nick", message: "is of type String, and cannot be a list") {
      try $0.setValue(["a"], for: "nick")
    },
    Case("emails", message: "is a list of String, and cannot be a string") {
      try $0.setValue("a@b", for: "emails")
    },
    Case("emails", message: "is a list of String, and cannot be a number") {
      try $0.setValue([1], for: "emails")
    },
    Case("owner", message: "is a link to Person, and cannot be a string") {
      try $0.setValue("p", for: "owner")
    },
    Case("friends", message: "is a list of links to Person, and cannot be a list") { account in
      try account.setValue(["q"], for: "friends")
    },
    Case("nick", message: "is of type String, and cannot be a link") { account in
      try account.setLinkedRecord(account.getLinkedRecord("owner"), for: "nick")
    },
    Case("friends", message: "is a list of links to Person, and cannot be a link") { account in
      try account.setLinkedRecord(account.getLinkedRecord("owner"), for: "friends")
    },
    Case("owner", message: "is a link to Person, and cannot be a list of links") { account in
      try account.setLinkedRecords([account.getLinkedRecord("owner")], for: "owner")
    },
  ]

  @Test(
    "a value of the wrong kind is refused if a definition in use selects the field",
    arguments: refused.indices)
  func refusals(_ position: Int) throws {
    let environment = try known()
    let row = Self.refused[position]
    let before = environment.store.dump()
    let error = #expect(throws: RelayError.self) { try environment.commitUpdate(row.write) }
    #expect(error?.code == .update)
    #expect(error?.message == "Field \"\(row.field)\" of record \"a\" \(row.message).")
    #expect(environment.store.dump() == before)
  }

  @Test("the updater throws a custom scalar's own error")
  func scalar() throws {
    let environment = try known()
    let error = #expect(throws: RelayError.self) {
      try environment.commitUpdate { try $0.root.setValue("much", for: "price") }
    }
    #expect(error?.message.contains("NotCents()") == true && error?.underlying != nil)
    try environment.commitUpdate { try $0.root.setValue(Cents(cents: 250), for: "price") }
    #expect(environment.read(KindsQuery()).data?.price == Cents(cents: 250))
  }

  @Test("nulls, values of the right kind and fields that no definition selects are written")
  func accepted() throws {
    let environment = try known()
    try environment.commitUpdate { store in
      let account = try store["a"]
      try account?.setValue("eve", for: "nick")
      try account?.setValue(JSONValue.null, for: "visits")
      try account?.setValue(JSONValue.array([.string("x"), .null]), for: "emails")
      try account?.setLinkedRecord(nil, for: "owner")
      try account?.setLinkedRecords([store["p"]], for: "friends")
      try account?.setValue(5, for: "rank")
    }
    let snapshot = environment.read(KindsQuery())
    #expect(snapshot.data?.account?.nick == "eve" && snapshot.data?.account?.friends.count == 1)
    #expect(snapshot.errors.isEmpty)
  }

  @Test("an empty list, or a list of nulls, is valid for every list type")
  func emptyLists() throws {
    let environment = try environment(
      EmptyBoxesQuery(),
      """
      {"shelf": {"id": "s", "boxes": [[{"id": "b"}]], "maybe": [{"id": "b"}]}}
      """)
    try environment.commitUpdate { store in
      try store["s"]?.setLinkedRecords([], for: "boxes")
      try store["s"]?.setValue([nil, nil], for: "maybe")
    }
    let shelf = environment.read(EmptyBoxesQuery()).data?.shelf
    #expect(shelf?.boxes?.isEmpty == true && shelf?.maybe?.count == 2)
    try environment.commitUpdate { try $0["s"]?.setValue([], for: "maybe") }
    #expect(environment.read(EmptyBoxesQuery()).data?.shelf?.maybe?.isEmpty == true)
    #expect(throws: RelayError.self) {
      try environment.commitUpdate { try $0["s"]?.setValue(["b"], for: "maybe") }
    }
  }

  @Test("a wrong value written before any definition is in use is a field error when read")
  func unknown() throws {
    let environment = RelayEnvironment(transport: MockTransport())
    try environment.commitUpdate { store in
      let account = try store.create("a", type: "Account")
      let owner = try store.create("p", type: "Person")
      try account.setValue("a", for: "id")
      try account.setValue(5, for: "nick")
      try account.setLinkedRecord(owner, for: "visits")
      try account.setValue("x", for: "emails")
      try account.setValue("p", for: "owner")
      try account.setLinkedRecords([], for: "friends")
      try store.root.setLinkedRecord(account, for: "account")
      try store.root.setValue("1.00", for: "price")
    }
    let snapshot = environment.read(KindsQuery())
    #expect(snapshot.data?.account?.friends.isEmpty == true)
    #expect(snapshot.errors.map(\.kind) == [.type, .type, .type, .type])
    #expect(
      snapshot.errors.map(\.message) == [
        "Field \"nick\" is of type String, and the store has a number for it.",
        "Field \"visits\" is of type Int, and the store has a link for it.",
        "Field \"emails\" is a list of String, and the store has a string for it.",
        "Field \"owner\" is a link to Person, and the store has a string for it.",
      ])
    #expect(
      snapshot.missing.map(\.description)
        == ["account.nick", "account.visits", "account.emails", "account.owner"])
  }

  @Test(
    "an unselected field of a type with known fields is logged, because it may be misspelt")
  func misspelt() throws {
    let events = Recorded()
    let logged = Locked<RecordStore?>(nil)
    let store = RecordStore(
      configuration: .init(log: { event in
        if case .unknownField(let typeName, let field) = event {
          // A log handler may use the store: the store's lock is released by then.
          let count = logged.withLock { $0 }?.statistics.observers ?? -1
          events.add("\(count) \(typeName).\(field)")
        }
      }))
    logged.withLock { $0 = store }
    let environment = RelayEnvironment(store: store, transport: MockTransport())
    try environment.commitPayload(
      KindsQuery(), data: ["account": ["id": "a", "friends": []], "price": "1.00"])
    try environment.commitUpdate { store in
      try store["a"]?.setValue("x", for: "nikc")
      try store["a"]?.setValue("y", for: "nikc")
      try store["a"]?.setValue("x", for: "nick")
      try store.create("s", type: "Stone").setValue(1, for: "wieght")
    }
    logged.withLock { $0 = nil }
    #expect(events.all == ["0 Account.nikc"])
  }

  @Test("a query that is only observed makes the types of its root fields known")
  func observedRoot() throws {
    let environment = RelayEnvironment(transport: MockTransport())
    let (_, observation) = environment.readAndObserve(KindsQuery()) { _ in }
    #expect(throws: RelayError.self) {
      try environment.commitUpdate { try $0.root.setValue("a", for: "account") }
    }
    observation.cancel()
  }

  @Test("an interface's field types are known for every type that the compiled schema lists")
  func interfaces() throws {
    let environment = try environment(
      KindsOfAnimalsQuery(),
      """
      {"animals": [{"__typename": "Dog", "__isNode": "Dog", "id": "d", "name": "Rex", "barks": true, "friends": []}]}
      """)
    for (field, value) in [("name", JSONValue.bool(true)), ("barks", "yes"), ("friends", "none")] {
      #expect(throws: RelayError.self) {
        try environment.commitUpdate { try $0["d"]?.setValue(value, for: field) }
      }
    }
    try environment.commitUpdate { try $0["d"]?.setValue("Max", for: "name") }
  }
}
