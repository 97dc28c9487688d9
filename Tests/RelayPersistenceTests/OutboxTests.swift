import Foundation
import Observation
import RelayStoreTesting
import Testing

@testable import RelayPersistence
@testable import RelayStore

@Suite("Outbox", .timeLimit(.minutes(1)))
struct OutboxTests {
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()

  private func app(
    serverHonorsIdempotencyKeys: Bool = true, clock: any Clock<Duration> = ContinuousClock()
  ) throws
    -> OutboxApp
  {
    try OutboxApp(
      cache, database, serverHonorsIdempotencyKeys: serverHonorsIdempotencyKeys, clock: clock)
  }

  private var storedEntries: [OutboxRecord] { database.outboxRecords }

  @Test("an entry is on the disk before it is sent, and is gone when its answer is in the store")
  func lifecycle() async throws {
    let app = try app()
    let placeholder: String = ClientID.unique()
    let entry = try await app.environment.add(.add("milk", as: placeholder))
    #expect(app.text(placeholder) == "milk")
    let request = try await app.server.next()
    #expect(storedEntries.map(\.entry.state) == [.sending])
    #expect(storedEntries.map(\.entry.id) == [entry.id])
    #expect(request.key == entry.id.rawValue)
    #expect(request.request.text.hasPrefix("mutation AddTodo"))
    #expect(request.request.variables == ["text": "milk"])
    request.succeed(todo("addTodo", "1", "milk"))
    try await app.outbox.outcome(of: entry.id)
    #expect(app.text("1") == "milk" && app.text(placeholder) == "milk")
    #expect(app.environment.store.dump().contains(placeholder) == false)
    #expect(app.environment.store.statistics.optimisticUpdates == 0)
    await app.until([])
    #expect(storedEntries.isEmpty)
    #expect(app.server.count == 1)
  }

  @Test("what was not sent is shown and sent by the next run, with the same key, once")
  func restart() async throws {
    let first = try app()
    let entry = try await first.environment.add(.add("milk", as: "client:local:a-b"))
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
    try await first.environment.add(.add("milk", as: "client:local:a-b"))
    // The process ends when the response is in the entry but not yet in the store.
    var record = try #require(storedEntries.first)
    record.entry.state = .acknowledged
    record.response = JSONValue.object(["data": todo("addTodo", "7", "milk")]).jsonBytes
    let row = try PersistenceFormat(cipher: nil).seal(record.contents, at: RowKey(.entries, 1))
      .bytes
    let database = MemoryPersistence()
    database.state.withLock { $0.rows = [RowKey(.entries, 1): row] }

    let second = try OutboxApp(cache, database)
    await second.until { _ in second.text("7") == "milk" }
    await second.until([])
    #expect(second.server.count == 0)
    #expect(second.environment.store.statistics.optimisticUpdates == 0)
  }

  @Test("an entry is sent by the next run of the same user")
  func sameUser() async throws {
    let first = try OutboxApp(cache, database, user: "one")
    first.outbox.suspend()
    try await first.environment.add(.set("1", to: "a"))
    await first.outbox.wait()
    let second = try OutboxApp(cache, database, user: "one")
    try await second.server.next().succeed(todo("setText", "1", "a"))
    await second.until([])
    #expect(database.state.withLock { $0.rejected } == nil)
  }

  @Test("an entry of another user is set aside, and not sent")
  func otherUser() async throws {
    let first = try app()
    first.outbox.suspend()
    try await first.environment.add(.set("1", to: "a"))
    let second = try OutboxApp(cache, database, user: "other")
    await second.until { _ in second.outbox.isLoaded }
    #expect(second.outbox.entries.isEmpty)
    #expect(second.server.count == 0)
    #expect(second.text("1") == nil)
    #expect(database.state.withLock { $0.rejected }?.count == 1)
  }

