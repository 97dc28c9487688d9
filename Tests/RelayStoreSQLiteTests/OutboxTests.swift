import Foundation
import Observation
import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("Outbox", .timeLimit(.minutes(10)))
struct OutboxTests {
  private let cache = MemoryStorage()
  private let database = MemoryStorage()

  private func app(honorsKeys: Bool = true, clock: any Clock<Duration> = ContinuousClock()) throws
    -> OutboxApp
  {
    try OutboxApp(cache, database, honorsKeys: honorsKeys, clock: clock)
  }

  private var storedEntries: [OutboxRecord] { database.outboxRecords }

  @Test("an entry is on the disk before it is sent, and is gone when its answer is in the store")
  func lifecycle() async throws {
    let app = try app()
    let placeholder: String = ClientID.unique()
    let entry = try await app.outbox.add(.add("milk", as: placeholder), after: [])
    #expect(app.text(placeholder) == "milk")
    let request = try await app.server.next()
    #expect(storedEntries.map(\.entry.state) == [.sending])
    #expect(storedEntries.map(\.entry.id) == [entry.id])
    #expect(request.key == entry.id.rawValue)
    #expect(request.request.text.hasPrefix("mutation AddTodo"))
    #expect(request.request.variables == ["text": "milk"])
    request.succeed(todo("addTodo", "1", "milk"))
    try await app.outbox.outcome(of: entry.id)
    #expect(app.text("1") == "milk")
    #expect(app.text(placeholder) == nil)
    #expect(app.environment.store.statistics.optimisticUpdates == 0)
    await app.until([])
    #expect(storedEntries.isEmpty)
    #expect(app.server.count == 1)
  }

  @Test("what was not sent is shown and sent by the next run, with the same key, once")
  func restart() async throws {
    let first = try app()
    let entry = try await first.outbox.add(.add("milk", as: "client:local:a-b"), after: [])
    try await first.server.next().fail(offline())
    await first.until { $0.first?.nextAttempt != nil && $0.first?.state == .queued }
    first.outbox.suspend()

    let second = try app()
    let request = try await second.server.next()
    #expect(request.key == entry.id.rawValue)
    #expect(second.text("client:local:a-b") == "milk")
    request.succeed(todo("addTodo", "1", "milk"))
    await second.until([])
    #expect(second.text("1") == "milk")
    #expect(second.server.count == 1)
  }

  @Test("an answer that was stored is merged by the next run, which sends nothing")
  func acknowledged() async throws {
    let first = try app()
    _ = try await first.outbox.add(.add("milk", as: "client:local:a-b"), after: [])
    // The process ends when the answer is in the entry, before it is in the store.
    var record = try #require(storedEntries.first)
    record.entry.state = .acknowledged
    record.response = JSONValue.object(["data": todo("addTodo", "7", "milk")]).jsonBytes
    let row = try StorageFormat(cipher: nil).seal(record.contents, at: RowKey(.entries, 1)).bytes
    let database = MemoryStorage()
    database.state.withLock { $0.rows = [RowKey(.entries, 1): row] }

    let second = try OutboxApp(cache, database)
    await second.until { _ in second.text("7") == "milk" }
    await second.until([])
    #expect(second.server.count == 0)
    #expect(second.environment.store.statistics.optimisticUpdates == 0)
  }

  @Test("the next run merges answers in the order in which the server has given them")
  func orderOfAnswers() async throws {
    let first = try app()
    await first.environment.store.loaded()
    // The answers stay in their entries.
    try await first.environment.store.suspend()
    let ids = ["1", "2", "3"]
    for id in ids { _ = try await first.outbox.add(.set(id, to: "a"), after: []) }
    var requests: [String?: ScriptedServer.Request] = [:]
    for _ in ids {
      let request = try await first.server.next()
      requests[request.request.variables["id"]?.string] = request
    }
    // Each answer has the same object.
    for (id, text) in [("3", "first"), ("1", "second"), ("2", "third")] {
      try #require(requests[id]).succeed(todo("setText", "shared", text))
      await first.until { _ in first.text("shared") == text }
    }
    await first.until([.acknowledged, .acknowledged, .acknowledged])

    let second = try OutboxApp(MemoryStorage(), database)
    try await second.outbox.loaded()
    await second.until([])
    #expect(second.text("shared") == "third")
    #expect(second.server.count == 0)
  }

