/// A registration of a closure for execution events. Dropping it ends the registration.
final class ExecutionListening: Sendable {
  private let listeners: ExecutionListeners
  private let id: ExecutionListeners.ID

  /// - Parameter body: Called with the store unlocked.
  init(
    to topic: ExecutionListeners.Topic, of executions: ExecutionTable, in store: RecordStore,
    _ body: @escaping @Sendable (ExecutionListeners.Event) -> Void
  ) {
    listeners = executions.listeners
    id = listeners.listen(to: topic) { [weak store] event in
      store?.afterUpdater { _ in body(event) }
    }
  }

  deinit { listeners.remove(id) }
}
