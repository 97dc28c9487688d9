/// The cause of a publish, as it is passed to the store: one reference, which is `nil` unless a timeline
/// is recorded.
package final class PublishCause: Sendable {
  /// The kind of a cause, with the raw value that it has in a timeline.
  package enum Kind: String, Sendable {
    case response, payload, update, optimisticUpdate, revert, load, reset, liveField, other
  }

  package let kind: Kind
  /// The name of the operation whose response or payload is written.
  package let operation: String?
  /// The number of the request in the timeline.
  package let request: Int?

  init(_ kind: Kind, operation: String? = nil, request: Int? = nil) {
    (self.kind, self.operation, self.request) = (kind, operation, request)
  }

  /// Whether it says itself that optimistic updates end.
  var isEnd: Bool {
    switch kind {
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
