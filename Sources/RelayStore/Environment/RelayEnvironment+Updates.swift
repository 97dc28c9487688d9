extension RelayEnvironment {
  /// Changes the store on the client alone.
  ///
  /// - Throws: What the updater threw; nothing it wrote stays then.
  public func commitUpdate(_ updater: @escaping StoreUpdater) throws {
    try store.publish([.commit(updater: updater)])
  }

  /// Shows changes until they are reverted.
  ///
  /// - Parameter updater: Runs now, and again whenever the base under it changes.
  /// - Throws: What the updater threw; nothing is shown then.
  public func applyUpdate(_ updater: @escaping StoreUpdater) throws -> OptimisticUpdate {
    try store.checkIsFree()
    let number = store.makeNumber()
    try store.publish([.apply(number, updater: updater)])
    return OptimisticUpdate { [store] in store.revert(number) }
  }
}

/// Changes that are shown for now; see ``RelayEnvironment/applyUpdate(_:)``.
public struct OptimisticUpdate: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  /// Takes the changes away; calling it again does nothing.
  public func revert() { end() }
}
