import Foundation
import RelayStoreTesting
import SeededRandom
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// An app that creates, shows, changes and deletes objects while its network and its process end at
/// any moment, and what its user expects to see.
struct CreatedObjectsRun {
  /// An object as the user knows it.
  private struct Object {
    let placeholder: String
    /// The text that was committed last; `nil` once deleted.
    var text: String?
    var isDeleted = false
    /// Whether the collector may have removed it since then.
    var mayBeCollected = false
    var watches: [Watch] = []
  }

  /// A screen that shows an object under one of its ids.
  private final class Watch: Sendable {
    private struct State {
      var text: String?
      var isDeleted = false
      var blanks = 0
    }

    private let state = Locked(State())
    private let observation: Locked<ObservationHandle?> = Locked(nil)

    init(_ id: String, in app: OutboxApp) {
      let plan = SelectionPlan("Todo{text String}")
      let (snapshot, observation) = app.environment.store.readAndObserve(
        .record(DataID(id), plan, in: .empty)
      ) { [weak self] in self?.show($0) }
      show(snapshot)
      self.observation.withLock { $0 = observation }
    }

    private func show(_ snapshot: RowSnapshot) {
      let text = snapshot.row?.json["text"]?.string
      state.withLock { state in
        state.text = text
        if text == nil, !state.isDeleted { state.blanks += 1 }
      }
    }

    func willDelete() { state.withLock { $0.isDeleted = true } }
    var text: String? { state.withLock { $0.text } }
    var blanks: Int { state.withLock { $0.blanks } }
  }

  static let operations = [
    "create", "edit", "delete", "observe", "answer", "lose", "kill", "collect",
  ]

