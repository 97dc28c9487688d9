import Foundation
import RelayStore

extension OutboxWork {
  /// Checks that there is room for the files of a new entry.
  ///
  /// - Throws: ``RelayError`` with code `request` if there is not.
  func checkSize(of record: OutboxRecord, replacing replaced: [Item]) throws {
    if record.uploads.isEmpty { return }
    let others = items.filter { item in !replaced.contains { $0 === item } }
    let sizes = others.flatMap(\.record.uploads).map(\.byteCount) + record.uploads.map(\.byteCount)
    let total = sizes.reduce(0) { min($0, Int.max - $1) + $1 }
    if total <= options.fileByteLimit { return }
    throw RelayError(
      .request,
      "The files of the outbox would have \(total.counted("byte")); it takes \(options.fileByteLimit).",
      operationName: record.entry.operationName)
  }

  /// Checks that no reset has removed the files of a commit.
  ///
  /// - Throws: ``RelayError`` with code `cancelled` if one has.
  func checkIsNotReset(since generation: Int, _ commit: MutationCommit) throws {
    if generation == self.generation { return }
    let name = commit.operation.name
    throw RelayError(.cancelled, "\"\(name)\" was cancelled by a reset.", operationName: name)
  }

  func removeFiles(of removed: [Item]) {
    for item in removed where !item.record.uploads.isEmpty {
      // What cannot be removed is removed by the next run.
      try? files?.remove(item.record.entry.id)
    }
  }
}

extension Outbox {
  /// Copies the files of a mutation, after the resets before it have removed all files.
  ///
  /// - Returns: The outbox's generation, which ends when a reset removes the copies; `nil` if there
  ///   are none.
  /// - Throws: ``RelayError``; nothing is left of the copies.
  func copyFiles(
    of commit: MutationCommit, for description: inout OutboxDescription
  ) async throws -> Int? {
    let uploads = commit.variables.uploads
    guard !uploads.isEmpty, let files = work.files else { return nil }
    let generation = try await onQueue { [work] in work.generation }
    do {
      description.uploads = try await files.add(
        uploads, of: description.id, isMoving: description.movesFiles,
        limit: work.options.fileByteLimit, operationName: commit.operation.name)
      return generation
    } catch let failure as PersistenceFailure {
      try await onQueue { [work] in try work.checkIsNotReset(since: generation, commit) }
      throw RelayError(
        .persistence, failure.description, operationName: commit.operation.name, underlying: failure
      )
    }
  }

  /// Removes the copies for a commit that has failed, or that has cancelled another one.
  func removeFiles(of id: OutboxEntry.ID) { try? work.files?.remove(id) }

  /// Removes the files that are in the outbox now from where they were.
  func removeOriginals(of commit: MutationCommit) {
    for upload in commit.variables.uploads {
      if case .file(let path) = upload.file.content {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }
}
