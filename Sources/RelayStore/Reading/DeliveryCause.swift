/// One read of an observer after publishes, in a store with a timeline. It explains why the
/// observer's snapshot was delivered, or why not.
///
/// The differences are computed on demand. The timeline and the snapshot share one object, so a
/// snapshot holds one reference.
package final class DeliveryCause: Sendable {
  /// The data of one record before and after the publishes. A list of fragments has several of
  /// these.
  package struct Part: Sendable {
    /// The index in the list of fragments; `nil` for a single fragment.
    package let position: Int?
    package let old: RowSnapshot
    package let new: RowSnapshot
  }

  /// The observer of one record.
  package struct Reader: Sendable {
    package let observer: UInt64
    package let plan: BoundPlan
    /// The record read, for its id.
    package let record: Record
    /// The first changed record that the observer depends on.
    package let trigger: Record?
    let triggerIndex: RecordIndex
  }

  package let reader: Reader
  package let group: PublishGroup
  package let isDelivered: Bool
  package let first: Part
  private let others: [Part]
  /// The data of each record.
  package var parts: [Part] { [first] + others }

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

  /// Returns the cause for a list of fragments. This cause belongs to the fragment at `position`.
  ///
  /// - Parameter other: The cause of the fragments before it.
  func atElement(_ position: Int, appendedTo other: DeliveryCause?) -> DeliveryCause {
    let part = Part(position: position, old: first.old, new: first.new)
    guard let other else { return DeliveryCause(self, first: part, others: []) }
    return DeliveryCause(other, first: other.first, others: other.others + [part])
  }

  /// Returns the cause that spans the data before a skipped snapshot to the data of this one.
  ///
  /// - Parameter skipped: The cause of the snapshot that this one replaced before the consumer
  ///   received it.
  func including(_ skipped: DeliveryCause) -> DeliveryCause {
    var parts: [Int?: Part] = [:]
    for part in [skipped.first] + skipped.others + [first] + others {
      let old = parts[part.position]?.old ?? part.old
      parts[part.position] = Part(position: part.position, old: old, new: part.new)
    }
    let sorted = parts.values.sorted(byNumber: { UInt64($0.position ?? 0) })
    return DeliveryCause(
      self, after: group.including(skipped.group), first: sorted.first ?? first,
      others: Array(sorted.dropFirst()))
  }

  /// The name of the definition that is read.
  package var owner: String { reader.plan.plan.owner }

  /// The records that the data depends on, before or after, and the record that triggered the read.
  package var seen: RecordList {
    var seen = RecordList([reader.triggerIndex].filter { $0 != .none })
    for part in parts {
      part.old.seen.forEach { seen.insert($0) }
      part.new.seen.forEach { seen.insert($0) }
    }
    return seen
  }
}
