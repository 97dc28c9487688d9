/// An event as it is recorded: references to immutable objects, rendered when a timeline is read.
///
/// Each content is one reference, so that an event is copied by one retain.
package struct RecordedEvent: Sendable {
  package enum Content: Sendable {
    case publish(RecordedPublish)
    case delivery(DeliveryCause)
    indirect case request(RecordedRequest)
    indirect case missing(RecordedMissing)
    indirect case retention(RecordedRetention)
    indirect case garbageCollection(RecordedCollection)
    /// An event that has a line of text only.
    indirect case note(StoreEvent)
  }

  /// The time since the store was created.
  package let time: Duration
  package let content: Content
  /// The estimated size, with the objects that only the event keeps alive.
  let byteCount: Int
}

/// A read that has found that data is missing.
package struct RecordedMissing: Sendable {
  package let owner: String
  package let record: DataID
  package let paths: [ResponsePath]
}

/// A garbage collection that has ended.
package struct RecordedCollection: Sendable {
  package let collected: Int
  package let kept: Int
  package let slices: Int
  /// The time that the slices took.
  package let duration: Duration
  /// The time from the first slice to the last.
  package let span: Duration
  /// The ids of collected records.
  package let ids: [DataID]
}

/// A change of the number of an operation's retentions.
package struct RecordedRetention: Sendable {
  package let identity: RequestIdentity
  package let isRetained: Bool
  package let count: Int
}

/// The state of a request when an event of it was recorded.
package struct RecordedRequest: Sendable {
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
  package let operation: WrittenOperation
  package let kind: OperationKind
  package let progress: Progress
  package let outcome: OperationOutcome?
  package let error: RelayError?
  package let traceParent: String?
  package let variables: JSONObject
}
