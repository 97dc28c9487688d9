/// The parts of a journal that only its queue uses: the database, and the state of its contents.
///
/// `@unchecked Sendable`: the journal calls every method on its serial queue, and nobody else has the
/// object. No lock guards it, because it delivers snapshots to consumers and waits for the disk.
final class StoreJournalWork: @unchecked Sendable {
  let engine: any StorageEngine
  let format: StorageFormat
  let schema: String
  /// The writer; `nil` until the records are loaded.
  var writer: StoreWriter?

  init(_ storage: DurableStorage) {
    engine = storage.makeEngine()
    format = StorageFormat(cipher: storage.cipher)
    schema = storage.schema
  }

  func close() { engine.close() }
}

extension StorageFailure {
  init(wrapping error: any Error) {
    self = error as? StorageFailure ?? StorageFailure(.io, "\(error)")
  }
}
