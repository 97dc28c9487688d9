import RelayStore

extension Outbox {
  /// Takes in the mutations that other processes have put into the inbox since the last call; see
  /// ``OutboxOptions/inbox``. They are taken in when the program begins, too.
  ///
  /// Each is stored in the outbox, durably, before its file is deleted, and is sent after that. A
  /// process that ends meanwhile takes it in once, whether the server honours keys or not.
  ///
  /// - Returns: What was taken in, and what was set aside, since the last call or since the program began.
  /// - Throws: ``/RelayStore/RelayError`` with code `storage` if the outbox or the inbox fails. Nothing is lost then; the
  ///   next call goes on.
  @discardableResult
  public func takeIn() async throws -> InboxReport {
    try await loaded()
    return try await onQueue { [self] in
      defer {
        publishEntries()
        queue.async { self.send() }
      }
      try work.takeIn()
      defer { work.inboxReport = InboxReport() }
      return work.inboxReport
    }
  }

  /// Takes in the inbox, and reports an error to the log. Call this on the queue.
  func takeInReporting() {
    do { try work.takeIn() } catch {
      work.store.log(.inboxFailed(StorageFailure(wrapping: error).description))
    }
  }

  /// Takes in the inbox again and again, if the options say so.
  func watchInbox() {
    guard work.options.inbox != nil, let interval = work.options.inboxInterval else { return }
    let clock = work.store.configuration.clock
    let task = Task.detached { [weak self] in
      while (try? await clock.wait(for: interval)) != nil {
        guard let self else { return }
        _ = try? await onQueue { [self] in
          takeInReporting()
          send()
        }
      }
    }
    setInboxWatch(task)
  }
}
