public import RelayStore

/// A snapshot delivered to an observer of a fragment, and the reason.
public struct DeliveryExplanation: Sendable, Hashable {
  /// The number of the event in the timeline; see ``StoreTimeline/Event/id``.
  public let event: Int
  /// The number of the observer; see ``StoreTimeline/Observer/id``.
  public let observer: Int
  /// The publishes, and the fields that differ from the previous snapshot.
  public let cause: SnapshotCause
}

extension DeliveryExplanation: CustomStringConvertible {
  /// The cause on one line; see ``SnapshotCause/description``.
  public var description: String { cause.description }
}

extension StoreQuestion where Explanation == [DeliveryExplanation] {
  /// Asks which snapshots were delivered to the observers of a fragment, and why; newest first.
  ///
  /// An observer of the same fragment and record does not count if its variables select other
  /// fields.
  public static func delivered<Fragment>(_ fragment: FragmentRef<Fragment>) -> StoreQuestion {
    StoreQuestion { environment throws(RelayError) in
      let (id, scope) = try fragment.questionTarget
      let events = try environment.store.questionRecorder.contents.events
      let plan = environment.store.state.withLock { $0.bind(Fragment.__plan, in: scope) }
      return events.reversed().compactMap { number, event in
        guard case .delivery(let delivery) = event.content, delivery.isDelivered,
          delivery.isOf(id, plan)
        else { return nil }
        return DeliveryExplanation(
          event: number, observer: Int(clamping: delivery.reader.observer),
          cause: SnapshotCause(delivery))
      }
    }
  }
}

extension DeliveryCause {
  /// Returns whether this is a read of the plan's fragment from the record.
  func isOf(_ id: DataID, _ plan: BoundPlan) -> Bool {
    reader.record.box.id == id && reader.plan.readsSameFields(as: plan)
  }
}