  @Test(
    "a lost answer is asked for again with the same key, or is unknown", arguments: [true, false])
  func lostAnswer(serverHonorsIdempotencyKeys: Bool) async throws {
    let clock = VirtualClock()
    let app = try app(serverHonorsIdempotencyKeys: serverHonorsIdempotencyKeys, clock: clock)
    let entry = try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().fail(lost())
    if serverHonorsIdempotencyKeys {
      await app.until { $0.first?.nextAttempt != nil }
      try await clock.sleepers(1)
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
  func killedWhileSending(serverHonorsIdempotencyKeys: Bool) async throws {
    let first = try app(serverHonorsIdempotencyKeys: serverHonorsIdempotencyKeys)
    let entry = try await first.environment.add(.set("1", to: "a"))
    let request = try await first.server.next()
    defer { withExtendedLifetime(request) {} }
    let second = try app(serverHonorsIdempotencyKeys: serverHonorsIdempotencyKeys)
    if serverHonorsIdempotencyKeys {
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
    try await app.environment.add(.set("1", to: "a"))
    var busy = RelayError(.transport, "busy")
    busy.status = 503
    busy.retryAfter = .seconds(30)
    busy.isRetryable = true
    try await app.server.next().fail(busy)
    await app.until { $0.first?.nextAttempt != nil }
    try await clock.sleepers(1)
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
    try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().fail(status)
    await app.until { $0.first?.errorMessage != nil }
    #expect(app.outbox.entries.map(\.state) == [expected])
    #expect(status == 200 || app.outbox.entries.first?.error?.status == status)
    #expect(app.text("1") == (expected == .failed ? nil : "a"))
  }

  @Test(
    "the message of a network error is a sentence with its code",
    arguments: [
      (URLError.Code.notConnectedToInternet, "The server could not be reached"),
      (.networkConnectionLost, "The server has not responded"),
    ])
  func networkMessages(code: URLError.Code, sentence: String) async throws {
    let message = "\(sentence) (NSURLErrorDomain \(code.rawValue))."
    for isWrapped in [false, true] {
      let error = URLError(code)
      let app = try OutboxApp(MemoryPersistence(), MemoryPersistence(), clock: VirtualClock())
      try await app.environment.add(.set("1", to: "a"))
      try await app.server.next().fail(
        isWrapped ? RelayError(.transport, "\(error)", underlying: error) : error)
      await app.until { $0.first?.errorMessage != nil }
      #expect(app.outbox.entries.first?.errorMessage == message)
    }
  }

  @Test("an error of a transport without a status counts as no answer")
  func otherErrors() async throws {
    let app = try app(clock: VirtualClock())
    try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().fail(RelayError(.transport, "no network"))
    await app.until { $0.first?.errorMessage != nil }
    #expect(app.outbox.entries.map(\.state) == [.queued])
    #expect(app.outbox.entries.first?.errorMessage == "no network")
  }

  @Test("the entries and their updates are there when the records are, and no list before")
  func loading() async throws {
    let first = try app()
    first.outbox.suspend()
    try await first.environment.add(.set("1", to: "a"))
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
    try await app.environment.add(.set("1", to: "a"))
    let (gate, shown) = (DispatchSemaphore(value: 0), Locked<[OutboxEntry]?>(nil))
    app.outbox.queue.async { [outbox = app.outbox] in
      gate.wait()
      outbox.publishEntries()
      shown.withLock { $0 = outbox.entries }
    }
    app.environment.reset()
    gate.signal()
    await app.outbox.untilIdle()
    #expect(shown.withLock { $0 } == [])
    try await app.environment.add(.set("2", to: "b"))
    #expect(app.outbox.entries.count == 1)
  }

  @Test("an entry that is added between a reset of the store and of the outbox is reverted")
  func addedInReset() async throws {
    let app = try app()
    app.outbox.suspend()
    try await app.environment.add(.set("1", to: "a"))
    let mutation = SetTextMutation.set("2", to: "b")
    let commit = try MutationCommit(
      mutation, optimisticResponse: mutation.optimisticResponse, rowLimit: .max)
    let (gate, count) = (DispatchSemaphore(value: 0), Locked(0))
    app.outbox.queue.async { [outbox = app.outbox, store = app.environment.store] in
      gate.wait()
      if (try? outbox.work.add(commit, .init(), after: [])) != nil {
        count.withLock { $0 = store.statistics.optimisticUpdates }
      }
    }
    app.environment.reset()
    gate.signal()
    await app.outbox.untilIdle()
    #expect(count.withLock { $0 } == 1)
    #expect(app.environment.store.statistics.optimisticUpdates == 0 && app.text("2") == nil)
  }

  @Test("an entry that cannot be stored throws, and shows nothing")
  func fullDisk() async throws {
    let faults = FaultyPersistence(
      failingAt: 1, with: PersistenceFailure(.io, "The disk is full."), database.engine)
    let engine = faults.persistence.makeEngine
    let app = try OutboxApp(cache, database, engine: engine)
    await #expect(throws: RelayError.self) {
      try await app.environment.add(.set("1", to: "a"))
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
      try await first.environment.add(.set(id, to: text))
    }
    // They are still in flight, like requests of a process that was killed.
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
    #expect(second.events.problems.contains(.outboxRejected(path: "aside")))
    #expect(database.state.withLock { $0.rejected } == damaged)
  }

  @Test("a model has the entries, and tells the views that have read them")
  @MainActor func model() async throws {
    let app = try app()
    let model = OutboxModel(in: app.environment)
    #expect(model.entries.isEmpty)
    let entry = try await app.environment.add(.set("1", to: "a"))
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

  @Test("a model has an entry as soon as its commit returns")
  @MainActor func modelAfterCommit() async throws {
    let app = try app()
    let model = OutboxModel(in: app.environment)
    for count in 1...100 {
      let entry = try await app.environment.add(.set("\(count)", to: "a"))
      #expect(model.entries.map(\.id).last == entry.id && model.entries.count == count)
    }
  }

  @Test("a wipe throws if the files of the outbox cannot be removed, and the log has the reason")
  func failedWipe() async throws {
    let failure = PersistenceFailure(.unavailable, "The file cannot be removed.")
    // Opening the outbox succeeds; its mark and its removal fail.
    let faults = FaultyPersistence(failingAt: 1, with: failure, database.engine)
    let app = try OutboxApp(cache, database, engine: faults.persistence.makeEngine)
    try await app.outbox.loaded()
    await #expect(throws: RelayError.self) { try await app.environment.wipe() }
    let event = StoreEvent.outboxFailed(failure.description)
    #expect(app.events.problems == [event, event])
  }

  @Test("an outbox that cannot be read has no entries, and those who wait for them are told so")
  func unreadable() async throws {
    let failure = PersistenceFailure(.unavailable, "The file cannot be read.")
    let faults = FaultyPersistence(failingAt: 0, with: failure, database.engine)
    let app = try OutboxApp(cache, database, engine: faults.persistence.makeEngine)
    let lists = app.outbox.observe()
    await #expect(throws: RelayError.self) { try await app.outbox.loaded() }
    try #require(app.outbox.isLoaded)
    for await list in lists {
      #expect(list.isEmpty)
      break
    }
  }

  @Test("a reset removes the entries and their files")
  func reset() async throws {
    let app = try app()
    try await app.environment.add(.set("1", to: "a"))
    _ = try await app.server.next()
    try await app.environment.wipe()
    #expect(app.outbox.entries.isEmpty)
    #expect(storedEntries.isEmpty)
    #expect(app.text("1") == nil)
    let next = try self.app()
    await next.environment.store.loaded()
    try await next.environment.add(.set("2", to: "b"))
    #expect(next.outbox.entries.count == 1)
  }

  @Test("a stream that begins while entries change has the newest list")
  func streams() async throws {
    let app = try app()
    app.outbox.suspend()
    for count in 1...300 {
      let change = Task { try await app.environment.add(.set("\(count)", to: "a")) }
      await app.until { $0.count == count }
      _ = try await change.value
    }
  }
}
