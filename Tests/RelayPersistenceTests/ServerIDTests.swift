import RelayStoreTesting
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// The client's id of an object to which the server has given another one.
@Suite("Outbox: created objects in the store", .timeLimit(.minutes(1)))
struct ServerIDTests {
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()
  private let placeholder: String = ClientID.unique()
  private var created: DataID { DataID(placeholder) }

  private static let todo = SelectionPlan("Todo{id ID! text String note String}")

  /// The todo that an observer shows, after each delivery.
  private final class Watch: Sendable {
    private let texts = Locked<[String]>([])
    private let observation: Locked<ObservationHandle?> = Locked(nil)

    init(_ id: DataID, in app: OutboxApp) {
      let (snapshot, observation) = app.environment.store.readAndObserve(
        .record(id, ServerIDTests.todo, in: .empty)
      ) { [weak self] in self?.append($0) }
      append(snapshot)
      self.observation.withLock { $0 = observation }
    }

    private func append(_ snapshot: RowSnapshot) {
      let json = snapshot.row?.json
      let text = [json?["id"]?.string, json?["text"]?.string].map { $0 ?? "-" }
      texts.withLock { $0.append(text.joined(separator: " ")) }
    }

    var shown: [String] { texts.withLock { $0 } }
  }

  private func app() throws -> OutboxApp { try OutboxApp(cache, database) }

  private func add(in app: OutboxApp) async throws -> OutboxEntry {
    try await app.environment.add(.add("milk", as: placeholder))
  }

  private func respond(_ entry: OutboxEntry, in app: OutboxApp) async throws {
    try await app.server.next().succeed(RelayPersistenceTests.todo("addTodo", "42", "milk"))
    try await app.outbox.outcome(of: entry.id)
  }

  private func note(_ id: DataID, in app: OutboxApp) -> String? {
    app.environment.store.read(.record(id, Self.todo, in: .empty)).row?.json["note"]?.string
  }

  @Test("observers of either id show the server's object, each after one delivery")
  func observers() async throws {
    let app = try app()
    await app.environment.store.loaded()
    let unseen = Watch(created, in: app)
    let entry = try await add(in: app)
    let (early, server) = (Watch(created, in: app), Watch("42", in: app))
    try await respond(entry, in: app)
    #expect(unseen.shown == ["- -", "\(placeholder) milk", "42 milk"])
    #expect(early.shown == ["\(placeholder) milk", "42 milk"])
    #expect(server.shown == ["- -", "42 milk"])
    let late = Watch(created, in: app)
    try await app.environment.add(.set("42", to: "soy"))
    for watch in [unseen, early, server, late] {
      #expect(watch.shown.suffix(2) == ["42 milk", "42 soy"])
    }
  }

  @Test("the client's id reads and changes the server's object, also in later runs")
  func laterRuns() async throws {
    let first = try app()
    try await respond(try await add(in: first), in: first)
    try first.environment.commitUpdate { store in
      try #require(try store[created]).setValue("mine", for: "note")
      #expect(throws: RelayError.self) { try store.create(created, type: "Todo") }
    }
    #expect(note("42", in: first) == "mine" && note(created, in: first) == "mine")
    await first.until([])
    try await first.environment.store.flush()
    for _ in 0..<2 {
      let later = try app()
      await later.environment.store.loaded()
      try await later.outbox.loaded()
      let watch = Watch(created, in: later)
      #expect(watch.shown == ["42 milk"] && note(created, in: later) == "mine")
      try await later.environment.add(.set("42", to: "milk"))
      try await later.server.next().succeed(RelayPersistenceTests.todo("setText", "42", "milk"))
      await later.until([])
      #expect(watch.shown == ["42 milk"])
    }
  }

  @Test("an observer that is older than the ids of the last run shows the object, too")
  func observedBeforeLoading() async throws {
    let first = try app()
    try await respond(try await add(in: first), in: first)
    await first.until([])
    try await first.environment.store.flush()
    let later = try app()
    let watch = Watch(created, in: later)
    try await later.outbox.loaded()
    #expect(watch.shown.last == "42 milk")
  }

  @Test("fields that local updates wrote move to the server's object; its own fields win")
  func localFields() async throws {
    let app = try app()
    let entry = try await add(in: app)
    try app.environment.commitUpdate { store in
      let record = try store[created] ?? store.create(created, type: "Todo")
      try record.setValue(.string(placeholder), for: "id")
      try record.setValue("mine", for: "note")
      try record.setValue("tea", for: "text")
    }
    let watch = Watch("42", in: app)
    try await respond(entry, in: app)
    #expect(watch.shown.last == "42 milk" && note("42", in: app) == "mine")
    await app.until([])
    try await app.environment.store.flush()
    let later = try self.app()
    await later.environment.store.loaded()
    #expect(note("42", in: later) == "mine")
  }

  @Test("local fields that were stored before the id was known move in the next run")
  func localFieldsOfLastRun() async throws {
    let first = try app()
    let entry = try await add(in: first)
    try first.environment.commitUpdate { store in
      let record = try store.create(created, type: "Todo")
      try record.setValue(.string(placeholder), for: "id")
      try record.setValue("mine", for: "note")
    }
    try await first.environment.store.flush()
    // The journal loses all later changes.
    let old = cache.state.withLock { $0.rows }
    try await respond(entry, in: first)
    await first.until([])
    cache.state.withLock { $0.rows = old }
    let later = try app()
    await later.environment.store.loaded()
    try await later.outbox.loaded()
    #expect(note("42", in: later) == "mine" && note(created, in: later) == "mine")
    #expect(Watch("42", in: later).shown == ["42 -"])
  }

