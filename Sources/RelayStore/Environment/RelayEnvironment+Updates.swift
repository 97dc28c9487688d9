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
    return OptimisticUpdate(store: store, number: number)
  }

  /// Makes several changes with one notification at the end.
  ///
  ///     try environment.batch {
  ///       try environment.commitUpdate { try $0.delete(todo.id) }
  ///       draft.revert()
  ///     }
  ///
  /// Reads inside it show every change at once; observers are told after it, also when it throws. What other threads
  /// change meanwhile they are told at once. Batches may be inside one another; the outermost notifies.
  ///
  /// - Throws: What the closure threw; the changes it made stay.
  @discardableResult
  public func batch<Result>(_ changes: () throws -> Result) throws -> Result {
    try store.batch(changes)
  }
}

/// Changes that are shown for now; see ``RelayEnvironment/applyUpdate(_:)``.
///
/// They stay until they are reverted, also when this value is dropped.
public struct OptimisticUpdate: Sendable {
  let store: RecordStore
  let number: UInt64

  /// Shows other changes instead, over those of all other updates.
  ///
  /// - Throws: What the updater threw, and nothing is shown any more then; ``RelayError`` with code
  ///   `update` when it was reverted before.
  public func replace(_ updater: @escaping StoreUpdater) throws {
    try store.publish([.replace(number, updater: updater)])
  }

  /// Takes the changes away; calling it again does nothing.
  public func revert() { store.revert(number) }
}
