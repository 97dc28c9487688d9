import Foundation
import RelayStore

/// The parts of an outbox used only on its queue: the database, the entries and their optimistic
/// updates.
///
/// `@unchecked Sendable`: the outbox calls every method on its serial queue. No lock guards it,
/// because it waits for the disk and delivers snapshots to consumers.
///
/// The order of the steps for one entry; each can safely be repeated after a crash:
///
///     1. the entry is written as queued, and its optimistic update is applied
///     2. it is written as sending, then the request is sent
///     3. the response is written to the entry, and its ids to the entries with placeholders
///     4. the response is merged into the store, and the optimistic update reverted, in one publish
///     5. the store is flushed, then the entry is removed
final class OutboxWork: @unchecked Sendable {
  /// An entry with its state in this run of the program.
  final class Item {
    let key: Int64
    var record: OutboxRecord
    /// The operation to send; `nil` if its plan has a different version.
    let operation: OperationPlan?
    /// The optimistic update; `nil` if there is none, or after it was reverted.
    var layer: UInt64?
    var task: Task<Void, Never>?
    /// The counter of the request's waits that only a test can end.
    let hold = RequestHold()

    init(key: Int64, record: OutboxRecord, operation: OperationPlan?) {
      self.key = key
      self.record = record
      self.operation = operation
    }
  }

  let engine: any PersistenceEngine
  let format: PersistenceFormat
  /// The files of the mutations; `nil` if they cannot have any: a cipher does not cover them.
  var files: OutboxFiles?
  let options: OutboxOptions
  let store: RecordStore
  let transport: any Transport
  /// The tracing of requests; `nil` for none.
  let tracing: RequestTracing?
  /// The entries in the order of their commits.
  var items: [Item] = []
  private(set) var lastKey: Int64 = 0
  /// The ordinal of the last response, counting earlier runs whose entries are still present.
  var acknowledgementCount: UInt64 = 0
  /// The number of resets. A response to a request of an earlier generation is ignored.
  var generation = 0
  var isSuspended = false
  /// Whether the entries of the last run were loaded or failed to load. No entry is sent earlier,
  /// because an older response would overwrite a newer one.
  var hasBegun = false
  /// The failure of the last reset to remove the files.
  var wipeFailure: PersistenceFailure?
  /// The server's ids of created objects. A mutation committed after the response may still contain
  /// the placeholder.
  var aliases = StoredAliases()
  /// The pending report about the inbox.
  var inboxReport = InboxReport()
  let user: String

  init(
    _ engine: any PersistenceEngine, of persistence: Persistence, options: OutboxOptions,
    store: RecordStore, transport: any Transport, tracing: RequestTracing?
  ) {
    self.tracing = tracing
    self.engine = engine
    format = PersistenceFormat(cipher: persistence.cipher)
    files = persistence.uploadDirectory.flatMap { directory in
      persistence.cipher == nil ? OutboxFiles(directory: directory) : nil
    }
    user = persistence.user
    self.options = options
    self.store = store
    self.transport = transport
  }

  /// The current date, by the store's clock.
  var now: Date { store.date }

  /// The entries whose responses may not be persisted in the store yet, in the order of the
  /// responses.
  var acknowledged: [Item] {
    items.filter { $0.record.entry.state == .acknowledged }
      .sorted { $0.record.acknowledgement < $1.record.acknowledgement }
  }

  func item(_ id: OutboxEntry.ID) -> Item? { items.first { $0.record.entry.id == id } }

  // MARK: The database

  /// Reads the entries. A database that is damaged, or has entries of a different user, is renamed,
  /// and the entries that could be recovered are written to a new one.
  ///
  /// - Returns: The path of the damaged database, renamed by this run or by an interrupted earlier
  ///   one; `nil` for none.
  /// - Throws: ``PersistenceFailure``.
  func load() throws -> String? {
    var (records, isDamaged) = ([(key: Int64, record: OutboxRecord)](), false)
    do {
      try engine.open()
      try engine.read { key, row in
        if key.table == .aliases {
          let contents = try? format.open(row, at: key).contents
          if contents.map({ aliases.load($0, key: key.key) }) != true { isDamaged = true }
        }
        guard key.table == .entries else { return }
        guard let contents = try? format.open(row, at: key).contents,
          let record = OutboxRecord(contents), record.user == user,
          key.key < ByteReader.counterLimit
        else {
          isDamaged = true
          return
        }
        records.append((key.key, record))
      }
    } catch let failure as PersistenceFailure where failure.kind == .corrupt {
      isDamaged = true
    }
    items = records.map { Item(key: $0.key, record: $0.record, operation: $0.record.operation) }
    lastKey = items.last?.key ?? 0
    acknowledgementCount = items.map(\.record.acknowledgement).max() ?? 0
    for item in items where waitEnd(of: item) == nil { item.record.entry.nextAttempt = nil }
    for item in items where item.record.entry.state == .sending {
      // The process ended before a response was written.
      item.record.entry.state = options.serverHonorsIdempotencyKeys ? .queued : .unknown
    }
    aliases.endLoading(at: now, isLost: isDamaged)
    files?.removeAll(
      except: Set(items.filter { !$0.record.uploads.isEmpty }.map(\.record.entry.id)))
    if !isDamaged { return engine.rejectedFile }
    defer { aliases.didWrite() }
    return try engine.replace(by: batch(items))
  }