  @Test("entries that share an id are sent in order, others at the same time")
  func order() async throws {
    let app = try app()
    let first = try await app.outbox.add(.set("1", to: "a"), after: [])
    _ = try await app.outbox.add(.set("1", to: "b"), after: [])
    _ = try await app.outbox.add(.set("2", to: "c"), after: [])
    _ = try await app.outbox.add(.set("3", to: "d"), after: [first.id])
    let requests = [try await app.server.next(), try await app.server.next()]
    #expect(Set(requests.map { $0.request.variables["text"]?.string }) == ["a", "c"])
    await app.until([.sending, .queued, .sending, .queued])
    #expect(["1", "2", "3"].map { app.text($0) } == ["b", "c", "d"])
    try #require(requests.first { $0.request.variables["text"] == "a" })
      .succeed(todo("setText", "1", "a"))
    let next = [try await app.server.next(), try await app.server.next()]
    #expect(Set(next.map { $0.request.variables["text"]?.string }) == ["b", "d"])
    // The later update is still above the answer to the earlier one.
    #expect(app.text("1") == "b")
  }

  @Test("the server's id replaces a placeholder in waiting entries, durably with the answer")
  func placeholders() async throws {
    let placeholder: String = ClientID.unique()
    let first = try app()
    let added = try await first.outbox.add(.add("milk", as: placeholder), after: [])
    _ = try await first.outbox.add(.set(placeholder, to: "soy milk"), after: [])
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
    let added = try await app.outbox.add(.add("milk", as: placeholder), after: [])
    try await app.server.next().succeed(todo("addTodo", "42", "milk"))
    try await app.outbox.outcome(of: added.id)
    await app.until([])
    _ = try await app.outbox.add(.set(placeholder, to: "soy milk"), after: [])
    #expect(app.text("42") == "soy milk")
    #expect(app.text(placeholder) == nil)
    #expect(try await app.server.next().request.variables["id"] == "42")
    #expect(storedEntries.last?.variables["id"] == "42")
  }

  @Test("an update that is applied again stays below those of later commits")
  func orderOfUpdates() async throws {
    let placeholder: String = ClientID.unique()
    let app = try app()
    _ = try await app.outbox.add(.add("milk", as: placeholder), after: [])
    _ = try await app.outbox.add(.set("9", to: "a", with: placeholder), after: [])
    _ = try await app.outbox.add(.set("9", to: "b"), after: [])
    #expect(app.text("9") == "b")
    try await app.server.next().succeed(todo("addTodo", "42", "milk"))
    await app.until([.sending, .queued])
    #expect(storedEntries.map { $0.variables["note"] } == ["42", nil])
    #expect(app.text("9") == "b")
    // The same holds for a failed one that is sent again.
    try await app.server.next().refuse("no")
    await app.until { $0.first?.state == .failed }
    #expect(app.text("9") == "b")
    try await app.outbox.retry(try #require(app.outbox.entries.first).id)
    await app.until([.sending, .queued])
    #expect(app.text("9") == "b")
  }

  @Test("an entry of another user is set aside, and not sent")
  func otherUser() async throws {
    let first = try app()
    first.outbox.suspend()
    _ = try await first.outbox.add(.set("1", to: "a"), after: [])
    let second = try OutboxApp(cache, database, user: "other")
    await second.until { _ in second.outbox.isLoaded }
    #expect(second.outbox.entries.isEmpty)
    #expect(second.server.count == 0)
    #expect(second.text("1") == nil)
    #expect(database.state.withLock { $0.setAside }?.count == 1)
  }

  @Test("a refused entry has failed, its update is reverted, and its dependents are blocked on it")
  func refusal() async throws {
    let app = try app()
    let first = try await app.outbox.add(.set("1", to: "a"), after: [])
    let second = try await app.outbox.add(.set("1", to: "b"), after: [])
    try await app.server.next().refuse("forbidden")
    await app.until([.failed, .blocked(on: first.id)])
    #expect(app.outbox.entries.first?.errorMessage?.contains("forbidden") == true)
    #expect(storedEntries.map(\.entry.state) == [.failed, .blocked(on: first.id)])
    await #expect(throws: RelayError.self) { try await app.outbox.outcome(of: first.id) }
    let blocked = await #expect(throws: RelayError.self) {
      try await app.outbox.outcome(of: second.id)
    }
    #expect(blocked?.message.contains("is blocked on a mutation that has failed") == true)
    // The next run shows the same.
    let next = try self.app()
    await next.until([.failed, .blocked(on: first.id)])
    #expect(next.text("1") == "b")
    #expect(next.server.count == 0)
    // A retry sends it again, and then the dependent one.
    try await next.outbox.retry(first.id)
    try await next.server.next().succeed(todo("setText", "1", "a"))
    let request = try await next.server.next()
    #expect(request.key == second.id.rawValue)
  }

