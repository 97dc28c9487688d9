public import RelayStore

/// A publish that was not delivered to the observers of a fragment, and the reason.
public struct NonDeliveryExplanation: Sendable, Hashable {
  /// The reason why a publish was not delivered.
  public enum Reason: Sendable, Hashable {
    /// The fragment was read again, and its value is equal. The changed fields are in records that
    /// it depends on, but the fragment does not select them or reads equal values.
    case equal(changed: [StoreTimeline.RecordChange])
    /// The fragment was read again, and its value is equal. The publish changed more records than a
    /// timeline lists, so the changes of the records that the fragment depends on are unknown.
    case equalWithoutChanges
    /// The fragment was observed, but the publish changed no record that it depends on.
    case notRead
    /// The fragment had no observer at the time of the publish. Considers at least the last 5,000
    /// ended observers.
    case notObserved
  }

  /// The publish.
  public let publish: StoreTimeline.PublishReference
  /// The reason.
  public let reason: Reason
}

extension NonDeliveryExplanation: CustomStringConvertible {
  /// The explanation on one line: `local update (event 7): no record that it depends on has
  /// changed`.
  public var description: String { "\(publish): \(reason)" }
}

extension NonDeliveryExplanation.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    let equal = "it was read again, and its value is equal"
    switch self {
    case .equal(let changed):
      return ([equal] + changed.map(\.words)).joined(separator: "; ")
    case .equalWithoutChanges:
      return "\(equal); the publish changed too many records to list what changed"
    case .notRead: return "no record that it depends on has changed"
    case .notObserved: return "it had no observers"
    }
  }
}

extension StoreTimeline.RecordChange {
  /// The change in words: `Todo "1" changed: text, isDone`.
  fileprivate var words: String {
    let subject = [typeName, "\"\(record)\""].compactMap(\.self).joined(separator: " ")
    let names = fields.compactMap(\.field)
    return "\(subject) \(kind.rawValue)" + (names.isEmpty ? "" : ": ")
      + names.joined(separator: ", ")
  }
}

extension StoreQuestion where Explanation == [NonDeliveryExplanation] {
  /// Asks which recorded publishes were not delivered to the observers of a fragment, and why;
  /// newest first.
  ///
  /// An observer of the same fragment and record does not count if its variables select other
  /// fields.
  public static func notDelivered<Fragment>(_ fragment: FragmentRef<Fragment>) -> StoreQuestion {
    StoreQuestion { environment throws(RelayError) in
      let (id, scope) = try fragment.questionTarget
      let recorded = try environment.store.questionRecorder.contents
      return environment.store.state.withLock { state in
        let plan = state.bind(Fragment.__plan, in: scope)
        let renderer = TimelineRenderer(state.source, .none, lastDrop: recorded.lastDrop)
        var search = NonDeliverySearch(
          id: id, plan: plan, observers: state.observerLives(of: id, plan), renderer: renderer)
        return search.explanations(in: recorded.events)
      }
    }
  }
}

extension StoreState {
  /// Returns the live and the ended observers of a fragment.
  fileprivate mutating func observerLives(
    of id: DataID, _ plan: BoundPlan
  ) -> [NonDeliverySearch.Life] {
    let index = source.index(of: id)
    let live = observers.observers.compactMap(\.self).filter {
      $0.record == index && $0.plan.readsSameFields(as: plan)
    }
    let ended = (recording?.ended ?? []).filter {
      $0.record == id && $0.plan.readsSameFields(as: plan)
    }
    return live.map { .init(ordinal: $0.ordinal, end: nil) }
      + ended.map { .init(ordinal: $0.ordinal, end: $0.end) }
  }
}

/// The search for publishes that were not delivered to the observers of a fragment.
private struct NonDeliverySearch {
  /// The lifetime of an observer: the number of its registration, and the moment of its end.
  struct Life {
    let ordinal: UInt64
    let end: ObserverTable.Moment?

    /// Returns whether the observer could be notified of a publish made at `moment`.
    func includes(_ moment: ObserverTable.Moment) -> Bool {
      ordinal <= moment.ordinal && (end.map { $0.pass > moment.pass } ?? true)
    }
  }

  let id: DataID
  let plan: BoundPlan
  let observers: [Life]
  var renderer: TimelineRenderer

  mutating func explanations(
    in events: [(id: Int, event: TracedEvent)]
  ) -> [NonDeliveryExplanation] {
    var delivered: Set<Int> = []
    var read: [Int: DeliveryCause] = [:]
    var found: [NonDeliveryExplanation] = []
    // Reversed, because the deliveries of a publish come after it.
    for (number, event) in events.reversed() {
      switch event.content {
      case .delivery(let delivery) where delivery.isOf(id, plan):
        for publish in delivery.publishes {
          if delivery.isDelivered { delivered.insert(publish.event) }
          read[publish.event] = delivery
        }
      case .publish(let publish) where !delivered.contains(number):
        found.append(
          NonDeliveryExplanation(
            publish: .init(
              event: number, cause: publish.cause.timelineCause, endedLayers: [], isWritten: true),
            reason: reason(for: publish, event: number, read: read[number])))
      default: break
      }
    }
    return found
  }

  private mutating func reason(
    for publish: TracedPublish, event: Int, read delivery: DeliveryCause?
  ) -> NonDeliveryExplanation.Reason {
    guard let delivery else {
      return observers.contains { $0.includes(publish.moment) } ? .notRead : .notObserved
    }
    var changed: [StoreTimeline.RecordChange] = []
    let seen = delivery.seen
    for change in publish.changes where seen.contains(change.index) {
      changed.append(renderer.change(change, event: event).withoutValues)
    }
    let isListed = publish.changes.count == publish.changedCount
    return changed.isEmpty && !isListed ? .equalWithoutChanges : .equal(changed: changed)
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
