import Foundation
import RelayStoreTesting
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// The description, errors and outcomes of entries, in this run and in the next one.
@Suite("Outbox: contents", .timeLimit(.minutes(1)))
struct OutboxContentsTests {
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()
  private let clock = VirtualClock()

  private struct Photo: Codable, Equatable {
    var file: String
    var sizes: [Int]
  }

  private func app(_ change: (inout OutboxOptions) -> Void = { _ in }) throws -> OutboxApp {
    try OutboxApp(cache, database, clock: clock, change: change)
  }

  @Test("an entry keeps the app's words and values")
  func description() async throws {
    let first = try app()
    let mutation = SetTextMutation(id: "1", text: "a")
    let photo = Photo(file: "oak.jpg", sizes: [1, 2])
    let entry = try await first.environment.commit(
      mutation, durability: .outbox(), label: "New observation: Oak", userInfo: photo)
    #expect(entry.label == "New observation: Oak")
    let second = try app()
    try await second.outbox.loaded()
    let stored = try #require(second.outbox.entries.first)
    #expect(stored.label == entry.label)
    #expect(try stored.userInfo(as: Photo.self) == photo)
    #expect(throws: DecodingError.self) { try stored.userInfo(as: Int.self) }
    let plain = try await first.environment.add(.set("2", to: "b"))
    #expect(try plain.label == nil && plain.userInfo(as: Photo.self) == nil)
  }

