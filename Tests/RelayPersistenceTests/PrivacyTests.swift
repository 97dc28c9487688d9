import Foundation
import RelayPersistence
import RelayStore
import Testing

/// A query with private elements of every kind, and a list of others. Every private value is the
/// string "secret".
private let account = OperationPlan(
  name: "AccountQuery",
  reader: SelectionPlan("AccountQuery Query{me User{id ID! name String email String}}"),
  normalization: SelectionPlan(
    """
    -$,Session,User.__Account_notes_connection,User.email,User.notes,User.profile,__Root.best,__Root.key,__Root.search,__Root.nothing \
    Query{me User{__typename String! id ID! name String email String profile Profile{bio String} \
    company Company{__typename String! id ID! profile Profile{bio String}} \
    session Session{__typename String! id ID! token String device Device{model String}} things [*Thing{__typename String! id ID! \
    ...on Session{token String}}] notes NoteConnection{edges [NoteEdge{cursor String node \
    Note{__typename String! id ID! text String}}]}%connection(key:"Account_notes")} \
    search(text:$text) Result{total Int} best(text:$text) [User{__typename String! id ID!}] \
    nothing(text:$text) String key String}
    """))

private let data: JSONValue = [
  "me": [
    "__typename": "User", "id": "1", "name": "Ada", "email": "secret email",
    "profile": ["bio": "secret bio"],
    "session": [
      "__typename": "Session", "id": "secret session", "token": "secret token",
      "device": ["model": "secret model"],
    ],
    "company": ["__typename": "Company", "id": "c", "profile": ["bio": "public"]],
    "things": [
      ["__typename": "Item", "id": "i1"],
      ["__typename": "Session", "id": "secret session", "token": "secret token"],
    ],
    "notes": [
      "edges": [
        [
          "cursor": "secret cursor",
          "node": ["__typename": "Note", "id": "n1", "text": "not private by itself"],
        ]
      ]
    ],
  ],
  "search": ["total": 3], "best": [["__typename": "User", "id": "1"]], "nothing": nil,
  "key": "secret key",
]

extension PersistedStore {
  fileprivate func receive(_ data: JSONValue) throws {
    try receive(data, of: account, ["text": "secret argument"])
  }

  fileprivate func value(_ id: String, _ plan: String) -> JSONObject? {
    let plan = SelectionPlan(stored: Array(plan.utf8))
    return plan.flatMap { store.read(.record(DataID(id), $0, in: .empty)).row?.json }
  }
}

