/// The read of an observer after publishes, while the store records a timeline: the reason for which
/// its snapshot was delivered, or was not.
///
/// The differences are found when they are asked for. One object serves the timeline and the
/// snapshot, which holds one reference.
package final class DeliveryCause: Sendable {
  /// The data of one record before and after. A list of fragments has several.
  package struct Part: Sendable {
    /// The index in the list of fragments; `nil` for a single one.
    let position: Int?
    let old: RowSnapshot
    let new: RowSnapshot
  }

  /// The observer of one record.
  struct Reader: Sendable {
    let observer: UInt64
    let plan: BoundPlan
    /// The record that is read, for its id.
    let record: Record
    /// The first changed record that the observer depends on.
    let trigger: Record?
    let triggerIndex: RecordIndex
  }

  let reader: Reader
  private let group: PublishGroup
  let isDelivered: Bool
  let first: Part
  private let others: [Part]

  init(
    _ reader: Reader, after publishes: PublishGroup, old: RowSnapshot, new: RowSnapshot,
    isDelivered: Bool
  ) {
    self.reader = reader
    group = publishes
    self.isDelivered = isDelivered
    first = Part(position: nil, old: old, new: new)
    others = []
  }

  private init(
    _ cause: DeliveryCause, after group: PublishGroup? = nil, first: Part, others: [Part]
  ) {
    reader = cause.reader
    self.group = group ?? cause.group
    isDelivered = cause.isDelivered
    self.first = first
    self.others = others
  }

  /// Returns the cause for a list of fragments, one of which has this cause.
  ///
  /// - Parameter other: The cause of the fragments before it.
  func atElement(_ position: Int, appendedTo other: DeliveryCause?) -> DeliveryCause {
    let part = Part(position: position, old: first.old, new: first.new)
    guard let other else { return DeliveryCause(self, first: part, others: []) }
    return DeliveryCause(other, first: other.first, others: other.others + [part])
  }

  /// Returns the cause of the way from the data before a skipped snapshot to the data of this one.
  ///
  /// - Parameter skipped: The cause of the snapshot that a consumer was not given because of this one.
  func including(_ skipped: DeliveryCause) -> DeliveryCause {
    var parts: [Int?: Part] = [:]
    for part in [skipped.first] + skipped.others + [first] + others {
      let old = parts[part.position]?.old ?? part.old
      parts[part.position] = Part(position: part.position, old: old, new: part.new)
    }
    let sorted = parts.values.sorted { ($0.position ?? 0) < ($1.position ?? 0) }
    return DeliveryCause(
      self, after: group.including(skipped.group), first: sorted.first ?? first,
      others: Array(sorted.dropFirst()))
  }

  /// The definition whose data is read.
  var owner: String { reader.plan.plan.owner }

  /// The publishes that have changed a record that the data depends on, before or after.
  ///
  /// - Complexity: O(*n*) in the records that the publishes of a batch have changed, and in those that
  ///   the data depends on; O(1) for a single publish.
  package var publishes: [StoreTimeline.PublishReference] {
    group.references { seen }
  }

  /// The records that the data depends on, before or after, and the one that caused the read.
  var seen: RecordList {
    var seen = RecordList([reader.triggerIndex].filter { $0 != .none })
    for part in [first] + others {
      part.old.seen.forEach { seen.insert($0) }
      part.new.seen.forEach { seen.insert($0) }
    }
    return seen
  }

  /// The largest number of changes that are listed.
  static let changeLimit = 100

  /// Returns the differences, at most ``changeLimit``.
  ///
  /// - Complexity: O(*n*) in the fields of the rows that are not shared by both snapshots.
  package func changes() -> [StoreTimeline.FieldChange] {
    var difference = SnapshotDifference(limit: Self.changeLimit, values: .none)
    for part in [first] + others {
      difference.compare(part.old, part.new, under: part.position.map { [.index($0)] } ?? [])
    }
    return difference.changes
  }
}

/// Why a snapshot was delivered: which publish has changed which field of which record.
public struct SnapshotCause: Sendable, Hashable, Codable {
  /// The publishes that have changed a record that the data depends on: more than one after a batch, and
  /// for a consumer that has skipped snapshots; of those that it has skipped, the last 100.
  public let publishes: [StoreTimeline.PublishReference]
  /// The fields in which the data differs from the snapshot before, at most 100, without values.
  public let changes: [StoreTimeline.FieldChange]

  package init(_ cause: DeliveryCause) {
    publishes = cause.publishes
    changes = cause.changes()
  }
}

extension SnapshotCause: CustomStringConvertible {
  /// The cause on one line: `response to FeedQuery (event 7): feed[0].text: text of Todo "1"`.
  public var description: String {
    publishes.map(\.description).joined(separator: ", ") + ": "
      + changes.map(\.description).joined(separator: ", ")
  }
}