  @Test("values that cannot be encoded are an error of the commit, and nothing is stored")
  func unencodable() async throws {
    let app = try app()
    let error = await #expect(throws: RelayError.self) {
      try await app.environment.commit(
        SetTextMutation(id: "1", text: "a"), durability: .outbox(), userInfo: [Double.nan])
    }
    #expect(error?.code == .request && error?.underlying is EncodingError)
    #expect(app.outbox.entries.isEmpty)
  }

  @Test("a refusal is the error that the call throws, also after a restart")
  func refusal() async throws {
    let first = try app()
    let entry = try await first.environment.add(.set("1", to: "a"))
    var refused = RelayError(
      .graphQL, "no", path: ["setText", 3],
      errors: [
        GraphQLError(
          message: "too long", path: ["setText", 3], extensions: ["code": "TOO_LONG", "limit": 2])
      ])
    (refused.status, refused.excerpt, refused.retryAfter) = (422, "too long", .seconds(7))
    (refused.isRetryable, refused.isTimeout) = (true, false)
    try await first.server.next().fail(refused)
    await first.until([.failed])
    for app in [first, try self.app()] {
      let error = await #expect(throws: RelayError.self) {
        try await app.outbox.outcome(of: entry.id)
      }
      #expect(error?.errors == refused.errors && error?.path == refused.path)
      #expect(error?.code == .graphQL && error?.message == "no" && error?.status == 422)
      #expect(error?.excerpt == "too long" && error?.retryAfter == .seconds(7))
      #expect(error?.isRetryable == true && error?.isTimeout == false)
      #expect(error?.operationName == entry.operationName)
      #expect(app.outbox.entries.first?.errorMessage == "no")
    }
  }

  @Test("the code of a network error is kept, and a retry forgets the error")
  func networkError() async throws {
    let first = try app()
    let entry = try await first.environment.add(.set("1", to: "a"))
    try await first.server.next().fail(lost())
    await first.until { $0.first?.error != nil }
    first.outbox.suspend()
    await first.outbox.wait()
    let second = try app()
    try await second.outbox.loaded()
    let underlying = second.outbox.entries.first?.error?.underlying as? URLError
    #expect(underlying?.code == .networkConnectionLost)
    try await second.outbox.retry(entry.id)
    #expect(second.outbox.entries.first?.error == nil)
  }

  @Test("whatever a failed refresh throws, the entry waits for credentials")
  func refresh() async throws {
    let app = try app()
    try await app.environment.add(.set("1", to: "a"))
    var error = RelayError(.transport, "offline", underlying: URLError(.notConnectedToInternet))
    (error.isRetryable, error.isUnauthenticated) = (true, true)
    try await app.server.next().fail(error)
    await app.until([.blockedOnAuthentication])
    #expect(app.outbox.entries.first?.error?.isUnauthenticated == true)
    app.outbox.resume()
    try await app.server.next().succeed(todo("setText", "1", "a"))
    await app.until([])
  }

  // MARK: Outcomes

  @Test("an outcome has the response's data, and the ids of created objects")
  func outcome() async throws {
    let app = try app()
    let placeholder: String = ClientID.unique()
    let entry = try await app.environment.add(.add("milk", as: placeholder))
    async let waiting = app.outbox.outcome(of: entry.id)
    try await app.server.next().succeed(todo("addTodo", "42", "milk"))
    for outcome in [try await waiting, try await app.outbox.outcome(of: entry.id)] {
      #expect(outcome.ids == [DataID(placeholder): "42"])
      let data = try #require(try outcome.data(as: AddTodoMutation.self))
      #expect(data.__row.box.json["addTodo"]?["text"] == "milk")
      #expect(throws: RelayError.self) { try outcome.data(as: SetTextMutation.self) }
    }
    let unknown = try await app.outbox.outcome(of: OutboxEntry.ID("other"))
    #expect(try unknown.ids.isEmpty && unknown.data(as: AddTodoMutation.self) == nil)
  }

  @Test("a response that the last run has stored is an outcome of this one")
  func laterOutcome() async throws {
    let placeholder: String = ClientID.unique()
    let first = try app()
    try await first.environment.store.suspend()
    let entry = try await first.environment.add(.add("milk", as: placeholder))
    try await first.server.next().succeed(todo("addTodo", "42", "milk"))
    await first.until([.acknowledged])
    let second = try app()
    #expect(try await second.outbox.outcome(of: entry.id).ids == [DataID(placeholder): "42"])
    second.environment.reset()
    #expect(try await second.outbox.outcome(of: entry.id).ids.isEmpty)
  }

  @Test(
    "a refused connection, certificate or proxy has not executed the mutation",
    arguments: [
      URLError.Code.cannotConnectToHost, .secureConnectionFailed, .serverCertificateUntrusted,
      .clientCertificateRejected, .clientCertificateRequired, .userAuthenticationRequired,
    ])
  func notReached(code: URLError.Code) async throws {
    let app = try OutboxApp(cache, database, serverHonorsIdempotencyKeys: false, clock: clock)
    try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().fail(URLError(code))
    await app.until { $0.first?.error != nil }
    #expect(app.outbox.entries.map(\.state) == [.queued])
  }

  @Test("an error of a transport with code persistence ends no entry")
  func persistenceError() async throws {
    let app = try app()
    try await app.environment.add(.set("1", to: "a"))
    try await app.server.next().fail(RelayError(.persistence, "the app's own"))
    await app.until { $0.first?.error != nil }
    #expect(app.outbox.entries.map(\.state) == [.queued])
  }

  // MARK: Dates

  @Test("a server's wait is an hour at most", arguments: [3_599, 3_600, 3_601, Int.max])
  func longWait(seconds: Int) async throws {
    let app = try app()
    try await app.environment.add(.set("1", to: "a"))
    var busy = RelayError(.transport, "busy")
    (busy.status, busy.retryAfter) = (503, .seconds(seconds))
    let before = app.environment.store.date
    try await app.server.next().fail(busy)
    await app.until { $0.first?.nextAttempt != nil }
    let wait = try #require(app.outbox.entries.first?.nextAttempt).timeIntervalSince(before)
    #expect(wait.rounded() == Double(min(seconds, 3_600)))
  }

  @Test("a date of a clock that was wrong counts as now", arguments: [1, 3_600, 3_700, 1e9, 1e300])
  func wrongClock(seconds: Double) async throws {
    let first = try app()
    let entry = try await first.environment.add(.set("1", to: "a"))
    try await first.server.next().fail(lost())
    await first.until { $0.first?.nextAttempt != nil }
    await first.outbox.onQueueForTests { work in
      let item = try #require(work.item(entry.id))
      item.record.entry.nextAttempt = work.now + seconds
      try work.write([item])
    }
    let second = try app()
    try await second.outbox.loaded()
    await second.outbox.untilIdle()
    let isWrong = seconds > 3_600
    #expect(second.outbox.entries.map(\.state) == [isWrong ? .sending : .queued])
    #expect((second.outbox.entries.first?.nextAttempt == nil) == isWrong)
  }
}

extension Outbox {
  /// Runs a closure on the outbox's queue.
  fileprivate func onQueueForTests(
    _ body: @escaping @Sendable (OutboxWork) throws -> Void
  ) async {
    do { try await onQueue { [work] in try body(work) } } catch { Issue.record(error) }
  }
}
