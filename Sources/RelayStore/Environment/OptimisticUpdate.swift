/// Changes that are shown until they are reverted; see ``RelayEnvironment/applyUpdate(_:)``.
///
/// They stay when this value is dropped.
public struct OptimisticUpdate: Sendable {
  let store: RecordStore
  let number: UInt64

  /// Shows other changes instead, on top of all other updates.
  ///
  /// - Throws: The error of the updater, and then nothing is shown any more; ``RelayError`` with
  ///   code `update` when the update was reverted before.
  public func replace(_ updater: @escaping StoreUpdater) throws {
    try store.publish([.replace(number, updater: updater)])
  }

  /// Removes the changes; calling it again does nothing.
  public func revert() { store.revert(number) }
}
