import Foundation
import RelayPersistence
import RelayStore
import SeededRandom
import Testing

/// A query for the items of a tag.
private let items = OperationPlan(
  name: "ItemsQuery",
  reader: SelectionPlan("ItemsQuery Query{items(tag:$tag) [Item{id ID! name String}]}"),
  normalization: SelectionPlan(
    "Query{items(tag:$tag) [Item{__typename String! id ID! name String}]}"))

/// A persisted store, and the dictionary that it is compared with.
struct PersistenceRun {
  /// The medium that the rows are written to.
  enum Medium: CaseIterable { case memory, sqlite }

  /// The expected contents of the store.
  struct Model: Equatable {
    /// The name of each item.
    var names: [String: String] = [:]
    /// The ids of the items of each query with preserved data, least recently used first.
    var queries: [(tag: String, ids: [String])] = []

    static func == (one: Model, other: Model) -> Bool {
      one.names == other.names && one.queries.map(\.tag) == other.queries.map(\.tag)
    }
  }

  static let operations = [
    "fetch", "update", "delete", "collect", "flush", "suspend", "reopen", "kill",
  ]
  private static let (itemCount, tagCount, queryLimit) = (40, 12, 5)

  private let medium: Medium
  private var random: SeededGenerator
  private var memory = MemoryPersistence()
  private var directory = TemporaryDirectory()
  private var stored: PersistedStore?
  private var model = Model()
  /// The possible persisted states: the model at the last flush, and after each later operation.
  private var history = [Model()]
  private(set) var counts: [String: Int] = [:]
  /// The number of kills that lost the last changes.
  private(set) var losses = 0

  init(_ medium: Medium, seed: UInt64) {
    self.medium = medium
    random = SeededGenerator(seed: seed)
  }

  mutating func open() async {
    var persistence =
      medium == .memory
      ? memory.persistence : .sqlite(directory: directory.path, library: testedLibrary)
    persistence.queryLimit = Self.queryLimit
    let new = PersistedStore(
      persistence, configuration: .init(releaseBufferSize: 0, garbageCollection: .manual))
    await new.store.loaded()
    stored = new
  }

  // MARK: Operations

  /// Performs an operation.
  ///
  /// - Returns: Its name.
  mutating func step() async throws -> String {
    guard let stored else { return "closed" }
    let operation =
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<40: "fetch"
      case 40..<65: "update"
      case 65..<75: "delete"
      case 75..<80: "collect"
      case 80..<94: "flush"
      case 94..<96: "suspend"
      case 96..<98: "reopen"
      default: "kill"
      }
    counts[operation, default: 0] += 1
    switch operation {
    case "fetch": try fetch(stored)
    case "update": try update(stored)
    case "delete": try delete(stored)
    case "collect": collect(stored)
    case "flush": try await stored.store.flush()
    case "suspend":
      try await stored.store.suspend()
      try await stored.store.resume()
    case "reopen":
      try await stored.close()
      await open()
    default: try await kill(stored)
    }
    switch operation {
    case "flush", "suspend", "reopen": history = [model]
    default: if history.last != model { history.append(model) }
    }
    return operation
  }

  private mutating func id() -> String { "\(Int.random(in: 0..<Self.itemCount, using: &random))" }

  private mutating func name() -> String {
    let length = [1, 10, 2_000].randomElement(using: &random) ?? 1
    return "\(UInt64.random(in: 0...(.max), using: &random))"
      + String(repeating: "x", count: length)
  }

  private mutating func fetch(_ stored: PersistedStore) throws {
    let tag = "\(Int.random(in: 0..<Self.tagCount, using: &random))"
    let ids = Set((0..<Int.random(in: 1...4, using: &random)).map { _ in id() }).sorted()
    var data: [JSONValue] = []
    for id in ids {
      let name = name()
      model.names[id] = name
      data.append(["__typename": "Item", "id": .string(id), "name": .string(name)])
    }
    model.queries.removeAll { $0.tag == tag }
    model.queries.append((tag, ids))
    if model.queries.count > Self.queryLimit { model.queries.removeFirst() }
    try stored.receive(["items": .array(data)], of: items, ["tag": .string(tag)])
  }

  private mutating func update(_ stored: PersistedStore) throws {
    let (id, name) = (id(), name())
    model.names[id] = name
    try stored.environment.commitUpdate { store in
      let item = try store[DataID(id)] ?? store.create(DataID(id), type: "Item")
      try item.setValue(.string(name), for: "name")
    }
  }

  private mutating func delete(_ stored: PersistedStore) throws {
    let id = id()
    guard model.names.removeValue(forKey: id) != nil else { return }
    try stored.environment.commitUpdate { try $0.delete(DataID(id)) }
  }

  private mutating func collect(_ stored: PersistedStore) {
    stored.store.collectGarbage()
    let reachable = Set(model.queries.flatMap(\.ids))
    model.names = model.names.filter { reachable.contains($0.key) }
  }

  /// Reopens the data that is persisted now, without the store's later writes.
  private mutating func kill(_ stored: PersistedStore) async throws {
    switch medium {
    case .memory:
      // The journal may be writing: each transaction is either complete or absent.
      let rows = memory.state.withLock { $0.rows }
      memory = MemoryPersistence()
      memory.state.withLock { $0.rows = rows }
    case .sqlite:
      // A copy of the files is consistent only while no write is in progress.
      try await stored.store.flush()
      history = [model]
      let copy = TemporaryDirectory()
      if FileManager.default.fileExists(atPath: directory.path) {
        try FileManager.default.copyItem(at: directory.url, to: copy.url)
      }
      directory = copy
    }
    await open()
    guard let opened = self.stored else { return }
    // Newest first, because that is usually the persisted state.
    if let found = history.last(where: { Self.divergence(of: opened, from: $0) == nil }) {
      if found != model { losses += 1 }
      model = found
      history = [found]
    }
  }

  // MARK: Comparison

  /// The first difference between the store and the model.
  func divergence() -> String? {
    guard let stored else { return "closed" }
    if let violation = stored.store.violatedInvariant { return violation }
    if let problem = stored.events.problems.first { return "\(problem)" }
    return Self.divergence(of: stored, from: model)
  }

  private static func divergence(of stored: PersistedStore, from model: Model) -> String? {
    let plan = SelectionPlan("Item{name String}")
    for index in 0..<itemCount {
      let found = stored.store.read(.record(DataID("\(index)"), plan, in: .empty)).row?.json[
        "name"]?.string
      let expected = model.names["\(index)"]
      if found != expected {
        return
          "item \(index) is \(found?.prefix(30) ?? "nil"), not \(expected?.prefix(30) ?? "nil")"
      }
    }
    return nil
  }
}
