/// The identity of a request: the operation's name, the hash of its document, and its variables.
/// Uses with the same identity share their data, even after a restart.
package struct RequestIdentity: Hashable, Sendable {
  /// The operation's name.
  package let name: String
  /// See ``SelectionPlan/documentHash``.
  package let documentHash: UInt64
  /// The operation's variables.
  private let scope: VariableScope

  package init(name: String = "", documentHash: UInt64, variables: JSONObject) {
    self.init(
      name: name, documentHash: documentHash, scope: VariableScope(operation: variables))
  }

  init(name: String, documentHash: UInt64, scope: VariableScope) {
    self.name = name
    self.documentHash = documentHash
    self.scope = scope
  }

  /// The operation's variables.
  package var variables: JSONObject { scope.operation }
}

/// An operation whose response is written, and the record to write it to.
package struct WrittenOperation: Sendable {
  package var identity: RequestIdentity
  package var plan: BoundPlan
  package var root: DataID
  /// The maximum age of the response, according to the server.
  var maxAge: Duration?

  package init(_ identity: RequestIdentity, _ plan: BoundPlan, root: DataID) {
    self.identity = identity
    self.plan = plan
    self.root = root
  }
}

/// The operations whose records the garbage collector retains, with the times of their last writes.
package struct RetentionTable {
  /// The last write of a response to an operation.
  package struct Write {
    package var epoch: UInt64
    /// The time of the write since the store was created.
    package var time: Duration
    /// The maximum age of the response, according to the server.
    package var maxAge: Duration?

    package init(epoch: UInt64, time: Duration, maxAge: Duration?) {
      self.epoch = epoch
      self.time = time
      self.maxAge = maxAge
    }
  }

  package struct Entry {
    package var count: Int
    package let root: RecordIndex
    /// The plan; from an earlier run of the program until the operation is used again.
    package var plan: BoundPlan
    package var write: Write?
    /// Whether the operation survives without retentions until it is unpinned.
    package var isPinned = false

    package init(count: Int, root: RecordIndex, plan: BoundPlan, write: Write? = nil) {
      self.count = count
      self.root = root
      self.plan = plan
      self.write = write
    }
  }

  package var entries: [RequestIdentity: Entry] = [:]
  /// The number of resets. Releasing a retention of an earlier generation is a no-op.
  package private(set) var generation: UInt64 = 0
  /// The release buffer: the released operations that are not pinned, oldest first.
  var buffer: [RequestIdentity] = []
  let bufferSize: Int
  /// Whether the operations are persisted. If so, any written operation enters the release buffer;
  /// when the buffer is full, it replaces the least recently used operation.
  let isStored: Bool
  /// The persisted operations that have changed since the last call of ``drainChanges()``.
  private var changed: Set<RequestIdentity> = []
  /// The operations that are stale until they are written again, whether or not they have an entry.
  private var stale: Set<RequestIdentity> = []
  private let expiration: Duration?
  private var maxAges: MaxAges

  init(
    bufferSize: Int, expiration: Duration? = nil, maxAges: [String: Duration] = [:],
    isStored: Bool = false
  ) {
    self.bufferSize = max(0, bufferSize)
    self.expiration = expiration
    self.maxAges = MaxAges(maxAges, expiration: expiration)
    self.isStored = isStored
  }

  /// The roots of all operations, including those in the release buffer.
  var roots: [(record: RecordIndex, plan: BoundPlan)] {
    entries.values.map { ($0.root, $0.plan) }
  }

  /// The number of retained operations.
  var retainedCount: Int { entries.values.count { $0.count > 0 } }

  /// Returns the last write of an operation; `nil` if it has no entry or was never written.
  package func write(of identity: RequestIdentity) -> Write? { entries[identity]?.write }

  /// Returns whether an operation was marked as stale and not written since.
  package func isStale(_ identity: RequestIdentity) -> Bool { stale.contains(identity) }

  /// Marks an operation as stale until it is written again.
  ///
  /// - Returns: Whether the operation is retained.
  mutating func markStale(_ identity: RequestIdentity) -> Bool {
    stale.insert(identity)
    markChanged(identity)
    return (entries[identity]?.count ?? 0) > 0
  }

  /// Returns the time until a query's data is stale because of its age, 0 or less if it already is
  /// or was marked as stale. Returns `nil` if the query was not fetched, or never becomes stale
  /// because of its age.
  package mutating func timeLeft(of identity: RequestIdentity, now: Duration) -> Duration? {
    if stale.contains(identity) { return .zero }
    guard let entry = entries[identity], let write = entry.write,
      let maxAge = maxAges.maxAge(of: identity, entry.plan.plan, server: write.maxAge)
    else { return nil }
    return write.time + maxAge - now
  }

  /// Returns whether an operation's data need not be retained: its last write is older than the
  /// expiration, and no other maximum age says that the data is fresh.
  ///
  /// - Parameter isStale: Whether the operation was marked as stale.
  package mutating func isExpired(
    _ entry: Entry, of identity: RequestIdentity, isStale: Bool, now: Duration
  ) -> Bool {
    guard let expiration, let write = entry.write, now - write.time >= expiration else {
      return false
    }
    if isStale { return true }
    let maxAge = maxAges.maxAge(of: identity, entry.plan.plan, server: write.maxAge) ?? expiration
    return now - write.time >= maxAge
  }

  mutating func retain(_ identity: RequestIdentity, root: RecordIndex, plan: BoundPlan) {
    if entries[identity]?.count == 0 { buffer.removeAll { $0 == identity } }
    entries[identity, default: Entry(count: 0, root: root, plan: plan)].count += 1
    entries[identity]?.plan = plan
    markChanged(identity)
  }

  /// Removes all operations.
  mutating func removeAll() {
    if isStored { changed.formUnion(entries.keys) }
    (entries, buffer, stale) = ([:], [], [])
    generation += 1
  }

  /// Releases one retention. The last release moves the operation to the release buffer, or removes
  /// it if it has expired.
  ///
  /// - Returns: Whether an operation was removed, so there may be garbage.
  mutating func release(_ identity: RequestIdentity, now: Duration) -> Bool {
    guard var entry = entries[identity], entry.count > 0 else { return false }
    entry.count -= 1
    entries[identity] = entry
    guard entry.count == 0, !entry.isPinned else { return false }
    markChanged(identity)
    if isExpired(entry, of: identity, isStale: isStale(identity), now: now) {
      entries[identity] = nil
      return true
    }
    buffer.append(identity)
    return buffer.count > bufferSize && removeOldest()
  }

  /// Removes the least recently used released operation.
  ///
  /// - Returns: `false` if there is none.
  mutating func removeOldest() -> Bool {
    if buffer.isEmpty { return false }
    let oldest = buffer.removeFirst()
    entries[oldest] = nil
    markChanged(oldest)
    return true
  }

  /// Stores the time of an operation's write. An operation that is not retained enters the release
  /// buffer if it has room, or if ``isStored``; otherwise the time is not stored.
  ///
  /// - Returns: Whether the operation's records are retained.
  mutating func recordWrite(
    _ write: Write, of identity: RequestIdentity, root: RecordIndex, plan: BoundPlan
  ) -> Bool {
    stale.remove(identity)
    if entries[identity] == nil {
      if buffer.count >= bufferSize {
        guard isStored, removeOldest() else { return false }
      }
      entries[identity] = Entry(count: 0, root: root, plan: plan)
      buffer.append(identity)
    } else if isStored, let index = buffer.firstIndex(of: identity) {
      buffer.remove(at: index)
      buffer.append(identity)
    }
    entries[identity]?.write = write
    entries[identity]?.plan = plan
    markChanged(identity)
    return true
  }

  /// Pins an operation: it survives without retentions until it is unpinned.
  mutating func pin(_ identity: RequestIdentity, root: RecordIndex, plan: BoundPlan) {
    entries[identity, default: Entry(count: 0, root: root, plan: plan)].isPinned = true
    buffer.removeAll { $0 == identity }
    markChanged(identity)
  }

  /// Unpins an operation. An operation without retentions enters the release buffer.
  ///
  /// - Returns: Whether an operation was removed, so there may be garbage.
  mutating func unpin(_ identity: RequestIdentity) -> Bool {
    guard entries[identity]?.isPinned == true else { return false }
    entries[identity]?.isPinned = false
    markChanged(identity)
    guard entries[identity]?.count == 0 else { return false }
    buffer.append(identity)
    return buffer.count > bufferSize && removeOldest()
  }

  // MARK: Storing

  private mutating func markChanged(_ identity: RequestIdentity) {
    if isStored { changed.insert(identity) }
  }

  /// Marks all operations as changed, so that they are persisted anew.
  package mutating func markAllChanged() { if isStored { changed.formUnion(entries.keys) } }

  package var hasChanges: Bool { !changed.isEmpty }

  /// Returns the operations that have changed since the last call: the released ones in the order
  /// of their release, then the others.
  package mutating func drainChanges() -> [RequestIdentity] {
    if changed.isEmpty { return [] }
    defer { changed = [] }
    let released = buffer.filter { changed.contains($0) }
    return released + changed.subtracting(released)
  }

  /// Adds the operations of an earlier run of the program as released operations, the least
  /// recently used first. Operations already in use are not replaced.
  package mutating func restore(
    _ restored: [(identity: RequestIdentity, entry: Entry, isStale: Bool)]
  ) {
    var released: [RequestIdentity] = []
    for (identity, entry, isStale) in restored {
      if let current = entries[identity] {
        if current.write == nil { entries[identity]?.write = entry.write }
        if entry.isPinned { entries[identity]?.isPinned = true }
        if entry.isPinned { buffer.removeAll { $0 == identity } }
      } else {
        entries[identity] = entry
        if !entry.isPinned { released.append(identity) }
      }
      if isStale, entries[identity]?.write?.time == entry.write?.time { stale.insert(identity) }
    }
    buffer = released + buffer
    while buffer.count > bufferSize, removeOldest() {}
  }

  /// Removes the writes and stale marks of all operations.
  package mutating func removeWrites() {
    for identity in entries.keys { entries[identity]?.write = nil }
    stale = []
  }

  /// Removes an operation of an earlier run from the disk, unless it is already in use.
  ///
  /// - Returns: Whether the operation is unused.
  @discardableResult
  package mutating func removeStored(_ identity: RequestIdentity) -> Bool {
    guard entries[identity] == nil else { return false }
    markChanged(identity)
    return true
  }

  /// Adds a number to the epochs of all writes, continuing the epochs of an earlier run.
  package mutating func addToEpochs(_ epochs: UInt64) {
    for identity in entries.keys { entries[identity]?.write?.epoch += epochs }
  }
}