  @Test("discarding an entry ends those that refer to the object that it would have created")
  func discard() async throws {
    let placeholder: String = ClientID.unique()
    let app = try app()
    let added = try await app.outbox.add(.add("milk", as: placeholder), after: [])
    _ = try await app.outbox.add(.set(placeholder, to: "soy milk"), after: [])
    try await app.server.next().refuse("no")
    await app.until([.failed, .blocked(on: added.id)])
    let writes = database.state.withLock { $0.writes.count }
    try await app.outbox.discard(added.id)
    await app.until([.failed])
    // One transaction: the dependents would be sent with the placeholder.
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
    let faults = FaultyStorage(
      failingAt: .max, with: StorageFailure(.io, "The disk is full."), database.engine)
    let app = try OutboxApp(cache, database, engine: faults.storage.makeEngine)
    try await app.outbox.loaded()
    app.outbox.suspend()
    let added = try await app.outbox.add(.add("milk", as: placeholder), after: [])
    _ = try await app.outbox.add(.set(placeholder, to: "soy milk"), after: [])
    faults.failFromNow()
    await #expect(throws: RelayError.self) { try await app.outbox.discard(added.id) }
    #expect(app.outbox.entries.map(\.state) == [.queued, .queued])
    #expect(app.text(placeholder) == "soy milk")
  }

  @Test(
    "a lost answer is asked for again with the same key, or is unknown", arguments: [true, false])
  func lostAnswer(honorsKeys: Bool) async throws {
    let clock = VirtualClock()
    let app = try app(honorsKeys: honorsKeys, clock: clock)
    let entry = try await app.outbox.add(.set("1", to: "a"), after: [])
    try await app.server.next().fail(lost())
    if honorsKeys {
      await app.until { $0.first?.nextAttempt != nil }
      await clock.sleepers(1)
      clock.advance(by: .seconds(1))
      let request = try await app.server.next()
      #expect(request.key == entry.id.rawValue)
      #expect(app.server.count == 2)
      request.succeed(todo("setText", "1", "a"))
      await app.until([])
    } else {
      await app.until([.unknown])
      #expect(app.text("1") == "a")
      #expect(app.server.count == 1)
    }
  }

  @Test(
    "an entry that was being sent when the process ended is sent again, or is unknown",
    arguments: [true, false])
  func killedWhileSending(honorsKeys: Bool) async throws {
    let first = try app(honorsKeys: honorsKeys)
    let entry = try await first.outbox.add(.set("1", to: "a"), after: [])
    let request = try await first.server.next()
    defer { withExtendedLifetime(request) {} }
    let second = try app(honorsKeys: honorsKeys)
    if honorsKeys {
      #expect(try await second.server.next().key == entry.id.rawValue)
    } else {
      await second.until([.unknown])
      #expect(second.server.count == 0)
    }
  }

  @Test("the server's Retry-After and rejected credentials are waited for")
  func waits() async throws {
    let clock = VirtualClock()
    let app = try app(clock: clock)
    _ = try await app.outbox.add(.set("1", to: "a"), after: [])
    var busy = RelayError(.transport, "busy")
    busy.status = 503
    busy.retryAfter = .seconds(30)
    busy.isRetryable = true
    try await app.server.next().fail(busy)
    await app.until { $0.first?.nextAttempt != nil }
    await clock.sleepers(1)
    clock.advance(by: .seconds(29))
    #expect(app.outbox.entries.map(\.state) == [.queued])
    #expect(app.server.count == 1)
    clock.advance(by: .seconds(2))
    var rejected = RelayError(.transport, "credentials")
    rejected.status = 401
    try await app.server.next().fail(rejected)
    await app.until([.blockedOnAuthentication])
    #expect(app.text("1") == "a")
    app.outbox.resume()
    try await app.server.next().succeed(todo("setText", "1", "a"))
    await app.until([])
  }

