/// The publishes after which observers are read: more than one at the end of a batch. An object, which
/// all deliveries that follow share.
package final class PublishGroup: Sendable {
  /// The number of the first publish's event, and its cause.
  private let first: (event: Int, cause: PublishCause)
  private let others: [StoreTimeline.PublishReference]
  /// The time of the events of the deliveries.
  let time: Duration

  init(event: Int, cause: PublishCause, at time: Duration) {
    first = (event, cause)
    others = []
    self.time = time
  }

  /// The group of the publishes of several groups; `nil` without any.
  init?(_ groups: [PublishGroup], at time: Duration) {
    guard let group = groups.first else { return nil }
    first = group.first
    others = groups.dropFirst().flatMap(\.references)
    self.time = time
  }

  /// The publishes, in their order.
  package var references: [StoreTimeline.PublishReference] {
    [.init(event: first.event, cause: first.cause.cause)] + others
  }
}
