/// An event as it is recorded: references to immutable objects, rendered when a timeline is read.
///
/// Each content is one object, so that an event is copied by one retain.
struct RecordedEvent: Sendable {
  package enum Content: Sendable {
    case publish(RecordedPublish)
    case delivery(DeliveryCause)
    case request(RecordedRequest)
    case missing(RecordedMissing)
    case retention(RecordedRetention)
    case garbageCollection(RecordedCollection)
    case note(RecordedNote)
  }

  /// The time since the store was created.
  let time: Duration
  let content: Content
  /// The estimated size, with the objects that only the event keeps alive.
  let byteCount: Int
}

/// A read that has found that data is missing.
final class RecordedMissing: Sendable {
  let owner: String
  let record: DataID
  let paths: [ResponsePath]

  init(owner: String, record: DataID, paths: [ResponsePath]) {
    self.owner = owner
    self.record = record
    self.paths = paths
  }
}

/// A garbage collection that has ended.
final class RecordedCollection: Sendable {
  let collection: StoreTimeline.GarbageCollection

  init(_ collection: StoreTimeline.GarbageCollection) { self.collection = collection }
}

/// An event that has a line of text only.
final class RecordedNote: Sendable {
  let event: StoreEvent

  init(_ event: StoreEvent) { self.event = event }
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
