/// What is the same for two uses of an operation that share their data: the operation and the
/// variables it is stored with.
package struct RequestIdentity: Hashable, Sendable {
  private let plan: ObjectIdentifier
  private let variables: Hashed<JSONObject>
  /// The operation's name.
  package let name: String

  package init(_ plan: SelectionPlan, variables: JSONObject, name: String = "") {
    self.name = name
    self.plan = ObjectIdentifier(plan)
    self.variables = Hashed(variables)
  }
}

/// An operation whose response is written, and where.
package struct WrittenOperation: Sendable {
  package var identity: RequestIdentity
  package var plan: BoundPlan
  package var root: DataID

  package init(_ identity: RequestIdentity, _ plan: BoundPlan, root: DataID) {
    self.identity = identity
    self.plan = plan
    self.root = root
  }
}

/// The operations whose records the garbage collector keeps, and when they were written.
struct RetentionTable {
  /// When a response to an operation was last written.
  struct Write {
    var epoch: UInt64
    /// Since the store was made.
    var time: Duration
  }

  struct Entry {
    var count: Int
    let root: RecordIndex
    let plan: BoundPlan
    var write: Write?
  }

  var entries: [RequestIdentity: Entry] = [:]
  /// How often everything was let go of; what was retained before that has nothing to release.
  private(set) var generation: UInt64 = 0
  /// Released operations that are kept for a while, the oldest first.
  var buffer: [RequestIdentity] = []
  let bufferSize: Int
  private let expiration: Duration?

  init(bufferSize: Int, expiration: Duration? = nil) {
    self.bufferSize = max(0, bufferSize)
    self.expiration = expiration
  }

  /// The operations in use, those in the release buffer included.
  var roots: [(record: RecordIndex, plan: BoundPlan)] {
    entries.values.map { ($0.root, $0.plan) }
  }

  /// The same with what they are called and how often they are retained, in the order of their names.
  var all: [(name: String, count: Int, root: RecordIndex, plan: BoundPlan)] {
    entries.map { ($0.name, $1.count, $1.root, $1.plan) }.sorted { $0.0 < $1.0 }
  }

  /// How many operations are retained by someone.
  var retainedCount: Int { entries.values.count { $0.count > 0 } }

  /// When an operation was last written; `nil` where that is not known.
  func write(of identity: RequestIdentity) -> Write? { entries[identity]?.write }

  /// Whether an operation written at a time is out of date now.
  func isExpired(_ write: Write?, now: Duration) -> Bool {
    guard let expiration, let write else { return false }
    return now - write.time >= expiration
  }

  mutating func retain(_ identity: RequestIdentity, root: RecordIndex, plan: BoundPlan) {
    if entries[identity]?.count == 0 { buffer.removeAll { $0 == identity } }
    entries[identity, default: Entry(count: 0, root: root, plan: plan)].count += 1
  }

  /// Lets go of everything.
  mutating func removeAll() {
    (entries, buffer) = ([:], [])
    generation += 1
  }

  /// Ends one use; the last one moves the operation to the release buffer, or forgets it when it is
  /// out of date.
  ///
  /// - Returns: Whether an operation was forgotten, so that there may be garbage.
  mutating func release(_ identity: RequestIdentity, now: Duration) -> Bool {
    guard var entry = entries[identity], entry.count > 0 else { return false }
    entry.count -= 1
    entries[identity] = entry
    guard entry.count == 0 else { return false }
    if isExpired(entry.write, now: now) {
      entries[identity] = nil
      return true
    }
    buffer.append(identity)
    guard buffer.count > bufferSize else { return false }
    entries[buffer.removeFirst()] = nil
    return true
  }

  /// Notes that an operation was written. One that nobody retains is kept if the buffer has room; else
  /// nothing is known of it.
  ///
  /// - Returns: Whether its records are kept.
  mutating func note(
    _ write: Write, of identity: RequestIdentity, root: RecordIndex, plan: BoundPlan
  ) -> Bool {
    if entries[identity] == nil {
      guard buffer.count < bufferSize else { return false }
      entries[identity] = Entry(count: 0, root: root, plan: plan)
      buffer.append(identity)
    }
    entries[identity]?.write = write
    return true
  }
}
