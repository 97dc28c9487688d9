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

  func removeFiles(of removed: [Item]) {
    for item in removed where !item.record.uploads.isEmpty {
      // What cannot be removed is removed by the next run.
      try? files?.remove(item.record.entry.id)
    }
  }
}

extension Outbox {
  /// Copies the files of a mutation.
  ///
  /// - Throws: ``RelayError``; nothing is left of the copies.
  func copyFiles(of commit: MutationCommit, for description: inout OutboxDescription) async throws {
    let uploads = commit.variables.uploads
    guard !uploads.isEmpty, let files = work.files else { return }
    do {
      description.uploads = try await files.add(
        uploads, of: description.id, isMoving: description.movesFiles,
        limit: work.options.fileByteLimit, operationName: commit.operation.name)
    } catch let failure as PersistenceFailure {
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