  @Test("links of local updates to the client's id lead to the server's object, and retain it")
  func links() async throws {
    let app = try app()
    let store = app.environment.store
    let list = SelectionPlan("List{first Todo{text String} all [Todo{text String}]}")
    let retention = store.retain(
      RequestIdentity(documentHash: list.documentHash, variables: [:]),
      store.bind(list, variables: [:]), root: "list")
    let entry = try await add(in: app)
    try app.environment.commitUpdate { source in
      let record = try source.create("list", type: "List")
      let todo = try source.create(created, type: "Todo")
      try record.setLinkedRecord(todo, for: "first")
      try record.setLinkedRecords([todo], for: "all")
    }
    let shown = { store.read(.record("list", list, in: .empty)).row?.json }
    let texts: JSONObject = ["first": ["text": "milk"], "all": [["text": "milk"]]]
    #expect(shown() == texts)
    store.collectGarbage()
    try await respond(entry, in: app)
    await app.until([])
    #expect(shown() == texts)
    store.collectGarbage()
    #expect(shown() == texts)
    try app.environment.commitUpdate { source in
      try source["list"]?.setLinkedRecord(nil, for: "first")
      try source["list"]?.setLinkedRecords([], for: "all")
    }
    store.collectGarbage()
    #expect(app.text("42") == nil && app.text(placeholder) == nil)
    retention.release()
  }

  @Test("an id that only clients make is not taken from the server, not even one that leads back")
  func hostileIDs() async throws {
    let app = try app()
    let others: [String] = (0..<2).map { _ in ClientID.unique() }
    for (placeholder, id) in [
      (others[0], others[1]), (others[1], others[0]), (placeholder, "client:root"),
    ] {
      let entry = try await app.environment.add(.add("milk", as: placeholder))
      try await app.server.next().succeed(RelayPersistenceTests.todo("addTodo", id, "milk"))
      try await app.outbox.outcome(of: entry.id)
      #expect(app.outbox.id(for: DataID(placeholder)) == nil)
    }
    #expect(app.environment.store.dump().contains("\"client:root\":{\"__id\":\"client:root\""))
  }

  @Test("an object that keeps the client's id on the server is known by it")
  func sameID() async throws {
    let app = try app()
    let entry = try await add(in: app)
    try await app.server.next().succeed(
      RelayPersistenceTests.todo("addTodo", placeholder, "milk"))
    try await app.outbox.outcome(of: entry.id)
    #expect(app.outbox.id(for: created) == created && app.text(placeholder) == "milk")
    async let response = app.environment.commit(SetTextMutation(id: placeholder, text: "soy"))
    let request = try await app.server.next()
    #expect(request.request.variables["id"] == .string(placeholder))
    request.succeed(RelayPersistenceTests.todo("setText", placeholder, "soy"))
    _ = try await response
    #expect(app.text(placeholder) == "soy")
  }

  @Test("records below the object follow: lists that entries and the app name by the client's id")
  func recordsBelow() async throws {
    let app = try app()
    let key = "__Notes_connection"
    let list = created.child(storageKey: key)
    #expect(list.rawValue == "\(placeholder):\(key)")
    let entry = try await add(in: app)
    try await app.environment.add(.set(placeholder, to: "soy", with: list.rawValue))
    try await respond(entry, in: app)
    let edit = try await app.server.next()
    let stored = database.storedEntries.last?.variables["note"]
    #expect(stored == .string("client:42:\(key)"))
    try app.environment.commitUpdate { store in
      let record = try store.create(DataID("client:42:\(key)"), type: "Todo")
      try record.setValue("here", for: "text")
      try #require(try store["42"]).setLinkedRecord(record, for: key)
    }
    #expect(app.text(list.rawValue) == "here")
    for id in [created, "42"] {
      #expect(app.environment.connections("Notes", of: id) == [DataID("client:42:\(key)")])
    }
    edit.succeed(RelayPersistenceTests.todo("setText", "42", "soy"))
  }

  @Test("an id of the client that is not known yet is not sent by a mutation without the outbox")
  func plainMutation() async throws {
    let app = try app()
    let entry = try await add(in: app)
    let mutation = SetTextMutation(id: placeholder, text: "soy")
    let error = await #expect(throws: RelayError.self) {
      try await app.environment.commit(mutation)
    }
    #expect(error?.code == .request && error?.message.contains(placeholder) == true)
    try await respond(entry, in: app)
    async let response = app.environment.commit(mutation)
    let request = try await app.server.next()
    #expect(request.request.variables["id"] == "42")
    request.succeed(RelayPersistenceTests.todo("setText", "42", "soy"))
    _ = try await response
  }

  @Test("a reset forgets which object the client's id was")
  func reset() async throws {
    let app = try app()
    try await respond(try await add(in: app), in: app)
    app.environment.reset()
    try app.environment.commitUpdate { store in
      try store.create("42", type: "Todo").setValue("other", for: "text")
    }
    #expect(app.text("42") == "other" && app.text(placeholder) == nil)
  }
}
