/// The entries of an outbox that have not ended, and what each of them waits for.
package struct OutboxActivity: Sendable {
  package enum Progress: Sendable {
    /// The outbox is doing something for the entry.
    case proceeding
    /// The entry waits in a transport for the test that runs it.
    case held
    /// The entry waits for a call of the app, because the outbox or the storage is suspended or the
    /// server does not accept the credentials, or for the date of its next attempt.
    case stopped
  }

  /// Whether the entries of the last run are still being loaded.
  package let isLoading: Bool
  /// The entries without an outcome, in the order in which they were committed.
  package let entries: [(entry: OutboxEntry, progress: Progress)]

  /// Whether something of the outbox goes on without the test and the app.
  package var isProceeding: Bool {
    isLoading || entries.contains { $0.progress == .proceeding }
  }
}

extension Outbox {
  /// Returns the entries that have not ended, after the work that has begun before the call.
  package func activity() async -> OutboxActivity {
    await withCheckedContinuation { continuation in
      queue.async { [work] in continuation.resume(returning: work.activity) }
    }
  }
}

extension OutboxWork {
  fileprivate var activity: OutboxActivity {
    var (progress, entries) = (
      [OutboxEntry.ID: OutboxActivity.Progress](),
      [(entry: OutboxEntry, progress: OutboxActivity.Progress)]()
    )
    for item in items where item.record.entry.outcome == nil {
      // Blockers come before the entries that they block.
      let own = self.progress(of: item, beyond: blocker(of: item)) { progress[$0] }
      progress[item.record.entry.id] = own
      entries.append((item.record.entry, own))
    }
    return OutboxActivity(isLoading: !hasBegun, entries: entries)
  }

  /// - Parameter others: Returns the progress of earlier entries; `nil` for one that has ended.
  private func progress(
    of item: Item, beyond blocker: Item?,
    others: (OutboxEntry.ID) -> OutboxActivity.Progress?
  ) -> OutboxActivity.Progress {
    switch item.record.entry.state {
    case .acknowledged: return store.isSuspended ? .stopped : .proceeding
    case .sending: return item.hold.isHeld ? .held : .proceeding
    case .blockedOnAuthentication: return .stopped
    case .queued, .blocked, .failed, .unknown: break
    }
    if isSuspended { return .stopped }
    // An entry behind one that has ended is about to be blocked.
    if let blocker { return others(blocker.record.entry.id) ?? .proceeding }
    guard let date = item.record.entry.nextAttempt, date > now else { return .proceeding }
    return .stopped
  }
}
