import Foundation
import RelayStoreTesting
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// The server's ids of objects that were created offline, in later runs.
@Suite("Outbox: ids of created objects", .timeLimit(.minutes(1)))
struct OutboxAliasTests {
  private let cache = MemoryPersistence()
  private let database = MemoryPersistence()

  private func app() throws -> OutboxApp { try OutboxApp(cache, database) }

  /// Creates a todo, and waits until it has the server's id.
  private func create(_ placeholder: String, as id: String, in app: OutboxApp) async throws {
    let entry = try await app.environment.add(.add("milk", as: placeholder))
    #expect(app.outbox.id(for: DataID(placeholder)) == nil)
    try await app.server.next().succeed(todo("addTodo", id, "milk"))
    try await app.outbox.outcome(of: entry.id)
    #expect(app.outbox.id(for: DataID(placeholder)) == DataID(id))
  }

  @Test("the next run knows the id, and sends it in place of the placeholder")
  func nextRun() async throws {
    let placeholder: String = ClientID.unique()
    try await create(placeholder, as: "42", in: try app())
    for _ in 0..<2 {
      let later = try app()
      try await later.outbox.loaded()
      #expect(later.outbox.id(for: DataID(placeholder)) == "42")
      #expect(later.outbox.id(for: "42") == nil)
      try await later.environment.add(.set(placeholder, to: "soy"))
      let request = try await later.server.next()
      #expect(request.request.variables["id"] == "42")
      request.succeed(todo("setText", "42", "soy"))
      await later.until([])
    }
  }

  @Test("a reset forgets the ids")
  func reset() async throws {
    let placeholder: String = ClientID.unique()
    let first = try app()
    try await create(placeholder, as: "42", in: first)
    first.environment.reset()
    #expect(first.outbox.id(for: DataID(placeholder)) == nil)
    try await first.environment.wipe()
    #expect(first.outbox.id(for: DataID(placeholder)) == nil)
    let second = try app()
    try await second.outbox.loaded()
    #expect(second.outbox.id(for: DataID(placeholder)) == nil)
  }

  @Test("a damaged id rejects the outbox, and the other ids go on")
  func damaged() async throws {
    let placeholders: [String] = (0..<3).map { _ in ClientID.unique() }
    let first = try app()
    for (number, placeholder) in placeholders.enumerated() {
      try await create(placeholder, as: "\(number)", in: first)
    }
    database.state.withLock { $0.rows[RowKey(.aliases, 2)] = [1, 2, 3] }
    for _ in 0..<2 {
      let later = try app()
      try await later.outbox.loaded()
      let ids = placeholders.map { later.outbox.id(for: DataID($0)) }
      #expect(ids == ["0", nil, "2"])
    }
    #expect(database.state.withLock { $0.rejected } != nil)
  }

  @Test("a number too large to count on from is damage")
  func counter() throws {
    let contents = try #require(Self.aliases(1, at: .now).unwritten.first?.contents)
    let limit = Int64(ByteReader.counterLimit)
    for (key, isValid) in [(limit - 1, true), (limit, false)] {
      var aliases = StoredAliases()
      #expect(aliases.load(contents, key: key) == isValid)
    }
  }

  // MARK: Limits

  private static func aliases(_ count: Int, at date: Date) -> StoredAliases {
    var aliases = StoredAliases()
    for number in 0..<count {
      var placeholders = ServerIDs()
      placeholders.ids["client:local:\(number)-"] = "\(number)"
      aliases.add(placeholders, at: date)
    }
    return aliases
  }

  /// The aliases as a later run loads them.
  private static func reloaded(
    _ rows: [Int64: [UInt8]], at date: Date
  ) throws -> StoredAliases {
    var aliases = StoredAliases()
    for (key, row) in rows.sorted(by: { $0.key < $1.key }) {
      let isValid = aliases.load(row, key: key)
      #expect(isValid)
    }
    aliases.endLoading(at: date, isLost: false)
    return aliases
  }

  @Test("ten thousand ids are kept, the newest")
  func count() throws {
    let now = Date(timeIntervalSince1970: 1e9)
    var aliases = Self.aliases(10_002, at: now)
    #expect(aliases.serverIDs.ids.count == 10_000)
    #expect(aliases.serverIDs.ids["client:local:1-"] == nil)
    #expect(aliases.serverIDs.ids["client:local:2-"] == "2")
    var rows: [Int64: [UInt8]] = [:]
    for (key, contents) in aliases.unwritten { rows[key] = contents }
    #expect(rows.count == 10_000)
    aliases.didWrite()
    #expect(aliases.unwritten.isEmpty)
    var later = try Self.reloaded(rows, at: now)
    #expect(later.unwritten.isEmpty && later.serverIDs.ids == aliases.serverIDs.ids)
    var placeholders = ServerIDs()
    placeholders.ids["client:local:new-"] = "new"
    later.add(placeholders, at: now)
    #expect(later.unwritten.map(\.key) == [3, 10_003])
    #expect(later.unwritten.map { $0.contents == nil } == [true, false])
  }

  @Test("ids are kept for thirty days", arguments: [29.0, 31])
  func age(days: Double) throws {
    let now = Date(timeIntervalSince1970: 1e9)
    let aliases = Self.aliases(3, at: now)
    var rows: [Int64: [UInt8]] = [:]
    for (key, contents) in aliases.unwritten { rows[key] = contents }
    let later = try Self.reloaded(rows, at: now + days * 86_400)
    #expect(later.serverIDs.ids.count == (days < 30 ? 3 : 0))
    #expect(later.unwritten.map(\.key) == (days < 30 ? [] : [1, 2, 3]))
  }

  @Test("an id that comes after all others have expired is written")
  func afterAll() throws {
    let now = Date(timeIntervalSince1970: 1e9)
    var rows: [Int64: [UInt8]] = [:]
    for (key, contents) in Self.aliases(3, at: now).unwritten { rows[key] = contents }
    var later = try Self.reloaded(rows, at: now + 31 * 86_400)
    var placeholders = ServerIDs()
    placeholders.ids["client:local:new-"] = "new"
    later.add(placeholders, at: now + 31 * 86_400)
    #expect(later.unwritten.last?.key == 4 && later.unwritten.last?.contents != nil)
  }
}
