import Foundation
import RelayPersistence
import RelayStore
import RelayStoreTesting
import Testing

/// The entries that precede others, and the entries that fail with them.
@Suite("Outbox: order", .timeLimit(.minutes(1)))
struct OutboxOrderTests {
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()

  private func app() throws -> OutboxApp { try OutboxApp(cache, database) }

  private var storedEntries: [StoredEntry] { database.storedEntries }

  @Test("the next run merges answers in the order in which the server has given them")
  func orderOfAnswers() async throws {
    let first = try app()
    await first.environment.store.loaded()
    // The responses remain in their entries.
    try await first.environment.store.suspend()
    let ids = ["1", "2", "3"]
    for id in ids { try await first.environment.add(.set(id, to: "a")) }
    var requests: [String?: ScriptedServer.Request] = [:]
    for _ in ids {
      let request = try await first.server.next()
      requests[request.request.variables["id"]?.string] = request
    }
    // Each response contains the same object.
    for (id, text) in [("3", "first"), ("1", "second"), ("2", "third")] {
      try #require(requests[id]).succeed(todo("setText", "shared", text))
      await first.until { _ in first.text("shared") == text }
    }
    await first.until([.acknowledged, .acknowledged, .acknowledged])

    let second = try OutboxApp(MemoryPersistence(), database)
    try await second.outbox.loaded()
    await second.until([])
    #expect(second.text("shared") == "third")
    #expect(second.server.count == 0)
  }

  @Test("entries that share an id are sent in order, others at the same time")
  func order() async throws {
    let app = try app()
    let first = try await app.environment.add(.set("1", to: "a"))
    try await app.environment.add(.set("1", to: "b"))
    try await app.environment.add(.set("2", to: "c"))
    try await app.environment.add(.set("3", to: "d"), after: [first.id])
    let requests = [try await app.server.next(), try await app.server.next()]
    #expect(Set(requests.map { $0.request.variables["text"]?.string }) == ["a", "c"])
    await app.until([.sending, .queued, .sending, .queued])
    #expect(["1", "2", "3"].map { app.text($0) } == ["b", "c", "d"])
    try #require(requests.first { $0.request.variables["text"] == "a" })
      .succeed(todo("setText", "1", "a"))
    let next = [try await app.server.next(), try await app.server.next()]
    #expect(Set(next.map { $0.request.variables["text"]?.string }) == ["b", "d"])
    // The later update still applies on top of the response to the earlier one.
    #expect(app.text("1") == "b")
  }

  @Test("the server's id replaces a placeholder in waiting entries, durably with the answer")
  func placeholders() async throws {
    let placeholder: String = ClientID.unique()
    let first = try app()
    let added = try await first.environment.add(.add("milk", as: placeholder))
    try await first.environment.add(.set(placeholder, to: "soy milk"))
    let request = try await first.server.next()
    await first.until([.sending, .queued])
    request.succeed(todo("addTodo", "42", "milk"))
    try await first.outbox.outcome(of: added.id)
    #expect(storedEntries.last?.variables["id"] == "42")
    let change = try await first.server.next()
    #expect(change.request.variables == ["id": "42", "text": "soy milk"])
    #expect(first.text("42") == "soy milk")
    change.succeed(todo("setText", "42", "soy milk"))
    await first.until([])
    #expect(first.text("42") == "soy milk")
  }

  @Test("a mutation with a placeholder that was answered before has the server's id")
  func latePlaceholder() async throws {
    let placeholder: String = ClientID.unique()
    let app = try app()
    let added = try await app.environment.add(.add("milk", as: placeholder))
    try await app.server.next().succeed(todo("addTodo", "42", "milk"))
    try await app.outbox.outcome(of: added.id)
    await app.until([])
    try await app.environment.add(.set(placeholder, to: "soy milk"))
    #expect(app.text("42") == "soy milk")
    #expect(app.text(placeholder) == "soy milk")
    #expect(try await app.server.next().request.variables["id"] == "42")
    #expect(storedEntries.last?.variables["id"] == "42")
  }

