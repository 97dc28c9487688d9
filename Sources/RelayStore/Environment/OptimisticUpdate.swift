/// Changes that apply until they are reverted; see ``RelayEnvironment/applyUpdate(_:)``.
///
/// Dropping this value does not revert them.
public struct OptimisticUpdate: Sendable {
  let store: RecordStore
  let id: UInt64

  /// Replaces the changes with others, on top of all other updates.
  ///
  /// - Throws: The error of the updater, and the update no longer applies; ``RelayError`` with code
  ///   `update` if the update was already reverted.
  public func replace(_ updater: @escaping StoreUpdater) throws {
    try store.publish([.replace(id, updater: updater)])
  }

  /// Reverts the changes; idempotent.
  public func revert() { store.revert(id) }
}
