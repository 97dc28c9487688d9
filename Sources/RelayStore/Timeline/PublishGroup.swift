/// The publishes followed by one read of the observers; more than one at the end of a batch. A
/// class, so that all resulting deliveries share it.
package final class PublishGroup: Sendable {
  /// One publish.
  package struct Member: Sendable {
    /// The number of the publish's event.
    package let event: Int
    package let cause: PublishCause
    /// The changed records, which decide which observers the publish concerns; `nil` if it concerns
    /// all observers read after it in the same way.
    package let extent: PublishExtent?
  }

  /// The maximum number of publishes held for a consumer that skips deliveries.
  private static let limit = 100

  private let first: Member
  private let others: [Member]
  /// The publishes in order.
  package var members: [Member] { [first] + others }
  /// The time of the delivery events.
  let time: Duration

  convenience init(_ publish: Member, at time: Duration) { self.init(publish, [], at: time) }

  /// Creates the group of the publishes of several groups; `nil` if `groups` is empty.
  convenience init?(_ groups: [PublishGroup], at time: Duration) {
    guard let group = groups.first else { return nil }
    self.init(
      group.first, group.others + groups.dropFirst().flatMap { [$0.first] + $0.others }, at: time)
  }

  /// Returns a group that starts with the publishes of a skipped delivery. Beyond `limit` publishes
  /// the oldest are dropped, so a consumer that never receives does not accumulate them.
  func including(_ skipped: PublishGroup) -> PublishGroup {
    let all = ([skipped.first] + skipped.others + [first] + others).suffix(Self.limit)
    return PublishGroup(all.first ?? first, Array(all.dropFirst()), at: time)
  }

  private init(_ first: Member, _ others: [Member], at time: Duration) {
    self.first = first
    self.others = others
    self.time = time
  }
}
