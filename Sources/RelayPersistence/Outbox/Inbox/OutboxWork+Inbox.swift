import RelayStore

/// The import of mutations from other processes.
///
/// The order of the steps; if the process ends between two of them, the next run repeats the first
/// incomplete one:
///
///     1. the entries are written, each with the name of its file; they are not sent
///     2. the optimistic updates are applied
///     3. the files are deleted, durably
///     4. the names are removed from the entries, which may now be sent
extension OutboxWork {
  /// Adds the mutations of the inbox and extends ``inboxReport``.
  ///
  /// - Throws: ``PersistenceFailure`` if the inbox or the outbox fails. Every mutation is then in
  ///   one of them, or in both without being sent.
  func importFiles() throws {
    inboxReport.waitingCount = 0
    var changes: [RecordStore.Change] = []
    let added = try options.inbox.map { try add(filesOf: $0, &changes) } ?? []
    do { try write(added) } catch {
      removeLast(added.count)
      throw error
    }
    publish(changes)
    inboxReport.add(added.map(\.record.entry))
    try removeTakenFiles()
  }

  /// Adds items for the files of an inbox, without writing them.
  ///
  /// - Parameter changes: Extended by the changes that apply their optimistic updates.
  /// - Throws: ``PersistenceFailure`` if the directory cannot be read.
  private func add(
    filesOf inbox: MutationInbox, _ changes: inout [RecordStore.Change]
  ) throws -> [Item] {
    let known = items.count
    var copies: [String] = []
    defer { try? inbox.remove(copies) }
    // A process's later mutations may depend on an unreadable one.
    var waiting: Set<String> = []
    let names = try inbox.namesToImport()
    // No process adds more, so the rest is foreign. The next call continues.
    inboxReport.waitingCount += max(0, names.count - inbox.fileLimit)
    for name in names.prefix(inbox.fileLimit) {
      let process = InboxFileName(name)?.process ?? name
      if items.contains(where: { $0.record.file == name }) { continue }
      if waiting.contains(process) || items.count >= options.entryLimit {
        waiting.insert(process)
        inboxReport.waitingCount += 1
        continue
      }
      do {
        guard let record = try inbox.record(in: name, owner: user) else { continue }
        if let other = item(record.entry.id) {
          guard other.record.isCopied(by: record) else {
            throw PersistenceFailure(.rejected, "Another mutation has its id.")
          }
          // A copy of a file whose original is already an entry.
          if other.record.file == nil { copies.append(name) }
          continue
        }
        let item = makeItem(record, record.operation, key: lastKey + 1)
        changes += try apply(item)
        append(item)
      } catch {
        if !reject(name, because: error, in: inbox) { waiting.insert(process) }
      }
    }
    return Array(items[known...])
  }

  /// Rejects an unusable file.
  ///
  /// - Returns: `false` if the file remains in the inbox.
  private func reject(
    _ name: String, because error: any Error, in inbox: MutationInbox
  ) -> Bool {
    do {
      if let failure = error as? PersistenceFailure, failure.kind == .io { throw failure }
      let reason =
        (error as? RelayError)?.message ?? PersistenceFailure(wrapping: error).description
      guard let path = try inbox.reject(name) else { return true }
      inboxReport.add(InboxReport.Rejected(path: path, reason: reason))
      store.log(.inboxFileRejected(path: path, reason: reason))
      return true
    } catch {
      inboxReport.waitingCount += 1
      store.log(.inboxFailed(PersistenceFailure(wrapping: error).description))
      return false
    }
  }

  /// Deletes the files of imported entries, so that the entries may be sent.
  ///
  /// - Throws: ``PersistenceFailure``; entries that still have a file are not sent.
  func removeTakenFiles() throws {
    let taken = items.filter { $0.record.file != nil }
    if taken.isEmpty { return }
    // Without an inbox, the files can never be imported again.
    try options.inbox?.remove(taken.compactMap(\.record.file))
    let files = taken.map(\.record.file)
    for item in taken { item.record.file = nil }
    do { try write(taken) } catch {
      for (item, file) in zip(taken, files) { item.record.file = file }
      throw error
    }
  }
}