  @Test(
    "a response with errors and a status that is no success counts by its status",
    arguments: [
      (401, OutboxEntry.State.blockedOnAuthentication), (403, .failed), (408, .queued),
      (429, .queued), (500, .queued), (503, .queued), (200, .failed),
    ])
  func statuses(status: Int, expected: OutboxEntry.State) async throws {
    let app = try app(clock: VirtualClock())
    _ = try await app.outbox.add(.set("1", to: "a"), after: [])
    try await app.server.next().fail(status)
    await app.until { $0.first?.errorMessage != nil }
    #expect(app.outbox.entries.map(\.state) == [expected])
    #expect(app.text("1") == (expected == .failed ? nil : "a"))
  }

  @Test(
    "the message of a network error is a sentence with its code",
    arguments: [
      (URLError.Code.notConnectedToInternet, "The server could not be reached"),
      (.networkConnectionLost, "The server has not answered"),
    ])
  func networkMessages(code: URLError.Code, sentence: String) async throws {
    let message = "\(sentence) (NSURLErrorDomain \(code.rawValue))."
    for isWrapped in [false, true] {
      let error = URLError(code)
      let app = try OutboxApp(MemoryStorage(), MemoryStorage(), clock: VirtualClock())
      _ = try await app.outbox.add(.set("1", to: "a"), after: [])
      try await app.server.next().fail(
        isWrapped ? RelayError(.transport, "\(error)", underlying: error) : error)
      await app.until { $0.first?.errorMessage != nil }
      #expect(app.outbox.entries.first?.errorMessage == message)
    }
  }

  @Test("an error of a transport without a status counts as no answer")
  func otherErrors() async throws {
    let app = try app(clock: VirtualClock())
    _ = try await app.outbox.add(.set("1", to: "a"), after: [])
    try await app.server.next().fail(RelayError(.transport, "no network"))
    await app.until { $0.first?.errorMessage != nil }
    #expect(app.outbox.entries.map(\.state) == [.queued])
    #expect(app.outbox.entries.first?.errorMessage == "no network")
  }

  @Test("the entries and their updates are there when the records are, and no list before")
  func loading() async throws {
    let first = try app()
    first.outbox.suspend()
    _ = try await first.outbox.add(.set("1", to: "a"), after: [])
    let second = try app()
    let lists = second.outbox.observe()
    await second.environment.store.loaded()
    try await second.outbox.loaded()
    #expect(second.outbox.entries.count == 1)
    for await entries in lists {
      #expect(entries.count == 1)
      break
    }
    second.environment.reset()
    #expect(second.outbox.entries.isEmpty)
  }

  @Test("an entry that is published while it is removed by a reset is not shown again")
  func publishedInReset() async throws {
    let app = try app()
    app.outbox.suspend()
    _ = try await app.outbox.add(.set("1", to: "a"), after: [])
    let (gate, shown) = (DispatchSemaphore(value: 0), Locked<[OutboxEntry]?>(nil))
    app.outbox.queue.async { [outbox = app.outbox] in
      gate.wait()
      outbox.publishEntries()
      shown.withLock { $0 = outbox.entries }
    }
    app.environment.reset()
    gate.signal()
    await app.outbox.wait()
    #expect(shown.withLock { $0 } == [])
    _ = try await app.outbox.add(.set("2", to: "b"), after: [])
    #expect(app.outbox.entries.count == 1)
  }