  /// Writes entries in one transaction.
  ///
  /// - Throws: ``PersistenceFailure``.
  func write(_ items: [Item], removing removed: [Item] = []) throws {
    if items.isEmpty, removed.isEmpty { return }
    let batch = try batch(items, removing: removed)
    try engine.open()
    try engine.write(batch)
    aliases.didWrite()
  }

  private func batch(_ items: [Item], removing removed: [Item] = []) throws -> PersistenceBatch {
    var batch = PersistenceBatch()
    for item in items {
      let key = RowKey(.entries, item.key)
      batch.rows.append((key, try format.seal(item.record.contents, at: key).bytes))
    }
    for item in removed { batch.rows.append((RowKey(.entries, item.key), nil)) }
    for (alias, contents) in aliases.unwritten {
      let key = RowKey(.aliases, alias)
      batch.rows.append((key, try contents.map { try format.seal($0, at: key).bytes }))
    }
    return batch
  }

  /// Adds an entry for a mutation: writes it, then applies its optimistic update.
  ///
  /// - Throws: ``RelayError`` with code `request` if there are too many entries or its optimistic
  ///   response does not have the shape of the mutation; ``PersistenceFailure``. The optimistic
  ///   update is then not applied.
  func add(
    _ commit: MutationCommit, _ description: OutboxDescription, after: [OutboxEntry.ID]
  ) throws -> OutboxEntry {
    let superseded = try superseded(by: description.coalescing, of: commit.operation.name)
    var record = OutboxRecord(commit, description, date: now, after: after)
    record.user = user
    var replaced: [Item] = []
    switch superseded {
    case .replaced(let items): replaced = items
    case .cancelled(let undone):
      try remove([undone])
      return record.entry
    }
    if items.count - replaced.count >= options.entryLimit {
      throw RelayError(
        .request, "The outbox is full: it has \(items.count.counted("mutation")).",
        operationName: commit.operation.name)
    }
    try checkSize(of: record, replacing: replaced)
    let item = makeItem(record, commit.operation, key: lastKey + 1)
    let changes = try apply(item)
    do { try write([item], removing: replaced) } catch {
      item.layer = nil
      throw error
    }
    items.removeAll { item in replaced.contains { $0 === item } }
    removeFiles(of: replaced)
    append(item)
    publish(replaced.flatMap { revert($0) } + changes)
    return item.record.entry
  }

  /// Creates the item of a new entry.
  func makeItem(_ record: OutboxRecord, _ operation: OperationPlan?, key: Int64) -> Item {
    var record = record
    _ = aliases.serverIDs.replace(in: &record)
    record.ids = ids(of: record)
    return Item(key: key, record: record, operation: operation)
  }

  /// Adds the item of an entry. If its row cannot be written, remove the item, so that the next
  /// entry overwrites any partial row.
  func append(_ item: Item) {
    items.append(item)
    lastKey = item.key
  }

  /// Removes the last items after a failed write.
  func removeLast(_ count: Int) {
    items.removeLast(count)
    lastKey -= Int64(count)
  }

  // MARK: Optimistic updates

  /// Returns the request of an entry; `nil` if its plan has a different version.
  func request(_ item: Item, root: DataID) -> OperationRequest? {
    item.operation.map {
      OperationRequest(
        $0, variables: Variables(json: item.record.variables), store: store, root: root)
    }
  }

