import Foundation
import RelayStoreTesting
import Testing

@testable import RelayPersistence
@testable import RelayStore

@Suite("Outbox: coalescing", .timeLimit(.minutes(1)))
struct OutboxCoalescingTests {
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()

  private func app(suspended: Bool = true) throws -> OutboxApp {
    let app = try OutboxApp(cache, database, clock: VirtualClock())
    if suspended { app.outbox.suspend() }
    return app
  }

  @discardableResult
  private func set(
    _ id: String, _ text: String, in app: OutboxApp, _ coalescing: OutboxCoalescing?,
    after: [OutboxEntry.ID] = []
  ) async throws -> OutboxEntry {
    let mutation = SetTextMutation(id: id, text: text)
    return try await app.environment.commit(
      mutation, optimisticResponse: mutation.optimisticResponse,
      durability: .outbox(after: after), coalescing: coalescing)
  }

  private static let on = OutboxCoalescing(key: "on 1", cancels: "off 1")
  private static let off = OutboxCoalescing(key: "off 1", cancels: "on 1")

  @Test("of six changes with one key the last is sent")
  func last() async throws {
    let app = try app()
    for text in ["a", "b", "c", "d", "e", "f"] {
      try await set("1", text, in: app, .init(key: "text 1"))
      #expect(app.text("1") == text && app.outbox.entries.count == 1)
    }
    #expect(storedEntries.count == 1)
    app.outbox.resume()
    let request = try await app.server.next()
    #expect(request.request.variables["text"] == "f")
    request.succeed(todo("setText", "1", "f"))
    await app.until([])
    #expect(app.server.count == 1 && app.text("1") == "f")
  }

  @Test("a change that undoes one that was not sent removes both", arguments: 1...6)
  func cancelled(count: Int) async throws {
    let app = try app()
    try await app.environment.add(.set("2", to: "other"))
    for number in 0..<count {
      let isOn = number % 2 == 0
      let entry = try await set("1", isOn ? "on" : "off", in: app, isOn ? Self.on : Self.off)
      #expect(app.text("1") == (isOn ? "on" : nil))
      #expect(app.outbox.entries.contains { $0.id == entry.id } == isOn)
      if !isOn { try await app.outbox.outcome(of: entry.id) }
    }
    #expect(app.outbox.entries.count == 1 + count % 2)
    #expect(storedEntries.count == 1 + count % 2)
  }

  @Test("who waits for a replaced or cancelled entry is told so")
  func waiting() async throws {
    for next in [OutboxCoalescing(key: "on 1"), Self.off] {
      let app = try app()
      let entry = try await set("1", "on", in: app, .init(key: "on 1"))
      let outcome = Task { try await app.outbox.outcome(of: entry.id) }
      try await eventually(1) { app.outbox.waiterCount }
      try await set("1", "off", in: app, next)
      let error = await #expect(throws: RelayError.self) { try await outcome.value }
      #expect(error?.code == .cancelled)
      app.environment.reset()
    }
  }

  @Test("changes of a new object that make each other superfluous are removed like others")
  func newObject() async throws {
    let app = try app()
    let placeholder: String = ClientID.unique()
    try await app.environment.add(.add("milk", as: placeholder))
    try await app.environment.add(.set(placeholder, to: "tea"))
    for number in 0..<6 {
      let isOn = number % 2 == 0
      try await set(
        placeholder, isOn ? "on" : "off", in: app,
        .init(key: isOn ? "on" : "off", cancels: isOn ? "off" : "on"))
      #expect(app.outbox.entries.count == (isOn ? 3 : 2))
    }
    for text in ["a", "b"] { try await set(placeholder, text, in: app, .init(key: "text")) }
    #expect(app.outbox.entries.count == 3 && app.text(placeholder) == "b")
  }

  @Test("an entry that certainly did not reach the server is replaced; later attempts count")
  func tried() async throws {
    let app = try app(suspended: false)
    try await set("1", "a", in: app, .init(key: "text"))
    try await app.server.next().fail(offline())
    await app.until { $0.first?.nextAttempt != nil }
    try await set("1", "b", in: app, .init(key: "text"))
    #expect(app.outbox.entries.count == 1)
    for (number, error) in [offline(), lost(), offline()].enumerated() {
      app.outbox.resume()
      let request = try await app.server.next()
      #expect(request.request.variables["text"] == "b")
      request.fail(error)
      await app.until { $0.first?.attempts == number + 1 && $0.first?.nextAttempt != nil }
    }
    try await set("1", "c", in: app, .init(key: "text"))
    #expect(app.outbox.entries.map(\.attempts) == [3, 0])
  }

