import RelayStore

extension Outbox {
  /// Imports the mutations that other processes have put in the inbox; see ``OutboxOptions/inbox``.
  /// They are also imported when the program starts.
  ///
  /// Each mutation is first persisted durably in the outbox, then its file is deleted, and then it
  /// is sent. If the process ends in between, the mutation is still imported exactly once, even if
  /// the server does not honor keys.
  ///
  /// - Returns: The imported and rejected files since the last call or the start of the program.
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence` if the outbox or the inbox fails.
  ///   No mutation is lost; the next call continues.
  @discardableResult
  public func importFiles() async throws -> InboxReport {
    try await loaded()
    return try await onQueue { [self] in
      defer {
        publishEntries()
        queue.async { self.send() }
      }
      try work.importFiles()
      defer { work.inboxReport = InboxReport() }
      return work.inboxReport
    }
  }

  /// Imports the inbox, reporting errors to the log. Call this on the queue.
  func importReporting() {
    do { try work.importFiles() } catch {
      work.store.log(.inboxFailed(PersistenceFailure(wrapping: error).description))
    }
  }

  /// Imports the inbox at intervals, if the options say so.
  func watchInbox() {
    guard work.options.inbox != nil, let interval = work.options.inboxInterval else { return }
    let clock = work.store.configuration.clock
    let task = Task.detached { [weak self] in
      while (try? await clock.wait(for: interval)) != nil {
        guard let self else { return }
        _ = try? await onQueue { [self] in
          importReporting()
          send()
        }
      }
    }
    setInboxWatch(task)
  }
}
