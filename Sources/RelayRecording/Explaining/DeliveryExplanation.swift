public import RelayStore

/// A snapshot that an observer of a fragment was delivered, and why.
public struct DeliveryExplanation: Sendable, Hashable {
  /// The number of the event in the timeline; see ``StoreTimeline/Event/id``.
  public let event: Int
  /// The number of the observer; see ``StoreTimeline/Observer/id``.
  public let observer: Int
  /// The publishes, and the fields that differ from the snapshot before.
  public let cause: SnapshotCause
}

extension DeliveryExplanation: CustomStringConvertible {
  /// The cause on one line; see ``SnapshotCause/description``.
  public var description: String { cause.description }
}

extension StoreQuestion where Answer == [DeliveryExplanation] {
  /// Asks which snapshots the observers of a fragment were delivered, and why. The newest comes first.
  ///
  /// Observers of the same fragment and record whose variables lead to other fields are others.
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
  /// Whether it is the read of a fragment from a record.
  func isOf(_ id: DataID, _ plan: BoundPlan) -> Bool {
    reader.record.storage.id == id && reader.plan.readsSameFields(as: plan)
  }
}
