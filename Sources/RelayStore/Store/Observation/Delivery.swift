/// The receiver of an observer's snapshots.
enum SnapshotReceiver: Sendable {
  /// The mailbox of an iterator.
  case mailbox(Mailbox<RowSnapshot>)
  /// The closure of an observation.
  case closure(ObservationReceiver)
  /// The element at a position of a list of fragments, which ``FragmentListObservers`` delivers as
  /// a whole.
  case element(group: UInt64, position: Int)
}

/// A value for a consumer. It is created with the store locked and delivered after unlocking.
enum Delivery: Sendable {
  case snapshot(RowSnapshot, to: Mailbox<RowSnapshot>)
  case change(RowSnapshot, to: ObservationReceiver)
  /// The changes that a replica has queued.
  case replica(ReplicaQueue)
  /// A call without a value: a record or the store was invalidated.
  case invalidation(InvalidationReceiver)

  /// The delivery of a snapshot; `nil` for the element of a list, which is not delivered by itself.
  init?(_ snapshot: RowSnapshot, to receiver: SnapshotReceiver) {
    switch receiver {
    case .mailbox(let mailbox): self = .snapshot(snapshot, to: mailbox)
    case .closure(let receiver): self = .change(snapshot, to: receiver)
    case .element: return nil
    }
  }

  /// The snapshot that is delivered; `nil` for replicas and invalidations.
  var snapshot: RowSnapshot? {
    switch self {
    case .snapshot(let snapshot, _), .change(let snapshot, _): snapshot
    case .replica, .invalidation: nil
    }
  }

  /// The receiver for which a newer snapshot replaces this one; `nil` if every delivery has to be
  /// made.
  var replaceableReceiver: ObjectIdentifier? {
    switch self {
    case .snapshot(_, let mailbox): ObjectIdentifier(mailbox)
    case .change(_, let receiver): ObjectIdentifier(receiver)
    case .replica, .invalidation: nil
    }
  }

  /// Delivers the value. Call it without the store's lock.
  func callAsFunction() {
    switch self {
    case .snapshot(let snapshot, let mailbox): mailbox.deliver(snapshot)
    case .change(let snapshot, let receiver): receiver.deliver(snapshot)
    case .replica(let queue): queue.deliver()
    case .invalidation(let receiver): receiver.deliver()
    }
  }
}
