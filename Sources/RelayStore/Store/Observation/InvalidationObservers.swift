/// Who is told when records, or the whole store, become out of date.
struct InvalidationObservers {
  /// What someone watches.
  enum Target {
    case records(Set<DataID>)
    /// Whatever an operation reaches at the time.
    case operation(WrittenOperation)
  }

  struct Observer {
    let target: Target
    let receiver: InvalidationReceiver
  }

  private var observers: [UInt64: Observer] = [:]
  private var last: UInt64 = 0
  /// What became out of date since the last notification.
  private var records: Set<DataID> = []
  private var isStore = false

  /// How many there are.
  var count: Int { observers.count }

  /// Everyone, in the order of registration.
  var all: [Observer] { observers.sorted { $0.key < $1.key }.map(\.value) }

  mutating func add(_ target: Target, _ receiver: InvalidationReceiver) -> UInt64 {
    last += 1
    observers[last] = Observer(target: target, receiver: receiver)
    return last
  }

  mutating func remove(_ number: UInt64) { observers[number] = nil }

  /// Notes what became out of date; those who watch it are told when the publish, or the batch, ends.
  mutating func note(_ ids: Set<DataID>, store: Bool) {
    if observers.isEmpty { return }
    records.formUnion(ids)
    isStore = isStore || store
  }

  /// What became out of date since the last call; `nil` for nothing.
  mutating func takeNews() -> (records: Set<DataID>, store: Bool)? {
    guard isStore || !records.isEmpty else { return nil }
    defer { (records, isStore) = ([], false) }
    return (records, isStore)
  }
}

/// The closure that an invalidation calls, until it is cancelled.
final class InvalidationReceiver: CancellableReceiver {
  private let body: Locked<(@Sendable () -> Void)?>

  init(_ body: @escaping @Sendable () -> Void) { self.body = Locked(body, rank: .consumer) }

  func deliver() { body.withLock { $0 }?() }

  func cancel() -> Bool {
    // The closure is released after the lock.
    let body = body.withLock { body in
      defer { body = nil }
      return body
    }
    return body != nil
  }
}
