import RelayStore

/// The changes of the base in one revision, taken with the store locked and stored after that.
struct BaseBatch: Sendable {
  /// A record, which is immutable, with its client-written fields.
  struct Entry: Sendable {
    let record: Record
    let clientWritten: Set<FieldKey>
  }

  /// A page that is stored as a whole.
  struct Page: Sendable {
    let page: Int
    /// The records of the page, by slot; `nil` where there is none, or it is in `undecoded`.
    var entries: [Entry?]
    /// The page as it was loaded, if it was not decoded. Its records that are not in `replaced` are
    /// stored as they are.
    var undecoded: StoredRecords.Page?
    /// The slots of undecoded records that were replaced or removed, as bits.
    var replaced: UInt64 = 0
  }

  let revision: UInt64
  /// The run of the program, as ``StorageRun/number``.
  let run: UInt64
  /// Whether everything that was stored before is removed.
  var isReplacement = false
  /// Whether what is removed must not be left in the files.
  var isSecure = false
  /// The types and fields that are never stored.
  var privateElements = ""
  /// The texts of storage keys that are new since the last batch.
  var keys: [String] = []
  /// The encoded ids of pages; `nil` for a page without any.
  var ids: [(page: Int, bytes: [UInt8]?)] = []
  var pages: [Page] = []
  /// The records that are appended to the log; `nil` for a removed one.
  var changes: [(number: UInt32, entry: Entry?)] = []

  /// The operations whose data is kept that have changed; `nil` for one that is not kept any more.
  var roots: [(identity: RequestIdentity, root: StoredRoot?, plan: SelectionPlan?)] = []
  /// The epoch of invalidations, and that in which the whole store was invalidated.
  var epoch: UInt64 = 0
  var storeInvalidatedAt: UInt64?
  /// The encoded epochs of pages; `nil` for a page without any.
  var epochs: [(page: Int, bytes: [UInt8]?)] = []
}
