/// What is the same for two uses of an operation that share their data: the operation and the
/// variables it is stored with.
package struct RequestIdentity: Hashable, Sendable {
  private let plan: ObjectIdentifier
  private let variables: JSONObject

  package init(_ plan: Plan, variables: JSONObject) {
    self.plan = ObjectIdentifier(plan)
    self.variables = variables
  }
}

/// The operations whose records the garbage collector keeps.
struct RetentionTable {
  private struct Entry {
    var count: Int
    let root: RecordIndex
    let plan: BoundPlan
  }

  private var entries: [RequestIdentity: Entry] = [:]
  /// Released operations that are kept for a while, the oldest first.
  private var buffer: [RequestIdentity] = []
  private let bufferSize: Int

  init(bufferSize: Int) { self.bufferSize = max(0, bufferSize) }

  /// The operations in use, those in the release buffer included.
  var roots: [(record: RecordIndex, plan: BoundPlan)] {
    entries.values.map { ($0.root, $0.plan) }
  }

  /// How many operations are retained by someone.
  var retainedCount: Int { entries.values.count { $0.count > 0 } }

  mutating func retain(_ identity: RequestIdentity, root: RecordIndex, plan: BoundPlan) {
    if entries[identity]?.count == 0 { buffer.removeAll { $0 == identity } }
    entries[identity, default: Entry(count: 0, root: root, plan: plan)].count += 1
  }

  /// Ends one use; the last one moves the operation to the release buffer.
  ///
  /// - Returns: Whether an operation has left the buffer, so that there may be garbage.
  mutating func release(_ identity: RequestIdentity) -> Bool {
    guard var entry = entries[identity], entry.count > 0 else { return false }
    entry.count -= 1
    entries[identity] = entry
    guard entry.count == 0 else { return false }
    buffer.append(identity)
    guard buffer.count > bufferSize else { return false }
    entries[buffer.removeFirst()] = nil
    return true
  }

  /// Keeps an operation that nobody retains, if the buffer has room.
  mutating func keep(_ identity: RequestIdentity, root: RecordIndex, plan: BoundPlan) {
    guard entries[identity] == nil, buffer.count < bufferSize else { return }
    entries[identity] = Entry(count: 0, root: root, plan: plan)
    buffer.append(identity)
  }
}
