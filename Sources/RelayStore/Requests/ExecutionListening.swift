/// A registration of a closure for the events of executions. Dropping it ends the registration.
final class ExecutionListening: Sendable {
  private let executions: ExecutionTable
  private let id: ExecutionTable.ListenerID

  /// - Parameter body: Called with the store unlocked.
  init(
    to topic: ExecutionTable.Topic, of executions: ExecutionTable, in store: RecordStore,
    _ body: @escaping @Sendable (ExecutionTable.Event) -> Void
  ) {
    self.executions = executions
    id = executions.listen(to: topic) { [weak store] event in
      store?.afterUpdater { _ in body(event) }
    }
  }

  deinit { executions.removeListener(id) }
}
