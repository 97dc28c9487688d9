import Foundation
import RelayPersistence
@_spi(GeneratedCode) import RelayStore
import RelayStoreTesting
import Testing

extension SharedContainer {
  /// Opens a user's app, as a new process.
  func app(
    _ cache: MemoryPersistence, _ database: MemoryPersistence, inbox: MutationInbox? = nil,
    serverHonorsIdempotencyKeys: Bool = false, clock: any Clock<Duration> = ContinuousClock(),
    change: (inout OutboxOptions) -> Void = { _ in }
  ) throws -> OutboxApp {
    let inbox = inbox ?? self.inbox
    return try OutboxApp(
      cache, database, serverHonorsIdempotencyKeys: serverHonorsIdempotencyKeys, clock: clock,
      user: Self.user,
      change: { options in
        options.inbox = inbox
        change(&options)
      })
  }
}

extension InboxReport {
  /// Whether no entry was imported or rejected, and none is waiting.
  var isEmpty: Bool { entries.isEmpty && rejected.isEmpty && waitingCount == 0 }
}

@Suite("The inbox", .timeLimit(.minutes(1)))
struct InboxTests {
  private let container = SharedContainer()
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()

  @Test("what was added is shown and sent by the app's next run, with its key; its file is gone")
  func start() async throws {
    let entry = try container.inbox.add(.add("milk", as: "client:local:a-b"))
    #expect(container.pending.count == 1)
    let app = try container.app(cache, database)
    let request = try await app.server.next()
    #expect(request.key == entry.id.rawValue)
    #expect(request.request.variables == ["text": "milk"])
    #expect(app.text("client:local:a-b") == "milk")
    #expect(container.pending.isEmpty)
    request.succeed(todo("addTodo", "1", "milk"))
    await app.until([])
    #expect(app.text("1") == "milk")
    // The report also lists the mutation imported at the start, exactly once.
    #expect(try await app.outbox.importFiles().entries.map(\.id) == [entry.id])
    #expect(try await app.outbox.importFiles().isEmpty)
    #expect(app.server.count == 1)
  }

  @Test("the app takes in what is added while it runs, on demand, in the order of the process")
  func demand() async throws {
    let app = try container.app(cache, database)
    try await app.outbox.loaded()
    let ids = try (0..<20).map { try container.inbox.add(.set("1", to: "\($0)")).id }
    let report = try await app.outbox.importFiles()
    #expect(report.entries.map(\.id) == ids)
    #expect(report.rejected.isEmpty && report.waitingCount == 0)
    #expect(app.outbox.entries.map(\.id) == ids)
    for number in 0..<20 {
      let request = try await app.server.next()
      #expect(request.request.variables["text"] == .string("\(number)"))
      request.succeed(todo("setText", "1", "\(number)"))
    }
    await app.until([])
    #expect(app.server.count == 20)
  }

  @Test("the inbox is looked at in intervals, if the options say so")
  func interval() async throws {
    let clock = VirtualClock()
    let app = try container.app(cache, database, clock: clock) { $0.inboxInterval = .seconds(5) }
    try await app.outbox.loaded()
    try await clock.sleepers(1)
    let entry = try container.inbox.add(.add("milk", as: "client:local:a-b"))
    clock.advance(by: .seconds(4))
    #expect(app.outbox.entries.isEmpty)
    clock.advance(by: .seconds(1))
    #expect(try await app.server.next().key == entry.id.rawValue)
  }

  @Test("an extension shows its optimistic response, also over a new snapshot")
  func optimistic() async throws {
    let app = makeApp()
    try app.receive([("1", "milk")])
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    let reader = try container.reader(inbox: container.inbox)
    let seen = Locked<[[String?]]>([])
    let observation = reader.observeTexts("a") { texts in seen.withLock { $0.append(texts) } }
    let entry = try await reader.commit(
      SetTextMutation(id: "1", text: "oat milk"),
      optimisticResponse: SetTextMutation(id: "1", text: "oat milk").optimisticResponse,
      durability: .outbox())
    #expect(entry.state == .queued && entry.operationName == "SetText")
    #expect(reader.texts() == ["oat milk"])
    #expect(seen.withLock { $0 } == [["oat milk"]])
    try app.receive([("1", "milk"), ("2", "bread")])
    try await app.exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    #expect(try reader.reloadSnapshot())
    #expect(reader.texts() == ["oat milk", "bread"])
    #expect(try container.reader().texts() == ["milk", "bread"])
    #expect(container.pending.count == 1)

    var hidden = container.inbox
    hidden.showsOptimisticResponses = false
    let other = try container.reader(inbox: hidden)
    try await other.commit(
      SetTextMutation(id: "1", text: "soy milk"),
      optimisticResponse: SetTextMutation(id: "1", text: "soy milk").optimisticResponse,
      durability: .outbox(after: [entry.id]))
    #expect(other.texts() == ["milk", "bread"])

    let taken = try container.app(cache, database).outbox
    try await taken.loaded()
    #expect(taken.entries.map(\.operationName) == ["SetText", "SetText"])
    observation.cancel()
  }

