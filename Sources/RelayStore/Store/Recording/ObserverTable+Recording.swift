extension ObserverTable {
  /// Records the read of an observer after publishes.
  ///
  /// - Returns: The snapshot to deliver, with its cause.
  func record(
    _ observer: Observer, _ old: RowSnapshot, _ new: RowSnapshot, isDelivered: Bool,
    after publishes: PublishGroup, in source: inout LayeredSource
  ) -> RowSnapshot {
    guard let recorder else { return new }
    let delivery = RecordedDelivery(
      observer: observer.ordinal, plan: observer.plan, record: source[observer.record],
      trigger: observer.trigger == .none ? nil : source[observer.trigger], publishes: publishes,
      old: old, new: new, isDelivered: isDelivered)
    recorder.append(.delivery(delivery), at: publishes.time, byteCount: delivery.byteCount)
    guard isDelivered else { return new }
    var delivered = new
    delivered.delivery = delivery
    return delivered
  }
}
