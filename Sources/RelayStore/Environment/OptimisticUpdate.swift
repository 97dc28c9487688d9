/// Changes that are applied until they are reverted; see ``RelayEnvironment/applyUpdate(_:)``.
///
/// Dropping this value does not revert them.
public struct OptimisticUpdate: Sendable {
  let store: RecordStore
  let id: UInt64

  /// Replaces the changes by others, on top of all other updates.
  ///
  /// - Throws: The error of the updater, after which nothing is applied any more; ``RelayError``
  ///   with code `update` when the update was reverted before.
  public func replace(_ updater: @escaping StoreUpdater) throws {
    try store.publish([.replace(id, updater: updater)])
  }

  /// Reverts the changes; calling it again does nothing.
  public func revert() { store.revert(id) }
}