  @Test(
    "an entry that was sent is neither replaced nor cancelled, not even when it is queued again")
  func sent() async throws {
    let app = try app(suspended: false)
    try await set("1", "on", in: app, Self.on)
    let request = try await app.server.next()
    try await set("1", "off", in: app, Self.off)
    try await set("1", "on again", in: app, Self.on)
    // The second cancels the third; the first is being sent.
    #expect(app.outbox.entries.count == 1)
    request.fail(lost())
    await app.until { $0.first?.nextAttempt != nil }
    try await set("1", "off", in: app, Self.off)
    #expect(app.outbox.entries.map(\.state) == [.queued, .queued])
    try await set("1", "off, too", in: app, .init(key: "off 1"))
    #expect(app.outbox.entries.map(\.attempts) == [1, 0] && app.text("1") == "off, too")
  }

  @Test("the next run replaces what was not sent, and not what was")
  func nextRun() async throws {
    let first = try app(suspended: false)
    try await set("1", "a", in: first, .init(key: "text"))
    try await first.server.next().fail(offline())
    // Until the next attempt, after a second, the next run does not send it.
    await first.until { $0.first?.nextAttempt != nil }
    let second = try app()
    try await set("1", "b", in: second, .init(key: "text"))
    #expect(second.outbox.entries.count == 1 && second.text("1") == "b")
    second.outbox.resume()
    let request = try await second.server.next()
    let third = try app()
    try await set("1", "c", in: third, .init(key: "text"))
    #expect(third.outbox.entries.count == 2)
    withExtendedLifetime(request) {}
  }

  @Test("an entry that another depends on stays")
  func dependents() async throws {
    let app = try app()
    let first = try await set("1", "a", in: app, .init(key: "text"))
    try await set("2", "after", in: app, nil, after: [first.id])
    try await set("1", "b", in: app, .init(key: "text"))
    #expect(app.outbox.entries.count == 3)
    let placeholder: String = ClientID.unique()
    let mutation = AddTodoMutation(text: "milk", id: placeholder)
    func add() async throws {
      try await app.environment.commit(
        mutation, optimisticResponse: mutation.optimisticResponse, durability: .outbox(),
        coalescing: .init(key: "add"))
    }
    try await add()
    try await set(placeholder, "soy milk", in: app, nil)
    try await add()
    #expect(app.outbox.entries.count == 6)
  }

  @Test("a replaced entry takes its place at the end, behind those that share its ids")
  func order() async throws {
    let app = try app()
    try await set("1", "a", in: app, .init(key: "text"))
    let between = try await set("1", "b", in: app, nil)
    let last = try await set("1", "c", in: app, .init(key: "text"))
    #expect(app.outbox.entries.map(\.id) == [between.id, last.id] && app.text("1") == "c")
  }

  @Test("two mutations with one key are an error, and nothing is changed")
  func sharedKey() async throws {
    let app = try app()
    try await set("1", "a", in: app, .init(key: "x"))
    let mutation = AddTodoMutation(text: "milk", id: ClientID.unique())
    let error = await #expect(throws: RelayError.self) {
      try await app.environment.commit(mutation, durability: .outbox(), coalescing: .init(key: "x"))
    }
    #expect(error?.code == .request && error?.message.contains("\"x\"") == true)
    #expect(app.outbox.entries.count == 1 && app.text("1") == "a")
  }

  @Test("a disk that fails leaves both entries as they were")
  func failedDisk() async throws {
    let faults = FaultyPersistence(
      failingAt: .max, with: PersistenceFailure(.io, "The disk is full."), database.engine)
    let app = try OutboxApp(cache, database, engine: faults.persistence.makeEngine)
    app.outbox.suspend()
    try await set("1", "on", in: app, Self.on)
    faults.failFromNow()
    for coalescing in [Self.on, Self.off] {
      await #expect(throws: RelayError.self) { try await set("1", "x", in: app, coalescing) }
      #expect(app.outbox.entries.count == 1 && app.text("1") == "on")
    }
  }

  private var storedEntries: [StoredEntry] { database.storedEntries }
}