  @Test("an entry that cannot be stored throws, and shows nothing")
  func fullDisk() async throws {
    let faults = FaultyStorage(
      failingAt: 1, with: StorageFailure(.io, "The disk is full."), database.engine)
    let engine = faults.storage.makeEngine
    let app = try OutboxApp(cache, database, engine: engine)
    await #expect(throws: RelayError.self) {
      try await app.outbox.add(.set("1", to: "a"), after: [])
    }
    #expect(app.text("1") == nil)
    #expect(app.environment.store.statistics.optimisticUpdates == 0)
    #expect(app.outbox.entries.isEmpty)
    #expect(app.server.count == 0)
  }

  @Test("a mutation with private elements cannot be in the outbox")
  func privateElements() async throws {
    let app = try app()
    let login = MutationCommit(
      operation: OperationPlan(
        text: "mutation Login($password: String!) { login(password: $password) { id } }",
        reader: "Login Mutation{login(password:$password) User{id ID!}}",
        normalization: "-$,Mutation.login Mutation{login(password:$password) User{id ID!}}"),
      variables: ["password": "secret"], optimisticResponse: nil)
    let error = await #expect(throws: RelayError.self) {
      try await app.outbox.add(login, after: [])
    }
    #expect(error?.code == .request)
    #expect(error?.message.contains("@noPersist") == true)
    #expect(app.server.count == 0)
    #expect(storedEntries.isEmpty)
  }

  @Test("a damaged outbox is set aside, and what can be read of it goes on")
  func damage() async throws {
    let first = try app()
    for (id, text) in [("1", "a"), ("2", "b"), ("3", "c")] {
      _ = try await first.outbox.add(.set(id, to: text), after: [])
    }
    // They stay in flight, as those of a process that was killed.
    let requests = [
      try await first.server.next(), try await first.server.next(), try await first.server.next(),
    ]
    defer { withExtendedLifetime(requests) {} }
    database.state.withLock { $0.rows[RowKey(.entries, 2)]?[20] ^= 1 }
    let damaged = database.state.withLock { $0.rows }
    let second = try app()
    let keys = [try await second.server.next(), try await second.server.next()].map {
      $0.request.variables["text"]
    }
    #expect(Set(keys.map { $0?.string }) == ["a", "c"])
    #expect(second.events.problems.contains(.outboxSetAside(path: "aside")))
    #expect(database.state.withLock { $0.setAside } == damaged)
  }

  @Test("a model has the entries, and tells the views that have read them")
  @MainActor func model() async throws {
    let app = try app()
    let model = OutboxModel(in: app.environment)
    #expect(model.entries.isEmpty)
    let entry = try await app.outbox.add(.set("1", to: "a"), after: [])
    func change(until condition: ([OutboxEntry]) -> Bool) async {
      while !condition(model.entries) {
        await withCheckedContinuation { continuation in
          let isReached = Locked(false)
          withObservationTracking {
            _ = model.entries
          } onChange: {
            if !isReached.withLock({ $0 }) { continuation.resume() }
            isReached.withLock { $0 = true }
          }
        }
        // The change is made after its observers were notified.
        await Task { @MainActor in }.value
      }
    }
    await change { $0.map(\.id) == [entry.id] }
    try await app.server.next().refuse("no")
    await change { $0.map(\.state) == [.failed] }
    try await model.discard(entry.id)
    await change { $0.isEmpty }
  }

  @Test("a wipe throws if the files of the outbox cannot be removed, and the log has the reason")
  func failedWipe() async throws {
    let failure = StorageFailure(.unavailable, "The file cannot be removed.")
    // The outbox is opened, which succeeds; its mark and its removal fail.
    let faults = FaultyStorage(failingAt: 1, with: failure, database.engine)
    let app = try OutboxApp(cache, database, engine: faults.storage.makeEngine)
    try await app.outbox.loaded()
    await #expect(throws: RelayError.self) { try await app.environment.wipe() }
    let event = StoreEvent.outboxFailed(failure.description)
    #expect(app.events.problems == [event, event])
  }

  @Test("a reset removes the entries and their files")
  func reset() async throws {
    let app = try app()
    _ = try await app.outbox.add(.set("1", to: "a"), after: [])
    _ = try await app.server.next()
    try await app.environment.wipe()
    #expect(app.outbox.entries.isEmpty)
    #expect(storedEntries.isEmpty)
    #expect(app.text("1") == nil)
    let next = try self.app()
    await next.environment.store.loaded()
    _ = try await next.outbox.add(.set("2", to: "b"), after: [])
    #expect(next.outbox.entries.count == 1)
  }
}