  private let seed: UInt64
  private var random: SeededGenerator
  private let server = TodoServer()
  private var (cache, database) = (MemoryPersistence(), MemoryPersistence())
  private var connection: TodoServer.Connection
  private var app: OutboxApp
  private var objects: [Object] = []
  private var lastText = 0
  private(set) var counts: [String: Int] = [:]

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    connection = server.connection()
    app = try OutboxApp(cache, database, transport: connection)
  }

  // MARK: Operations

  /// Performs an operation.
  ///
  /// - Returns: Its name.
  mutating func step() async throws -> String {
    let operation =
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<20: "create"
      case 20..<38: "edit"
      case 38..<44: "delete"
      case 44..<54: "observe"
      case 54..<84: "answer"
      case 84..<91: "lose"
      case 91..<96: "kill"
      default: "collect"
      }
    switch operation {
    case "create": try await create()
    case "edit": try await edit()
    case "delete": try await delete()
    case "observe": observe()
    case "answer": _ = end(isExecuted: true, responds: true)
    case "lose":
      let key = end(isExecuted: Bool.random(using: &random), responds: false)
      await app.until { entries in
        !entries.contains { $0.id.rawValue == key && $0.state == .sending }
      }
      app.outbox.resume()
    case "kill": try await kill()
    default: collect()
    }
    counts[operation, default: 0] += 1
    try await settle()
    return operation
  }

  /// Waits until every entry that is due has its request.
  private func settle() async throws {
    try await eventually("") {
      let entries = app.outbox.entries
      let sending = Set(entries.filter { $0.state == .sending }.map(\.id.rawValue))
      let isDue = entries.contains { $0.state == .queued && $0.nextAttempt != nil }
      if app.outbox.isLoaded, sending == connection.keys, !isDue { return "" }
      return "\(entries.map { "\($0.id) \($0.state)" }), requests \(connection.keys), seed \(seed)"
    }
    await app.outbox.wait()
  }

  private mutating func newText() -> String {
    lastText += 1
    return "text \(lastText)"
  }

  /// Returns the index of an object that was not deleted.
  private mutating func liveObject() -> Int? {
    objects.indices.filter { !objects[$0].isDeleted }.randomElement(using: &random)
  }

  /// Returns one of the ids that the app may use for an object.
  private mutating func id(of object: Int) -> String {
    let placeholder = objects[object].placeholder
    let serverID = app.outbox.id(for: DataID(placeholder))?.rawValue
    return Bool.random(using: &random) ? serverID ?? placeholder : placeholder
  }

  private mutating func create() async throws {
    let (placeholder, text): (String, String) = (ClientID.unique(), newText())
    objects.append(Object(placeholder: placeholder, text: text))
    try await app.environment.add(.add(text, as: placeholder))
  }

  private mutating func edit() async throws {
    guard let object = liveObject() else { return }
    let text = newText()
    (objects[object].text, objects[object].mayBeCollected) = (text, false)
    try await app.environment.add(.set(id(of: object), to: text))
  }

  private mutating func delete() async throws {
    guard let object = liveObject() else { return }
    for watch in objects[object].watches { watch.willDelete() }
    (objects[object].text, objects[object].isDeleted) = (nil, true)
    try await app.environment.add(.delete(id(of: object)))
  }

  private mutating func observe() {
    guard let object = liveObject(), !objects[object].mayBeCollected else { return }
    objects[object].watches.append(Watch(id(of: object), in: app))
  }

  /// Ends a request.
  ///
  /// - Returns: Its key.
  private mutating func end(isExecuted: Bool, responds: Bool) -> String? {
    let key = connection.keys.sorted().randomElement(using: &random)
    if let key { connection.end(key, isExecuted: isExecuted, responds: responds) }
    return key
  }

  /// Ends the process, and starts another one with the files on disk.
  private mutating func kill() async throws {
    let (old, oldConnection) = (app, connection)
    let (oldCache, oldDatabase) = (cache, database)
    (cache, database) = (MemoryPersistence(), MemoryPersistence())
    // The outbox's file first: a later state of the cache has the responses whose entries are gone.
    let entries = oldDatabase.state.withLock { $0.rows }
    let records = oldCache.state.withLock { $0.rows }
    database.state.withLock { $0.rows = entries }
    cache.state.withLock { $0.rows = records }
    old.outbox.suspend()
    oldConnection.close()
    for key in oldConnection.keys.sorted() {
      oldConnection.end(key, isExecuted: Bool.random(using: &random), responds: false)
    }
    for object in objects.indices { objects[object].watches = [] }
    connection = server.connection()
    app = try OutboxApp(cache, database, transport: connection)
    await app.environment.store.loaded()
    try await app.outbox.loaded()
  }

  private mutating func collect() {
    app.environment.store.collectGarbage()
    // Optimistic updates retain their records.
    let shown = app.outbox.entries.filter { $0.state != .acknowledged }
    let used = Set(
      database.outboxRecords.filter { record in shown.contains { $0.id == record.entry.id } }
        .flatMap(\.ids))
    for index in objects.indices where objects[index].watches.isEmpty {
      let serverID = app.outbox.id(for: DataID(objects[index].placeholder))?.rawValue
      let isUsed = used.contains(objects[index].placeholder) || serverID.map(used.contains) == true
      if !isUsed { objects[index].mayBeCollected = true }
    }
  }

  // MARK: Comparison

  /// The first difference between the screens and the expectations of the user.
  func divergence() -> String? {
    if let violation = app.environment.store.violatedInvariant { return violation }
    if let problem = server.problems.first { return problem }
    for object in objects {
      let serverID = app.outbox.id(for: DataID(object.placeholder))?.rawValue
      for id in [object.placeholder, serverID].compactMap(\.self) {
        let text = app.text(id)
        if text == object.text || text == nil && object.mayBeCollected { continue }
        return "\(id) is \(text ?? "nil"), not \(object.text ?? "nil")"
      }
      for watch in object.watches {
        if watch.text != object.text { return "a screen shows \(watch.text ?? "nil")" }
        if watch.blanks > 0 { return "a screen was blank" }
      }
    }
    return nil
  }

  /// Responds to all requests, and compares the server's objects with the user's.
  mutating func finish() async throws -> String? {
    while !app.outbox.entries.isEmpty {
      for key in connection.keys { connection.end(key, isExecuted: true, responds: true) }
      try await settle()
      let shown = app.outbox.entries
      if connection.keys.isEmpty, !shown.isEmpty { await app.until { $0 != shown } }
    }
    let texts = objects.filter { !$0.isDeleted }.compactMap { object in
      app.outbox.id(for: DataID(object.placeholder)).map { ($0.rawValue, object.text) }
    }
    if texts.count != server.todos.count { return "\(server.todos.count) on the server" }
    for (id, text) in texts where text != nil && server.todos[id] != text {
      return "\(id) is \(server.todos[id] ?? "nil") on the server, not \(text ?? "nil")"
    }
    return nil
  }
}
