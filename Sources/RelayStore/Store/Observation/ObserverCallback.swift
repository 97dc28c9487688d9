/// The kind of an observer that is a closure.
package enum ObserverKind: Sendable {
  /// Called by the thread that commits.
  case closure
  /// Called by each thread that commits, also at the same time: passes snapshots to a ``Mailbox``,
  /// which ignores older ones.
  case mailbox
  /// Called in the turns of ``ModelDeliveries``, because it changes a model.
  case model
}

/// The closure of an observer. A struct, because an optional closure is wrapped in another one
/// whenever it is moved.
struct ObserverCallback {
  var kind = ObserverKind.closure
  let onChange: @Sendable (RowSnapshot) -> Void
}
