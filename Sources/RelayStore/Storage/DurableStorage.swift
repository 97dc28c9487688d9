/// A place on the disk where a store keeps its records between runs of the program; see
/// ``RecordStore/Configuration/storage``.
///
/// The module RelayStoreSQLite has the one to use: `.sqlite(directory:)`.
public struct DurableStorage: Sendable {
  /// The limits of what is kept.
  package var makeEngine: @Sendable () -> any StorageEngine
  package var cipher: (any StorageCipher)?
  /// What identifies the schema of the records.
  package var schema = ""

  package init(_ makeEngine: @escaping @Sendable () -> any StorageEngine) {
    self.makeEngine = makeEngine
  }
}
