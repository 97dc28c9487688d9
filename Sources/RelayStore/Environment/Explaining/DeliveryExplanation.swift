/// A snapshot that an observer of a fragment was delivered, and why.
public struct DeliveryExplanation: Sendable, Hashable {
  /// The number of the event in the timeline; see ``StoreTimeline/Event/id``.
  public let event: Int
  /// The number of the observer; see ``StoreTimeline/Observer/id``.
  public let observer: Int
  /// The publishes, and the fields that differ from the snapshot before.
  public let cause: SnapshotCause
}

/// A publish that was not delivered to the observers of a fragment, and why.
public struct NonDeliveryExplanation: Sendable, Hashable {
  /// The reason for which a publish was not delivered.
  public enum Reason: Sendable, Hashable {
    /// The fragment was read again, and its value is equal. The fields have changed in records that
    /// it depends on: it does not select them, or reads equal values.
    case equal(changed: [StoreTimeline.RecordChange])
    /// No changed record is among those that an observer of the fragment depends on, or there was no
    /// observer.
    case notRead
  }

  /// The publish.
  public let publish: StoreTimeline.PublishReference
  /// The reason.
  public let reason: Reason
}

extension StoreQuestion where Answer == [DeliveryExplanation] {
  /// Asks which snapshots the observers of a fragment were delivered, and why. The newest comes first.
  public static func delivered<Fragment>(_ fragment: FragmentRef<Fragment>) -> StoreQuestion {
    StoreQuestion { environment throws(RelayError) in
      let id = try fragment.questionTarget.id
      let events = try environment.store.questionRecorder.contents.events
      return events.reversed().compactMap { number, event in
        guard case .delivery(let delivery) = event.content, delivery.isDelivered,
          delivery.isOf(id, Fragment.__plan)
        else { return nil }
        return DeliveryExplanation(
          event: number, observer: Int(clamping: delivery.reader.observer),
          cause: SnapshotCause(delivery))
      }
    }
  }
}

extension StoreQuestion where Answer == [NonDeliveryExplanation] {
  /// Asks which recorded publishes were not delivered to the observers of a fragment, and why. The newest
  /// comes first.
  public static func notDelivered<Fragment>(_ fragment: FragmentRef<Fragment>) -> StoreQuestion {
    StoreQuestion { environment throws(RelayError) in
      let id = try fragment.questionTarget.id
      let recorded = try environment.store.questionRecorder.contents
      return environment.store.state.withLock { state in
        var renderer = TimelineRenderer(
          state.source, isRedacted: false, lastDrop: recorded.lastDrop)
        return NonDeliveryExplanation.all(in: recorded.events, of: id, Fragment.__plan, &renderer)
      }
    }
  }
}

extension NonDeliveryExplanation {
  fileprivate static func all(
    in events: [(id: Int, event: RecordedEvent)], of id: DataID, _ plan: SelectionPlan,
    _ renderer: inout TimelineRenderer
  ) -> [NonDeliveryExplanation] {
    var delivered: Set<Int> = []
    var read: [Int: DeliveryCause] = [:]
    var found: [NonDeliveryExplanation] = []
    // The deliveries of a publish come after it, so they are met first.
    for (number, event) in events.reversed() {
      switch event.content {
      case .delivery(let delivery) where delivery.isOf(id, plan):
        for publish in delivery.publishes {
          if delivery.isDelivered { delivered.insert(publish.event) }
          read[publish.event] = delivery
        }
      case .publish(let publish) where !delivered.contains(number):
        let reference = StoreTimeline.PublishReference(event: number, cause: publish.cause.cause)
        guard let delivery = read[number] else {
          found.append(NonDeliveryExplanation(publish: reference, reason: .notRead))
          continue
        }
        var changed: [StoreTimeline.RecordChange] = []
        let seen = RecordList(delivery.first.new.seen)
        for change in publish.changes where seen.contains(change.index) {
          changed.append(renderer.change(change, event: number).withoutValues)
        }
        found.append(NonDeliveryExplanation(publish: reference, reason: .equal(changed: changed)))
      default: break
      }
    }
    return found
  }
}

extension StoreTimeline.RecordChange {
  /// The change without the values of its fields.
  fileprivate var withoutValues: StoreTimeline.RecordChange {
    var change = self
    for position in fields.indices {
      (change.fields[position].before, change.fields[position].after) = (nil, nil)
    }
    return change
  }
}

extension DeliveryCause {
  /// Whether it is the read of a fragment from a record.
  fileprivate func isOf(_ id: DataID, _ plan: SelectionPlan) -> Bool {
    reader.record.storage.id == id && owner == plan.owner
  }
}