  @Test("an environment over a snapshot without an inbox refuses a durable mutation")
  func noInbox() async throws {
    try await makeApp().exportSnapshot(of: [TodosQuery("a")], to: container.snapshot)
    let error = await #expect(throws: RelayError.self) {
      try await container.reader().commit(
        SetTextMutation(id: "1", text: "x"), durability: .outbox())
    }
    #expect(error?.code == .persistence)
    #expect(error?.message.contains("without an inbox") == true)
  }

  @Test("what cannot be used is set aside with a reason, and blocks nothing")
  func reject() async throws {
    var large = container.inbox
    large.byteLimit = 1 << 22
    try large.add(.add(String(repeating: "x", count: 1 << 20), as: "client:local:a-b"))
    let damaged = try file { $0[$0.count - 1] ^= 1 }
    let old = try file { $0[8] = 9 }
    let truncated = try file { $0.removeLast(10) }
    try MutationInbox(directory: container.inboxURL, user: "bob").add(.set("1", to: "of bob"))
    let url = container.inboxURL
    try Data("x".utf8).write(to: url.appending(path: "notes.txt"))
    try FileManager.default.createDirectory(
      at: url.appending(path: "0000000000000001-0000000000000001.mutation"),
      withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      at: url.appending(path: "0000000000000002-0000000000000001.mutation"),
      withDestinationURL: url.appending(path: damaged))
    let entry = try container.inbox.add(.add("milk", as: "client:local:c-d"))

    let app = try container.app(cache, database)
    try await app.outbox.loaded()
    #expect(app.outbox.entries.map(\.id) == [entry.id])
    let reasons = app.events.list.compactMap { event -> String? in
      if case .inboxFileRejected(_, let reason) = event { reason } else { nil }
    }
    for part in [
      "is not a file", "is a link", "the limit is 1048576", "checksum", "has version 9",
      "truncated", "belongs to another user", "Its name is not",
    ] { #expect(reasons.count { $0.contains(part) } == 1, "\(part): \(reasons)") }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path + "/rejected")
    #expect(names.count == 8 && names.contains("notes.txt"))
    let report = try await app.outbox.importFiles()
    #expect(report.rejected.map(\.reason) == reasons && report.entries.map(\.id) == [entry.id])
    #expect([damaged, old, truncated].allSatisfy { names.contains($0) })
    #expect(container.pending.isEmpty)
    #expect(app.events.problems.count == 8)
  }

  /// Adds a mutation and changes the bytes of its file.
  private func file(_ change: (inout [UInt8]) -> Void) throws -> String {
    let before = Set(container.pending)
    try container.inbox.add(.set("1", to: "x"))
    let name = try #require(container.pending.first { !before.contains($0) })
    let url = container.inboxURL.appending(path: name)
    var bytes = Array(try Data(contentsOf: url))
    change(&bytes)
    try Data(bytes).write(to: url)
    return name
  }

  @Test("a mutation that is too large, or one too many, is refused, and nothing is written")
  func limits() throws {
    var inbox = container.inbox
    inbox.byteLimit = 2000
    inbox.fileLimit = 2
    let long = String(repeating: "x", count: 2000)
    let error = #expect(throws: RelayError.self) { try inbox.add(.set("1", to: long)) }
    #expect(error?.code == .request && error?.message.contains("accepts 2000") == true)
    #expect(container.pending.isEmpty)
    for number in 0..<2 { try inbox.add(.set("1", to: "\(number)")) }
    let full = #expect(throws: RelayError.self) { try inbox.add(.set("1", to: "2")) }
    #expect(full?.code == .request && full?.message.contains("2 mutations") == true)
    #expect(container.pending.count == 2)
  }

  @Test("what the outbox has no room for waits in the inbox, in its order")
  func fullOutbox() async throws {
    for number in 0..<3 { try container.inbox.add(.set("1", to: "\(number)")) }
    let app = try container.app(cache, database) { $0.entryLimit = 2 }
    try await app.outbox.loaded()
    #expect(app.outbox.entries.count == 2 && container.pending.count == 1)
    #expect(try await app.outbox.importFiles().waitingCount == 1)
    try await app.server.next().succeed(todo("setText", "1", "0"))
    try await app.server.next().succeed(todo("setText", "1", "1"))
    await app.until([])
    #expect(try await app.outbox.importFiles().entries.count == 1)
    #expect(try await app.server.next().request.variables["text"] == "2")
  }

  @Test("an entry is not sent until its file is deleted, in whichever run; it is sent once")
  func undeleted() async throws {
    try container.inbox.add(.set("1", to: "a"))
    var inbox = container.inbox
    inbox.files.willCall = { call, _ in
      if call == .remove { throw PersistenceFailure(.io, "The disk is read-only.") }
    }
    let first = try container.app(cache, database, inbox: inbox)
    try await first.outbox.loaded()
    #expect(first.outbox.entries.count == 1 && first.text("1") == "a")
    await #expect(throws: RelayError.self) { try await first.outbox.importFiles() }
    first.outbox.resume()
    try await first.outbox.retry(first.outbox.entries[0].id)
    #expect(first.server.count == 0 && container.pending.count == 1)
    #expect(database.storedEntries.map(\.file) == container.pending)

    let second = try container.app(cache, database)
    let request = try await second.server.next()
    #expect(container.pending.isEmpty)
    #expect(database.storedEntries.map(\.file) == [nil])
    request.succeed(todo("setText", "1", "a"))
    await second.until([])
    #expect(second.server.count == 1)
  }

  @Test("discarding an entry whose file is still there deletes the file")
  func discard() async throws {
    try container.inbox.add(.set("1", to: "a"))
    var inbox = container.inbox
    let isFailing = Locked(true)
    inbox.files.willCall = { call, _ in
      if call == .remove, isFailing.withLock({ $0 }) { throw PersistenceFailure(.io, "No.") }
    }
    let app = try container.app(cache, database, inbox: inbox)
    try await app.outbox.loaded()
    let entry = try #require(app.outbox.entries.first)
    await #expect(throws: RelayError.self) { try await app.outbox.discard(entry.id) }
    #expect(app.outbox.entries.count == 1)
    isFailing.withLock { $0 = false }
    try await app.outbox.discard(entry.id)
    #expect(container.pending.isEmpty && app.outbox.entries.isEmpty)
    try await app.outbox.importFiles()
    #expect(app.outbox.entries.isEmpty)
    #expect(app.server.count == 0)
  }

  @Test("a copy of a mutation is deleted, and not sent a second time")
  func copy() async throws {
    let entry = try container.inbox.add(.set("1", to: "a"))
    let name = try #require(container.pending.first)
    let copy = container.inboxURL.appending(path: "7000000000000000" + name.dropFirst(16))
    try FileManager.default.copyItem(at: container.inboxURL.appending(path: name), to: copy)
    let app = try container.app(cache, database)
    try await app.outbox.loaded()
    #expect(app.outbox.entries.map(\.id) == [entry.id])
    try await app.outbox.importFiles()
    #expect(container.pending.isEmpty && app.outbox.entries.count == 1)
  }

  @Test("one call takes in as many files as the inbox may have")
  func bound() async throws {
    var inbox = container.inbox
    inbox.fileLimit = 40
    let entry = try inbox.add(.set("1", to: "a"))
    let name = try #require(container.pending.first)
    let original = try Data(contentsOf: container.inboxURL.appending(path: name))
    let app = try container.app(cache, database, inbox: inbox)
    try await app.outbox.loaded()
    for number in 10..<100 {
      let copy = "70000000000000\(number)" + name.dropFirst(16)
      try original.write(to: container.inboxURL.appending(path: copy))
    }
    for rest in [50, 10, 0] {
      try await app.outbox.importFiles()
      #expect(container.pending.count == rest)
    }
    #expect(app.outbox.entries.map(\.id) == [entry.id])
  }
}
