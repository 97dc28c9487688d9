import RelayStore

extension Outbox {
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

  /// - Parameter others: Returns the progress of earlier entries; `nil` for an ended one.
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
    // An entry after an ended one is about to be blocked.
    if let blocker { return others(blocker.record.entry.id) ?? .proceeding }
    guard let date = item.record.entry.nextAttempt, date > now else { return .proceeding }
    return .stopped
  }
}
