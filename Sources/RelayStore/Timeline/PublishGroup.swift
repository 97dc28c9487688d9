/// The publishes after which observers are read: more than one at the end of a batch. An object, which
/// all deliveries that follow share.
final class PublishGroup: Sendable {
  /// One publish.
  struct Member: Sendable {
    /// The number of its event.
    let event: Int
    let cause: PublishCause
    /// The records that it has changed, where they decide what it means for an observer; `nil` for a
    /// publish that concerns all observers that are read after it, in the same way.
    let extent: PublishExtent?
  }

  /// The largest number of publishes of a consumer that has skipped deliveries.
  private static let limit = 100

  private let first: Member
  private let others: [Member]
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

  /// Returns the publishes that have changed what an observer depends on, in their order; all of them
  /// if none has, so that a read is never without a cause.
  ///
  /// - Parameter seen: Returns the records that the observer depends on. It is called only if they
  ///   decide.
  /// - Complexity: O(*n*) in the records that the publishes of a batch have changed.
  func references(seen: () -> RecordList) -> [StoreTimeline.PublishReference] {
    if others.isEmpty, first.extent == nil { return [first.reference(nil)] }
    let (records, publishes) = (seen(), [first] + others)
    let parts = publishes.map { $0.extent?.part(of: records) }
    let isConcerned = parts.map { $0?.isEmpty != true }
    let concernsAll = !isConcerned.contains(true)
    return publishes.indices.filter { isConcerned[$0] || concernsAll }
      .map { publishes[$0].reference(parts[$0]) }
  }
}

extension PublishGroup.Member {
  fileprivate func reference(_ part: PublishExtent.Part?) -> StoreTimeline.PublishReference {
    StoreTimeline.PublishReference(
      event: event, cause: cause.cause,
      endedLayers: part?.endedLayers.map { Int(clamping: $0) } ?? [],
      isWritten: part.map { $0.isWritten || $0.endedLayers.isEmpty } ?? true)
  }
}
