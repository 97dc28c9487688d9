/// The publishes after which observers are read: more than one at the end of a batch. An object, which
/// all deliveries that follow share.
package final class PublishGroup: Sendable {
  /// One publish.
  package struct Member: Sendable {
    /// The number of its event.
    package let event: Int
    package let cause: PublishCause
    /// The records that it has changed, where they decide what it means for an observer; `nil` for a
    /// publish that concerns all observers that are read after it, in the same way.
    package let extent: PublishExtent?
  }

  /// The largest number of publishes of a consumer that has skipped deliveries.
  private static let limit = 100

  private let first: Member
  private let others: [Member]
  /// The publishes, in their order.
  package var members: [Member] { [first] + others }
  /// The time of the events of the deliveries.
  let time: Duration

  convenience init(_ publish: Member, at time: Duration) { self.init(publish, [], at: time) }

  /// The group of the publishes of several groups; `nil` without any.
  convenience init?(_ groups: [PublishGroup], at time: Duration) {
    guard let group = groups.first else { return nil }
    self.init(
      group.first, group.others + groups.dropFirst().flatMap { [$0.first] + $0.others }, at: time)
  }

  /// Returns a group that begins with the publishes of a skipped delivery. The oldest are dropped above a
  /// hundred, so that a consumer that never receives anything does not collect them.
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