@Suite("Storage: private elements", .timeLimit(.minutes(1)))
struct PrivacyTests {
  @Test("no private value is in any file, and what is not private is stored")
  func elements() async throws {
    let directory = TemporaryDirectory()
    let first = PersistedStore(directory)
    await first.store.loaded()
    try first.receive(data)
    try await first.store.flush()
    #expect(directory.contains("Ada"))
    #expect(!directory.contains("secret"))
    // Changed records go to the log.
    try first.environment.commitUpdate { store in
      try store["1"]?.setValue("Grace", for: "name")
      try store["1"]?.setValue("another secret", for: "email")
      try store["secret session"]?.setValue("another secret", for: "token")
    }
    try await first.store.flush()
    #expect(directory.contains("Grace"))
    // The same holds for deleted and collected records.
    try first.environment.commitUpdate { try $0.delete("secret session") }
    try await first.store.flush()
    try first.environment.commitUpdate { store in
      for number in 0..<100 { _ = try store.create(DataID("item \(number)"), type: "Item") }
    }
    first.store.collectGarbage()
    try await first.close()
    #expect(!directory.contains("secret"))
    #expect(first.value("1", "User{email String}")?["email"] == "another secret")

    let second = PersistedStore(directory)
    await second.store.loaded()
    #expect(second.value("1", "User{id ID! name String}") == ["id": "1", "name": "Grace"])
    // Another type has a public field with the same name as a private one.
    #expect(
      second.value("c", "Company{profile Profile{bio String}}") == ["profile": ["bio": "public"]])
    for plan in [
      "User{email String}", "User{profile Profile{bio String}}", "User{session Session{id ID!}}",
      "User{things [*Thing{__typename String! id ID!}]}",
      "User{__Account_notes_connection NoteConnection{edges [NoteEdge{cursor String}]}}",
    ] {
      let read = SelectionPlan(stored: Array(plan.utf8)).map {
        second.store.read(.record("1", $0, in: .empty))
      }
      #expect(read?.details.missing.isEmpty == false, "\(plan)")
    }
    second.check()
    // The same records in a second run.
    try second.receive(data)
    try await second.store.flush()
    #expect(!directory.contains("secret"))
    // The elements are known before a plan names them.
    try second.environment.commitUpdate { store in
      try store["1"]?.setValue("one more secret", for: "email")
    }
    try await second.close()
    #expect(!directory.contains("secret"))
  }

  @Test("a field of a record in parts is private, too")
  func largeRecord() async throws {
    let directory = TemporaryDirectory()
    let stored = PersistedStore(directory)
    await stored.store.loaded()
    try stored.receive(data)
    for email in ["secret", "secret 2"] {
      try stored.environment.commitUpdate { store in
        for number in 0..<400 {
          try store["1"]?.setValue(.number(JSONNumber(number)), for: "field\(number)")
        }
        try store["1"]?.setValue(.string(email), for: "email")
      }
      try await stored.store.flush()
    }
    try await stored.close()
    #expect(!directory.contains("secret"))
    let second = PersistedStore(directory)
    await second.store.loaded()
    #expect(second.value("1", "User{field399 Int}") == ["field399": 399])
  }

  @Test("a query with private variables is not stored, its other data is")
  func variables() async throws {
    let login = OperationPlan(
      name: "LoginQuery", reader: SelectionPlan("LoginQuery Query{me User{id ID!}}"),
      normalization: SelectionPlan("-$ Query{me User{__typename String! id ID! name String}}"))
    let directory = TemporaryDirectory()
    let stored = PersistedStore(directory)
    await stored.store.loaded()
    try stored.receive(
      ["me": ["__typename": "User", "id": "1", "name": "Ada"]], of: login, ["password": "secret"])
    try await stored.close()
    #expect(directory.contains("Ada"))
    #expect(!directory.contains("secret"))
  }

  @Test("values that become private with an update of the program are removed from the files")
  func update() async throws {
    let text = "Query{me User{__typename String! id ID! name String email String}}"
    func operation(_ prefix: String) throws -> OperationPlan {
      let plan = try #require(SelectionPlan(stored: Array((prefix + text).utf8)))
      return OperationPlan(
        name: "Q", reader: SelectionPlan("Q Query{me User{id ID!}}"), normalization: plan)
    }
    let directory = TemporaryDirectory()
    let first = PersistedStore(directory)
    try first.receive(data, of: try operation(""))
    try first.environment.commitUpdate { store in
      for number in 0..<300 {
        let user = try store.create(DataID("user \(number)"), type: "User")
        try user.setValue("secret \(number)", for: "email")
        try user.setValue(.number(JSONNumber(number)), for: "age")
      }
    }
    try await first.close()
    #expect(directory.contains("secret"))

    let second = PersistedStore(directory)
    await second.store.loaded()
    try second.receive(data, of: try operation("-User.email "))
    try await second.close()
    #expect(!directory.contains("secret"))
    let third = PersistedStore(directory)
    await third.store.loaded()
    #expect(third.store.statistics.records == second.store.statistics.records)
    #expect(third.value("user 299", "User{age Int}") == ["age": 299])
    third.check()
  }

  @Test("an id that is stored before its record is known to be private is removed")
  func earlyID() async throws {
    let directory = TemporaryDirectory()
    let stored = PersistedStore(directory)
    await stored.store.loaded()
    let subscription = stored.store.subscribe(
      .record(
        "secret session", SelectionPlan("Session{token String}"), in: .empty))
    try stored.environment.commitUpdate { _ = try $0.create("other", type: "Item") }
    try await stored.store.flush()
    #expect(directory.contains("secret"))
    try stored.receive(data)
    try await stored.store.flush()
    #expect(!directory.contains("secret"))
    // The observer retains the id when the store is reset.
    stored.environment.reset()
    try stored.environment.commitUpdate { _ = try $0.create("other", type: "Item") }
    try await stored.close()
    #expect(directory.contains("other"))
    #expect(!directory.contains("secret"))
    withExtendedLifetime(subscription) {}
  }

  @Test("the id of an object that only an optimistic update has made is not stored")
  func optimistic() async throws {
    let directory = TemporaryDirectory()
    let stored = PersistedStore(directory)
    await stored.store.loaded()
    try stored.receive(["me": nil, "search": nil, "best": nil, "nothing": nil, "key": nil])
    let update = try stored.environment.applyUpdate { store in
      let session = try store.create("secret session", type: "Session")
      try session.setValue("secret", for: "token")
    }
    try stored.environment.commitUpdate { _ = try $0.create("other", type: "Item") }
    try await stored.store.flush()
    #expect(directory.contains("other"))
    #expect(!directory.contains("secret"))
    withExtendedLifetime(update) {}
  }

  @Test("what only an earlier version of the program has kept private is stored after a wipe")
  func publicAgain() async throws {
    let directory = TemporaryDirectory()
    let first = PersistedStore(directory)
    await first.store.loaded()
    try first.receive(data)
    try await first.close()
    let second = PersistedStore(directory)
    await second.store.loaded()
    func write() throws {
      try second.environment.commitUpdate { store in
        let user = try store["1"] ?? store.create("1", type: "User")
        try user.setValue("an address", for: "email")
      }
    }
    try write()
    try await second.store.flush()
    #expect(!directory.contains("an address"))
    try await second.environment.wipe()
    try write()
    try await second.close()
    #expect(directory.contains("an address"))
  }

  @Test("records of another schema are dropped when the schema is named")
  func schema() async throws {
    let directory = TemporaryDirectory()
    func open(_ schema: String) async -> PersistedStore {
      let stored = PersistedStore(.sqlite(directory: directory.path, schema: schema, library: nil))
      await stored.store.loaded()
      return stored
    }
    let first = await open("1")
    try first.receive(data)
    try await first.close()
    let same = await open("1")
    #expect(same.value("1", "User{name String}") == ["name": "Ada"])
    try await same.close()
    let other = await open("2")
    #expect(other.value("1", "User{name String}") == nil)
    #expect(
      other.events.problems == [
        .persistenceReplaced(reason: "The records have a different schema.")
      ])
  }
}