  /// Returns the change that applies an entry's optimistic update.
  ///
  /// - Throws: ``RelayError`` if the optimistic response does not have the shape of the mutation.
  func apply(_ item: Item) throws -> [RecordStore.Change] {
    guard let response = item.record.optimisticResponse else { return [] }
    let layer = store.makeID()
    let root = DataID("client:local:\(layer)")
    guard let payload = try request(item, root: root)?.clientPayload(response.jsonBytes) else {
      return []
    }
    item.layer = layer
    return [.apply(layer, payload: payload, root: root, of: item.operation?.name)]
  }

  /// Returns the change that reverts an entry's optimistic update.
  func revert(_ item: Item) -> [RecordStore.Change] {
    defer { item.layer = nil }
    return item.layer.map { [.revert($0)] } ?? []
  }

  /// Returns the changes that reapply an entry's optimistic update and then those after it.
  func reapply(from first: Item) -> [RecordStore.Change] {
    items.drop { $0 !== first }.filter { $0 === first || $0.layer != nil }
      .flatMap { revert($0) + ((try? apply($0)) ?? []) }
  }

  /// - Parameter cause: The cause for the timeline; `nil` if the changes are self-explanatory.
  func publish(_ changes: [RecordStore.Change], cause: PublishCause? = nil) {
    // Changes without updaters do not throw.
    if !changes.isEmpty { try? store.publish(changes, cause: cause) }
  }

  // MARK: Order

  /// Returns the ids of the objects that an entry concerns: ids in its optimistic response, and
  /// strings in its variables that are ids in the store or in another entry.
  private func ids(of record: OutboxRecord) -> Set<String> {
    let strings = JSONValue.object(record.variables).strings
    let response = record.optimisticResponse?.ids ?? []
    let known = items.reduce(into: Set<String>()) { $0.formUnion($1.record.ids) }
    return store.knownIDs(among: strings)
      .union(strings.filter { known.contains($0) || ServerIDs.isClientMade($0) })
      .union(response)
  }

  /// Returns the first earlier entry that must complete before `item`.
  func blocker(of item: Item) -> Item? {
    for other in items {
      if other === item { return nil }
      if other.record.entry.state == .acknowledged { continue }
      if item.record.after.contains(other.record.entry.id) || sharesID(item, with: other) {
        return other
      }
    }
    return nil
  }

  /// Whether an entry waits for an earlier one because of an id. For one that has stopped, the ids
  /// of the store's own records do not count, or a refused creation would hold up its whole list.
  private func sharesID(_ item: Item, with other: Item) -> Bool {
    let shared = item.record.ids.intersection(other.record.ids)
    switch other.record.entry.state {
    case .failed, .unknown, .blocked:
      return shared.contains { ServerIDs.isClientMade($0) || !DataID($0).isClientID }
    default: return !shared.isEmpty
    }
  }

  /// Updates the states of waiting entries.
  ///
  /// - Returns: The entries to send now, and the date of the next attempt of the others.
  /// - Throws: ``PersistenceFailure``.
  func schedule() throws -> (ready: [Item], next: Date?) {
    var (ready, changed, next) = ([Item](), [Item](), Date?.none)
    for item in items {
      switch item.record.entry.state {
      case .queued, .blocked: break
      default: continue
      }
      let blocker = blocker(of: item)
      let state: OutboxEntry.State =
        switch blocker?.record.entry.state {
        case .failed, .unknown, .blocked:
          blocker.map { .blocked(on: $0.record.entry.id) } ?? .queued
        default: .queued
        }
      if item.record.entry.state != state {
        item.record.entry.state = state
        changed.append(item)
      }
      guard state == .queued, blocker == nil, item.record.file == nil else { continue }
      if let limit = options.ageLimit,
        now.timeIntervalSince(item.record.entry.date) > limit.seconds
      {
        item.record.entry.state = .failed
        var error = RelayError(
          .transport, "The mutation was not sent in time.",
          operationName: item.record.entry.operationName)
        error.isTimeout = true
        item.record.entry.error = error
        publish(revert(item))
        changed.append(item)
      } else if let date = waitEnd(of: item), date > now {
        next = min(date, next ?? date)
      } else {
        ready.append(item)
      }
    }
    try write(changed)
    return (ready, next)
  }

  /// Returns the date of an entry's next attempt; `nil` if it need not wait. A date further ahead
  /// than the longest wait is one of a clock that was wrong.
  private func waitEnd(of item: Item) -> Date? {
    let longest = max(options.backOff.longestDelay.clampedForSleep, OutboxOptions.longestRetryAfter)
    return item.record.entry.nextAttempt.flatMap { date in
      date.timeIntervalSince(now) > longest / .seconds(1) ? nil : date
    }
  }
}

extension Duration {
  /// The duration in seconds.
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
