/// A place that keeps a store's records between runs of the program. The journal of RelayPersistence
/// implements it.
package protocol DurableSource: AnyObject, Sendable {
  /// Whether the records are still being loaded.
  var isLoading: Bool { get }

  /// Calls a closure when the records are loaded, or could not be; at once if they are.
  func whenLoaded(_ body: @escaping @Sendable () -> Void)

  /// Begins to load the records into a store.
  func load(into store: RecordStore)

  /// Schedules a write. The store is retained until then.
  func changesWereMade(to store: RecordStore)

  /// Marks what is stored durably as wiped. The store is emptied after that.
  func markWiped(_ store: RecordStore)

  /// Removes what is stored, in the background. The store was emptied before.
  func wipeInBackground(_ store: RecordStore)

  /// Removes what is stored. The store was emptied before.
  ///
  /// - Throws: ``StorageFailure``.
  func wipe(_ store: RecordStore) async throws

  /// Runs a closure on the queue of the storage, and waits for it without blocking the thread.
  func onQueue(_ body: @escaping @Sendable () throws -> Void) async throws
}
