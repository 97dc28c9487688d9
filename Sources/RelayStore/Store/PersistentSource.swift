/// The persistence of a store's records between runs of the program, implemented by the journal of
/// RelayPersistence.
package protocol PersistentSource: AnyObject, Sendable {
  /// Whether the records are still being loaded.
  var isLoading: Bool { get }

  /// Calls `body` once loading has succeeded or failed; immediately if it already has.
  func whenLoaded(_ body: @escaping @Sendable () -> Void)

  /// Starts loading the records into a store.
  func load(into store: RecordStore)

  /// Schedules a write. The store is retained until then.
  func changesWereMade(to store: RecordStore)

  /// Durably marks the persisted data as wiped. Called before the store is emptied.
  func markWiped(_ store: RecordStore)

  /// Removes the persisted data in the background. Called after the store was emptied.
  func wipeInBackground(_ store: RecordStore)

  /// Removes the persisted data. Called after the store was emptied.
  ///
  /// - Throws: ``PersistenceFailure``.
  func wipe(_ store: RecordStore) async throws

  /// Runs `body` on the queue of the storage and waits for it without blocking the thread.
  func onQueue(_ body: @escaping @Sendable () throws -> Void) async throws
}
