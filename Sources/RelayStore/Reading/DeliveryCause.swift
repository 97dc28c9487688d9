/// The reason for which a snapshot was delivered, while the store records a timeline: the publishes,
/// and the data before and after.
///
/// The differences are found when they are asked for. An object, so that a snapshot holds one
/// reference. What a timeline has of a delivery is a subclass, so that both are one object.
///
/// `@unchecked Sendable`: all properties are constants of `Sendable` types, also those of subclasses.
package class DeliveryCause: @unchecked Sendable {
  /// The data of one record before and after. A list of fragments has several.
  package struct Part: Sendable {
    /// The index in the list of fragments; `nil` for a single one.
    let position: Int?
    let old: RowSnapshot
    let new: RowSnapshot
  }

  let publishes: PublishGroup
  let first: Part
  private let others: [Part]

  init(_ publishes: PublishGroup, _ old: RowSnapshot, _ new: RowSnapshot) {
    self.publishes = publishes
    first = Part(position: nil, old: old, new: new)
    others = []
  }

  private init(_ publishes: PublishGroup, _ parts: [Part], first: Part) {
    self.publishes = publishes
    self.first = first
    others = parts
  }

  /// Returns the cause for a list of fragments, one of which has this cause.
  ///
  /// - Parameter other: The cause of the fragments before it.
  func atElement(_ position: Int, appendedTo other: DeliveryCause?) -> DeliveryCause {
    let part = Part(position: position, old: first.old, new: first.new)
    guard let other else { return DeliveryCause(publishes, [], first: part) }
    return DeliveryCause(publishes, other.others + [part], first: other.first)
  }

  /// The largest number of changes that are listed.
  package static let changeLimit = 100

  /// Returns the differences, at most ``changeLimit``.
  ///
  /// - Complexity: O(*n*) in the fields of the rows that are not shared by both snapshots.
  package func changes(
    includingValues includesValues: Bool = false
  ) -> [StoreTimeline.FieldChange] {
    var difference = SnapshotDifference(
      limit: Self.changeLimit, includesValues: includesValues)
    for part in [first] + others {
      difference.compare(part.old, part.new, under: part.position.map { [.index($0)] } ?? [])
    }
    return difference.changes
  }
}

/// Why a snapshot was delivered: which publish has changed which field of which record.
public struct SnapshotCause: Sendable, Hashable, Codable {
  /// The publishes that have changed a record that the data depends on: more than one after a batch.
  public let publishes: [StoreTimeline.PublishReference]
  /// The fields in which the data differs from the snapshot before, at most 100, without values.
  public let changes: [StoreTimeline.FieldChange]

  package init(_ cause: DeliveryCause) {
    publishes = cause.publishes.references
    changes = cause.changes()
  }
}

extension SnapshotCause: CustomStringConvertible {
  /// The cause on one line: `response to FeedQuery (event 7): feed[0].text: text of Todo "1"`.
  public var description: String {
    publishes.map { "\($0.cause) (event \($0.event))" }.joined(separator: ", ") + ": "
      + changes.map(\.description).joined(separator: ", ")
  }
}
