/// The cause of a publish, as passed to the store. It is one reference, and `nil` without a
/// timeline.
package final class PublishCause: Sendable {
  /// The kind of a cause, with its raw value in a timeline.
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

  /// Whether the kind itself says that optimistic updates end.
  var isEnd: Bool {
    switch kind {
    case .revert, .optimisticUpdate, .reset: true
    default: false
    }
  }

  /// The shared causes without an operation, so that a publish does not allocate one.
  static let payload = PublishCause(.payload)
  static let update = PublishCause(.update)
  static let optimisticUpdate = PublishCause(.optimisticUpdate)
  static let revert = PublishCause(.revert)
  package static let load = PublishCause(.load)
  static let reset = PublishCause(.reset)
  static let liveField = PublishCause(.liveField)
  static let other = PublishCause(.other)
}
