/// An event as it is recorded: references to immutable objects, rendered when a timeline is read.
///
/// Each content is one object, so that an event is copied by one retain.
package struct RecordedEvent: Sendable {
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
  package let time: Duration
  package let content: Content
  /// The estimated size, with the objects that only the event keeps alive.
  let byteCount: Int
}

/// A read that has found that data is missing.
package final class RecordedMissing: Sendable {
  package let owner: String
  package let record: DataID
  package let paths: [ResponsePath]

  init(owner: String, record: DataID, paths: [ResponsePath]) {
    self.owner = owner
    self.record = record
    self.paths = paths
  }
}

/// A garbage collection that has ended.
package final class RecordedCollection: Sendable {
  package let collected: Int
  package let kept: Int
  package let slices: Int
  /// The time that the slices took.
  package let duration: Duration
  /// The time from the first slice to the last.
  package let span: Duration
  /// The ids of collected records.
  package let ids: [DataID]

  init(
    collected: Int, kept: Int, slices: Int, duration: Duration, span: Duration, ids: [DataID]
  ) {
    (self.collected, self.kept, self.slices) = (collected, kept, slices)
    (self.duration, self.span, self.ids) = (duration, span, ids)
  }
}

/// An event that has a line of text only.
package final class RecordedNote: Sendable {
  package let event: StoreEvent

  init(_ event: StoreEvent) { self.event = event }
}

/// A change of the number of an operation's retentions.
package final class RecordedRetention: Sendable {
  package let operation: String
  package let variables: JSONObject
  package let isRetained: Bool
  package let count: Int

  init(_ identity: RequestIdentity, isRetained: Bool, count: Int) {
    operation = identity.name
    variables = identity.variables
    self.isRetained = isRetained
    self.count = count
  }
}

/// The state of a request when an event of it was recorded.
package final class RecordedRequest: Sendable {
  /// The moment that the event reports, with the raw value that it has in a timeline.
  package enum Phase: String, Sendable { case sent, received, ended, answeredByStore }

  /// The figures of a request so far.
  package struct Progress: Sendable {
    package var timings = OperationTimings()
    package var responses = 0
    package var bytes = 0
    /// The number of GraphQL errors so far, and the messages of the first hundred.
    package var errorCount = 0
    package var errorMessages: [String] = []
  }

  package let number: Int
  package let phase: Phase
  package let operation: String
  package let kind: OperationKind
  package let progress: Progress
  package let outcome: OperationOutcome?
  package let error: RelayError?
  package let traceParent: String?
  package let variables: JSONObject
  /// The plan of the operation, and the record that its data belongs to.
  package let plan: BoundPlan
  package let root: DataID

  init(
    number: Int, phase: Phase, _ operation: WrittenOperation, variables: JSONObject,
    _ kind: OperationKind, _ progress: Progress, outcome: OperationOutcome?, error: RelayError?,
    traceParent: String?
  ) {
    (self.number, self.phase, self.kind, self.progress) = (number, phase, kind, progress)
    (self.outcome, self.error, self.traceParent) = (outcome, error, traceParent)
    (self.operation, self.variables) = (operation.identity.name, variables)
    (plan, root) = (operation.plan, operation.root)
  }
}
