import RelayStore

extension Outbox {
  typealias Waiter = CheckedContinuation<OutboxOutcome, any Error>

  /// The entries that any thread may read, and who waits for them.
  struct State {
    var entries: [OutboxEntry] = []
    var streams: [UInt64: AsyncStream<[OutboxEntry]>.Continuation] = [:]
    var waiters: [OutboxEntry.ID: [Waiter]] = [:]
    var outcomes = RecentOutcomes()
    var lastStream: UInt64 = 0
    var isLoaded = false
    /// The number of resets whose entries the queue has yet to remove.
    var resets = 0
    /// The timer of the next attempt.
    var timer: Task<Void, Never>?
    /// The task that imports the inbox at intervals.
    var inboxWatch: Task<Void, Never>?
    #if canImport(Network)
      var network: NetworkWatch?
    #endif

    /// Replaces the entries and removes the waiters of ended entries.
    ///
    /// - Returns: The waiters with the outcomes.
    mutating func replaceEntries(
      by new: [OutboxEntry]
    ) -> [(Waiter, Result<OutboxOutcome, any Error>)] {
      if entries == new { return [] }
      var ended: [(Waiter, Result<OutboxOutcome, any Error>)] = []
      for (id, waiting) in waiters {
        let old = entries.first { $0.id == id }
        let entry = new.first { $0.id == id }
        guard let outcome = entry.map(\.outcome) ?? old?.lastOutcome else { continue }
        let result = outcome.map { outcomes[id] }
        ended += waiting.map { ($0, result) }
        waiters[id] = nil
      }
      entries = new
      return ended
    }
  }
}
