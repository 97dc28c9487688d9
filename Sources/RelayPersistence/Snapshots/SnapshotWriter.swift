import Dispatch
import RelayStore

/// The queue that takes and writes an environment's snapshots, so that an earlier one never
/// replaces a later one.
final class SnapshotWriter: Sendable {
  private let queue = DispatchQueue(label: "RelayStore.SnapshotWriter", qos: .utility)
  private let state = Locked(FileSystem(), rank: .leaf)
  private let byteLimit: Int

  /// - Parameter byteLimit: The maximum number of bytes of a file; readers reject larger ones.
  init(byteLimit: Int = SealedFile.snapshotByteLimit) { self.byteLimit = byteLimit }

  /// File-system operations; tests inject failures here.
  var files: FileSystem {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// Takes records and writes them to a file.
  ///
  /// - Parameters:
  ///   - known: The digest of the records in the file; skips the write when the digest is
  ///     unchanged.
  ///   - records: Takes the records; called on the queue.
  /// - Returns: The digest of the records, and their number.
  /// - Throws: ``RelayError`` with code `persistence`. The old file is then unchanged, unless only
  ///   the final synchronization failed.
  func write(
    to path: String, cipher: (any PersistenceCipher)?, unless known: UInt64? = nil,
    _ records: @escaping @Sendable () -> ExportedRecords
  ) async throws -> (digest: UInt64, count: Int) {
    try await onQueue(orFail: "The snapshot cannot be written.") { [byteLimit] files in
      let records = records()
      let export = PersistedExport(rows: try records.rows())
      let digest = export.digest
      if digest != known {
        let bytes = try SealedFile.seal(export.contents, as: .snapshot, cipher: cipher)
        guard bytes.count <= byteLimit else {
          throw PersistenceFailure(
            .rejected, "It has \(bytes.count.counted("byte")); the limit is \(byteLimit).")
        }
        let (directory, name) = FileSystem.split(path)
        try files.makeDirectory(directory)
        files.removeAbandoned(in: directory, prefix: FileSystem.temporaryPrefix(of: name))
        try files.write(bytes, to: path, replaces: true)
      }
      return (digest, records.count)
    }
  }

  /// Removes a file and its unfinished temporary files.
  ///
  /// - Throws: ``RelayError`` with code `persistence`.
  func remove(_ path: String) async throws {
    try await onQueue(orFail: "The snapshot cannot be removed.") { try $0.removeWithParts(path) }
  }

  private func onQueue<Result: Sendable>(
    orFail text: String, _ work: @escaping @Sendable (FileSystem) throws -> Result
  ) async throws -> Result {
    do { return try await queue.run { [files] in try work(files) } } catch {
      let failure = PersistenceFailure(wrapping: error)
      throw RelayError(.persistence, "\(text) \(failure)", underlying: failure)
    }
  }
}
