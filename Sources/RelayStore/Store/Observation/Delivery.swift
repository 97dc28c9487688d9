/// A value for a consumer. It is created with the store locked and delivered after unlocking.
package enum Delivery: Sendable {
  case change(RowSnapshot, to: ObservationReceiver)
  /// The change of a model's data. The critical section that creates it moves it to
  /// ``ModelDeliveries``.
  case model(RowSnapshot, to: ObservationReceiver)
  /// The deliveries to models.
  case models(ModelDeliveries)
  /// The queued changes of a replica.
  case replica(ReplicaQueue)
  /// The changes of a replica for a model. The critical section that creates it moves it to
  /// ``ModelDeliveries``.
  case modelReplica(ReplicaChanges, to: ReplicaModel)
  /// A call without a value: a record or the store was invalidated.
  case invalidation(InvalidationReceiver)
  /// The cancellation of the sequences of ended live fields.
  case endedLiveFields(LiveDerivations)

  init(_ snapshot: RowSnapshot, to receiver: ObservationReceiver) {
    self =
      receiver.kind == .model ? .model(snapshot, to: receiver) : .change(snapshot, to: receiver)
  }

  /// The delivered snapshot; `nil` unless there is exactly one.
  var snapshot: RowSnapshot? {
    switch self {
    case .change(let snapshot, _), .model(let snapshot, _): snapshot
    case .models, .replica, .modelReplica, .invalidation, .endedLiveFields: nil
    }
  }

  /// The receiver for which a newer snapshot replaces this one; `nil` if every delivery must be
  /// made.
  var replaceableReceiver: ObjectIdentifier? {
    switch self {
    case .change(_, let receiver), .model(_, let receiver): ObjectIdentifier(receiver)
    case .models(let models): ObjectIdentifier(models)
    case .replica, .modelReplica, .invalidation, .endedLiveFields: nil
    }
  }

  /// Delivers the value. Call it without the store's lock.
  func callAsFunction() {
    switch self {
    case .change(let snapshot, let receiver): receiver.deliver(snapshot)
    case .models(let models): models.deliver()
    case .replica(let queue): queue.deliver()
    case .model, .modelReplica: assertionFailure("The delivery to a model is made in a turn.")
    case .invalidation(let receiver): receiver.deliver()
    case .endedLiveFields(let live): for task in live.takeEnded() { task.cancel() }
    }
  }
}
