/// The observers of invalidations of records or of the entire store.
struct InvalidationObservers {
  /// The records that an observer watches.
  enum Target {
    case records(Set<DataID>)
    /// The records that an operation reaches at the time of the invalidation.
    case operation(WrittenOperation)
  }

  package struct Observer {
    let target: Target
    let receiver: InvalidationReceiver
  }

  private var observers: [UInt64: Observer] = [:]
  private var lastID: UInt64 = 0
  /// The records that were invalidated since the last notification.
  private var records: Set<DataID> = []
  private var isStore = false

  /// The number of observers.
  var count: Int { observers.count }

  /// All observers in the order of registration.
  var all: [Observer] { observers.sorted(byNumber: \.key).map(\.value) }

  mutating func add(_ target: Target, _ receiver: InvalidationReceiver) -> UInt64 {
    lastID += 1
    observers[lastID] = Observer(target: target, receiver: receiver)
    return lastID
  }

  mutating func remove(_ id: UInt64) { observers[id] = nil }

  /// Collects invalidations. Observers are notified at the end of the publish or batch.
  mutating func insert(_ ids: Set<DataID>, store: Bool) {
    if observers.isEmpty { return }
    records.formUnion(ids)
    isStore = isStore || store
  }

  /// Returns the invalidations since the last call; `nil` if there are none.
  mutating func drain() -> (records: Set<DataID>, store: Bool)? {
    guard isStore || !records.isEmpty else { return nil }
    defer { (records, isStore) = ([], false) }
    return (records, isStore)
  }
}

/// The receiver of an invalidation: a closure, called until it is cancelled.
package final class InvalidationReceiver: Sendable {
  private let body: Locked<(@Sendable () -> Void)?>

  package init(_ body: @escaping @Sendable () -> Void) { self.body = Locked(body, rank: .consumer) }

  func deliver() { body.withLock { $0 }?() }

  /// Ends the calls. Returns whether they had not ended before.
  package func cancel() -> Bool {
    // The closure is released after the lock.
    let body = body.withLock { $0.take() }
    return body != nil
  }
}
