/// An event in a timeline: references to immutable objects, rendered when the timeline is read.
///
/// Each content is one reference, so copying an event costs one retain.
package struct TracedEvent: Sendable {
  package enum Content: Sendable {
    case publish(TracedPublish)
    case delivery(DeliveryCause)
    indirect case request(TracedRequest)
    indirect case missing(TracedMissing)
    indirect case retention(TracedRetention)
    indirect case garbageCollection(TracedCollection)
    /// An event that a timeline shows only as a line.
    indirect case note(StoreEvent)
  }

  /// The time since the store was created.
  package let time: Duration
  package let content: Content
  /// The estimated size, including objects that only the event keeps alive.
  let byteCount: Int
}

/// A read that found missing data.
package struct TracedMissing: Sendable {
  package let owner: String
  package let record: DataID
  package let paths: [ResponsePath]
}

/// A garbage collection that has ended.
package struct TracedCollection: Sendable {
  package let collected: Int
  package let retained: Int
  package let slices: Int
  /// The total time of the slices.
  package let duration: Duration
  /// The time from the first slice to the last.
  package let span: Duration
  /// The ids of collected records.
  package let ids: [DataID]
}

/// A change in the number of an operation's retentions.
package struct TracedRetention: Sendable {
  package let identity: RequestIdentity
  package let isRetained: Bool
  package let count: Int
}

/// The state of a request at one of its events.
package struct TracedRequest: Sendable {
  /// The moment that the event reports, with its raw value in a timeline.
  package enum Phase: String, Sendable { case sent, received, ended, servedByStore }

  /// The current figures of a request.
  package struct Progress: Sendable {
    package var timings = OperationTimings()
    package var responses = 0
    package var bytes = 0
    /// The current number of GraphQL errors, and the first hundred of them.
    package var errorCount = 0
    package var errors: [GraphQLError] = []
    /// The last response: its first bytes, and the number of all its bytes; `nil` once an event has
    /// it.
    package var response: (recorded: [UInt8], byteCount: Int)?
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
  /// The document; empty if generated code has only its id.
  package let text: String
}
