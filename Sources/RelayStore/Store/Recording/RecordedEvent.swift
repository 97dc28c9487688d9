/// An event as it is recorded: references to immutable objects, rendered when a timeline is read.
struct RecordedEvent: Sendable {
  enum Content: Sendable {
    case publish(RecordedPublish)
    case delivery(RecordedDelivery)
    case request(RecordedRequest)
    case missing(owner: String, record: DataID, paths: [ResponsePath])
    case retention(RecordedRetention)
    case garbageCollection(StoreTimeline.GarbageCollection)
    case note(StoreEvent)
  }

  /// The number of the event: 1 for the first, then one more for each.
  let id: Int
  /// The time since the store was created.
  let time: Duration
  let content: Content
  /// The estimated size, with the objects that only the event keeps alive.
  let byteCount: Int
}

/// The changes of one publish.
final class RecordedPublish: Sendable {
  /// A changed record.
  struct Change: Sendable {
    let index: RecordIndex
    /// The record before; `nil` if it did not exist.
    let old: Record?
    let new: Record
  }

  let cause: StoreTimeline.Cause
  let revision: UInt64
  /// The number of changed records, of which ``changes`` has the first ones.
  let changedCount: Int
  let changes: [Change]
  let addedLayers: [UInt64]
  let removedLayers: [UInt64]

  /// The largest number of changes that are recorded.
  static let changeLimit = 1_000

  init(
    cause: StoreTimeline.Cause, revision: UInt64, changedCount: Int, changes: [Change],
    addedLayers: [UInt64], removedLayers: [UInt64]
  ) {
    self.cause = cause
    self.revision = revision
    self.changedCount = changedCount
    self.changes = changes
    self.addedLayers = addedLayers
    self.removedLayers = removedLayers
  }

  var byteCount: Int {
    changes.reduce(256) { $0 + 48 + ($1.old?.storage.byteCount ?? 0) }
  }
}

/// The read of one observer.
final class RecordedDelivery: Sendable {
  let observer: UInt64
  let owner: String
  /// The record that is read, for its id.
  let record: Record
  let publishes: [StoreTimeline.PublishReference]
  /// The first changed record that the observer depends on.
  let trigger: Record?
  let old: RowSnapshot
  let new: RowSnapshot
  let isDelivered: Bool

  init(
    observer: UInt64, owner: String, record: Record, publishes: [StoreTimeline.PublishReference],
    trigger: Record?, old: RowSnapshot, new: RowSnapshot, isDelivered: Bool
  ) {
    self.observer = observer
    self.owner = owner
    self.record = record
    self.publishes = publishes
    self.trigger = trigger
    self.old = old
    self.new = new
    self.isDelivered = isDelivered
  }

  /// The size of the row before, whose lists share all chunks but the changed ones with the row
  /// after: two chunks are assumed for each list.
  var byteCount: Int {
    guard let row = old.row, isDelivered else { return 256 }
    return 384 + row.layout.storedCount * (row.plan.hasLists ? 2_048 : 64)
  }
}

/// A change of the number of an operation's retentions.
final class RecordedRetention: Sendable {
  let operation: String
  let variables: JSONObject
  let isRetained: Bool
  let count: Int

  init(_ identity: RequestIdentity, isRetained: Bool, count: Int) {
    operation = identity.name
    variables = identity.variables
    self.isRetained = isRetained
    self.count = count
  }
}

/// The state of a request when an event of it was recorded.
final class RecordedRequest: Sendable {
  let request: StoreTimeline.Request
  let variables: JSONObject
  /// The plan of the operation, and the record that its data belongs to.
  let plan: BoundPlan
  let root: DataID

  init(_ request: StoreTimeline.Request, variables: JSONObject, plan: BoundPlan, root: DataID) {
    self.request = request
    self.variables = variables
    self.plan = plan
    self.root = root
  }
}

extension RecordStorage {
  /// The size of the record's allocation in bytes.
  fileprivate var byteCount: Int { 64 + capacity * MemoryLayout<FieldCell>.stride }
}
