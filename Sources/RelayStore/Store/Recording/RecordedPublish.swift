/// The changes of one publish.
///
/// `@unchecked Sendable`: the store makes it while it publishes, under its lock, and sets
/// ``changes``, ``revision`` and ``changedCount`` before the recorder gets it. It is immutable from
/// then on.
final class RecordedPublish: @unchecked Sendable {
  /// A changed record.
  struct Change: Sendable {
    let index: RecordIndex
    /// The record before; `nil` if it did not exist.
    let old: Record?
    let new: Record
  }

  let cause: PublishCause
  let addedLayers: [UInt64]
  let removedLayers: [UInt64]
  var revision: UInt64 = 0
  /// The number of changed records, of which ``changes`` has the first ones.
  var changedCount = 0
  var changes: ContiguousArray<Change> = []

  /// The largest number of changes that are recorded.
  static let changeLimit = 1_000

  /// - Parameter ended: The optimistic updates that have ended.
  init(_ cause: PublishCause, ended: [StoreState.OptimisticEntry] = []) {
    self.cause = cause
    addedLayers = []
    removedLayers = ended.map(\.id)
  }

  /// - Parameters:
  ///   - cause: The cause; `nil` to derive it from the changes.
  ///   - added: The optimistic updates that were applied.
  ///   - ended: The optimistic updates that have ended.
  init(
    _ changes: [StoreState.Change], cause: PublishCause?,
    added: [StoreState.OptimisticEntry], ended: [StoreState.OptimisticEntry]
  ) {
    self.cause = cause ?? Self.cause(of: changes)
    addedLayers = added.map(\.id)
    removedLayers = ended.map(\.id)
  }

  private static func cause(of changes: [StoreState.Change]) -> PublishCause {
    var (isUpdate, isOptimistic, isRevert) = (false, false, false)
    for change in changes {
      switch change {
      case .commit(.some, _, _): return .payload
      case .commit(nil, _, .some): isUpdate = true
      case .apply, .replace: isOptimistic = true
      case .revert: isRevert = true
      case .commit, .expect, .stopExpecting: break
      }
    }
    return isUpdate ? .update : isOptimistic ? .optimisticUpdate : isRevert ? .revert : .other
  }

  var byteCount: Int {
    changes.reduce(256) { $0 + 48 + ($1.old?.storage.byteCount ?? 0) }
  }
}

extension RecordStorage {
  /// The size of the record's allocation in bytes.
  fileprivate var byteCount: Int { 64 + capacity * MemoryLayout<FieldCell>.stride }
}
