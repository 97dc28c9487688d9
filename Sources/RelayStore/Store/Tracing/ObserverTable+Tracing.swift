extension ObserverTable {
  /// A moment in the life of the observers.
  package struct Moment: Sendable {
    /// The ordinal of the last registration.
    package let ordinal: UInt64
    /// The number of passes that have notified observers.
    package let pass: UInt64
  }

  /// The current moment.
  var moment: Moment { Moment(ordinal: lastOrdinal, pass: pass) }

  /// Adds an observer's read after publishes to the timeline.
  ///
  /// - Returns: The snapshot to deliver, with its cause.
  func trace(
    _ observer: Observer, old: RowSnapshot, new: RowSnapshot, isDelivered: Bool,
    after publishes: PublishGroup, in source: inout LayeredSource
  ) -> RowSnapshot {
    guard let recorder else { return new }
    let reader = DeliveryCause.Reader(
      observer: observer.ordinal, plan: observer.plan, record: source[observer.record],
      trigger: observer.trigger == .none ? nil : source[observer.trigger],
      triggerIndex: observer.trigger)
    let delivery = DeliveryCause(
      reader, after: publishes, old: old, new: new, isDelivered: isDelivered)
    recorder.append(.delivery(delivery), at: publishes.time, byteCount: delivery.byteCount)
    guard isDelivered else { return new }
    var delivered = new
    delivered.delivery = delivery
    return delivered
  }
}

extension DeliveryCause {
  /// The estimated size of the row before. Its lists share all unchanged chunks with the row after,
  /// so two chunks are assumed for each list.
  fileprivate var byteCount: Int {
    guard let row = first.old.row, isDelivered else { return 320 }
    return 448 + row.layout.storedCount * (row.plan.hasLists ? 2_048 : 64)
  }
}
