/// The cause of a publish, as it is passed to the store: one reference, which is `nil` unless a timeline
/// is recorded.
package final class PublishCause: Sendable {
  let cause: StoreTimeline.Cause

  init(_ kind: StoreTimeline.Cause.Kind, operation: String? = nil, request: Int? = nil) {
    cause = StoreTimeline.Cause(kind, operation: operation, request: request)
  }

  /// Whether it says itself that optimistic updates end.
  var isEnd: Bool {
    switch cause.kind {
    case .revert, .optimisticUpdate, .reset: true
    default: false
    }
  }

  /// The causes without an operation, of which each publish would make one otherwise.
  static let payload = PublishCause(.payload)
  static let update = PublishCause(.update)
  static let optimisticUpdate = PublishCause(.optimisticUpdate)
  static let revert = PublishCause(.revert)
  package static let load = PublishCause(.load)
  static let reset = PublishCause(.reset)
  static let liveField = PublishCause(.liveField)
  static let other = PublishCause(.other)
}
