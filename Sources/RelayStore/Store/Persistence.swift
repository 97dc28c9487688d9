/// The location on disk where a store persists its records between runs of the program; see
/// ``RecordStore/Configuration/persistence``.
///
/// Use RelayPersistence's implementation: `.sqlite(directory:user:schema:cipher:)`.
public struct Persistence: Sendable {
  /// The number of released queries whose data is retained, if greater than the store's
  /// `releaseBufferSize`; 200 by default. The least recently used queries are dropped first.
  public var queryLimit = 200
  /// The size of the rows, in bytes, above which the data of the least recently used released
  /// queries is dropped; 64 MiB by default, `nil` for no limit. Pinned queries, local data and data
  /// in use are not dropped.
  public var byteLimit: Int? = 64 << 20
  package var makeEngine: @Sendable () -> any PersistenceEngine
  /// Makes the engine of the outbox; `nil` if an outbox is not possible.
  package var makeOutboxEngine: (@Sendable () -> any PersistenceEngine)?
  /// The directory of the files of the mutations in the outbox; `nil` if it cannot have any.
  package var uploadDirectory: String?
  package var cipher: (any PersistenceCipher)?
  /// The identifier of the schema of the records. Records persisted with another identifier are not
  /// read.
  package var schema = ""
  /// The identifier of the user of the outbox: a hash.
  package var user = ""

  /// Makes the journal that uses the engine.
  package let makeSource: @Sendable (Persistence) -> any PersistentSource

  package init(
    _ makeEngine: @escaping @Sendable () -> any PersistenceEngine,
    makeSource: @escaping @Sendable (Persistence) -> any PersistentSource
  ) {
    self.makeEngine = makeEngine
    self.makeSource = makeSource
  }
}
