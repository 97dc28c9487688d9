import RelayStore

/// The base's changes in one revision, taken under the store's lock and persisted afterwards.
struct BaseBatch: Sendable {
  /// An immutable record with its client-written fields.
  struct Entry: Sendable {
    let record: Record
    let clientWritten: Set<FieldKey>
  }

  /// A page that is persisted completely.
  struct Page: Sendable {
    let page: Int
    /// The records of the page by slot; `nil` for an empty slot or a record in `undecoded`.
    var entries: [Entry?]
    /// The page as loaded, unless it was decoded. Its records that are not in `replaced` are
    /// persisted unchanged.
    var undecoded: PersistedRecords.Page?
    /// The slots of undecoded records that were replaced or removed, as a bit mask.
    var replaced: UInt64 = 0
  }

  let revision: UInt64
  /// The run of the program; see ``PersistenceRun/number``.
  let run: UInt64
  /// Whether the batch replaces everything persisted before.
  var isReplacement = false
  /// Whether removed data must be erased from the files.
  var isSecure = false
  /// The types and fields that are never persisted.
  var privateElements = ""
  /// The strings of storage keys added since the last batch.
  var keys: [String] = []
  /// The encoded ids of pages; `nil` for a page without ids.
  var ids: [(page: Int, bytes: [UInt8]?)] = []
  var pages: [Page] = []
  /// The records appended to the log; `nil` for a removed record.
  var changes: [(number: UInt32, entry: Entry?)] = []

  /// The changed operations whose data is retained; `nil` for an operation that was dropped.
  var roots: [(identity: RequestIdentity, root: PersistedRoot?, plan: SelectionPlan?)] = []
  /// The epoch of invalidations, and the epoch in which the entire store was invalidated.
  var epoch: UInt64 = 0
  var storeInvalidatedAt: UInt64?
  /// The encoded epochs of pages; `nil` for a page without epochs.
  var epochs: [(page: Int, bytes: [UInt8]?)] = []
}