  @Test("an update that is applied again stays below those of later commits")
  func orderOfUpdates() async throws {
    let placeholder: String = ClientID.unique()
    let app = try app()
    try await app.environment.add(.add("milk", as: placeholder))
    try await app.environment.add(.set("9", to: "a", with: placeholder))
    try await app.environment.add(.set("9", to: "b"))
    #expect(app.text("9") == "b")
    try await app.server.next().succeed(todo("addTodo", "42", "milk"))
    await app.until([.sending, .queued])
    #expect(storedEntries.map { $0.variables["note"] } == ["42", nil])
    #expect(app.text("9") == "b")
    // The same holds for a failed entry that is sent again.
    try await app.server.next().refuse("no")
    await app.until { $0.first?.state == .failed }
    #expect(app.text("9") == "b")
    try await app.outbox.retry(try #require(app.outbox.entries.first).id)
    await app.until([.sending, .queued])
    #expect(app.text("9") == "b")
  }

  @Test("discarding a change of a new object leaves its other changes")
  func discardedChange() async throws {
    let app = try app()
    app.outbox.suspend()
    let placeholder: String = ClientID.unique()
    try await app.environment.add(.add("milk", as: placeholder))
    let first = try await app.environment.add(.set(placeholder, to: "a"))
    try await app.environment.add(.set(placeholder, to: "b"))
    let last = try await app.environment.add(.set(placeholder, to: "c"))
    for entry in [first, last] { try await app.outbox.discard(entry.id) }
    await app.until([.queued, .queued])
    #expect(app.text(placeholder) == "b")
  }

  @Test("an entry whose object's creation was discarded is not sent again")
  func retriedDependent() async throws {
    let app = try app()
    app.outbox.suspend()
    let placeholder: String = ClientID.unique()
    let create = try await app.environment.add(.add("milk", as: placeholder))
    let change = try await app.environment.add(.set(placeholder, to: "soy"))
    try await app.outbox.discard(create.id)
    await app.until([.failed])
    let error = await #expect(throws: RelayError.self) { try await app.outbox.retry(change.id) }
    #expect(error?.code == .cancelled)
    app.outbox.resume()
    await app.outbox.untilIdle()
    #expect(app.outbox.entries.map(\.state) == [.failed] && app.server.count == 0)
  }

  @Test("a refused entry has failed, its update is reverted, and its dependents are blocked on it")
  func refusal() async throws {
    let app = try app()
    let first = try await app.environment.add(.set("1", to: "a"))
    let second = try await app.environment.add(.set("1", to: "b"))
    try await app.server.next().refuse("forbidden")
    await app.until([.failed, .blocked(on: first.id)])
    #expect(app.outbox.entries.first?.errorMessage?.contains("forbidden") == true)
    #expect(storedEntries.map(\.entry.state) == [.failed, .blocked(on: first.id)])
    await #expect(throws: RelayError.self) { try await app.outbox.outcome(of: first.id) }
    let blocked = await #expect(throws: RelayError.self) {
      try await app.outbox.outcome(of: second.id)
    }
    #expect(blocked?.message.contains("is blocked on a mutation that failed") == true)
    // The next run shows the same.
    let next = try self.app()
    await next.until([.failed, .blocked(on: first.id)])
    #expect(next.text("1") == "b")
    #expect(next.server.count == 0)
    // A retry sends it again, followed by the dependent entry.
    try await next.outbox.retry(first.id)
    try await next.server.next().succeed(todo("setText", "1", "a"))
    let request = try await next.server.next()
    #expect(request.key == second.id.rawValue)
  }

  @Test("entries of one list are sent in order, and a refused one does not hold up the others")
  func list() async throws {
    let list = DataID("client:root:__Todos_todos_connection")
    let app = try app()
    try app.environment.commitUpdate { _ = try $0.create(list, type: "TodoConnection") }
    for id in ["1", "2"] {
      try await app.environment.add(SetTextMutation(id: id, text: "a", note: list.rawValue))
    }
    let request = try await app.server.next()
    await app.until([.sending, .queued])
    request.refuse("forbidden")
    try await app.server.next().succeed(todo("setText", "2", "a"))
    await app.until([.failed])
  }

  @Test("discarding an entry ends those that refer to the object that it would have created")
  func discard() async throws {
    let placeholder: String = ClientID.unique()
    let app = try app()
    let added = try await app.environment.add(.add("milk", as: placeholder))
    try await app.environment.add(.set(placeholder, to: "soy milk"))
    try await app.server.next().refuse("no")
    await app.until([.failed, .blocked(on: added.id)])
    let writes = database.state.withLock { $0.writes.count }
    try await app.outbox.discard(added.id)
    await app.until([.failed])
    // One transaction: otherwise the dependents would be sent with the placeholder.
    #expect(database.state.withLock { $0.writes.count } == writes + 1)
    #expect(storedEntries.map(\.entry.state) == [.failed])
    #expect(app.text(placeholder) == nil)
    try await app.outbox.discard(try #require(app.outbox.entries.first).id)
    #expect(app.outbox.entries.isEmpty)
    #expect(storedEntries.isEmpty)
    #expect(app.environment.store.statistics.optimisticUpdates == 0)
  }

  @Test("an entry that cannot be discarded stays, with those that refer to its object")
  func failedDiscard() async throws {
    let placeholder: String = ClientID.unique()
    let faults = FaultyPersistence(
      failingAt: .max, with: PersistenceFailure(.io, "The disk is full."), database.engine)
    let app = try OutboxApp(cache, database, engine: faults.persistence.makeEngine)
    try await app.outbox.loaded()
    app.outbox.suspend()
    let added = try await app.environment.add(.add("milk", as: placeholder))
    try await app.environment.add(.set(placeholder, to: "soy milk"))
    faults.failFromNow()
    await #expect(throws: RelayError.self) { try await app.outbox.discard(added.id) }
    #expect(app.outbox.entries.map(\.state) == [.queued, .queued])
    #expect(app.text(placeholder) == "soy milk")
  }
}
