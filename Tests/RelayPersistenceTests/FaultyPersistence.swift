import RelayPersistence
import RelayStore

/// A database whose calls fail from a certain call on.
final class FaultyPersistence: Sendable {
  private let failure: PersistenceFailure
  private let engine: @Sendable () -> any PersistenceEngine
  /// The number of remaining calls before the failure.
  private let calls: Locked<Int>
  /// The number of calls, including failed ones.
  let count = Locked(0)

  init(
    failingAt call: Int, with failure: PersistenceFailure,
    _ engine: @escaping @Sendable () -> any PersistenceEngine
  ) {
    calls = Locked(call)
    self.failure = failure
    self.engine = engine
  }

  var persistence: Persistence { Persistence { Engine(self) } }

  /// Makes all calls from now on fail.
  func failFromNow() { calls.withLock { $0 = 0 } }

  private func call() throws {
    count.withLock { $0 += 1 }
    let isFailing = calls.withLock { calls in
      calls -= 1
      return calls < 0
    }
    if isFailing { throw failure }
  }

  private final class Engine: PersistenceEngine {
    private let faults: FaultyPersistence
    private let engine: any PersistenceEngine

    init(_ faults: FaultyPersistence) {
      self.faults = faults
      engine = faults.engine()
    }

    func open() throws {
      try faults.call()
      try engine.open()
    }

    func read(_ body: (RowKey, UnsafeRawBufferPointer) throws -> Void) throws {
      try engine.read { key, bytes in
        try faults.call()
        try body(key, bytes)
      }
    }

    func row(at key: RowKey) throws -> [UInt8]? {
      try faults.call()
      return try engine.row(at: key)
    }

    func write(_ batch: PersistenceBatch) throws {
      try faults.call()
      try engine.write(batch)
    }

    func wipe() throws {
      try faults.call()
      try engine.wipe()
    }

    func markWiped() throws {
      try faults.call()
      try engine.markWiped()
    }

    func replace(by batch: PersistenceBatch) throws -> String {
      try faults.call()
      return try engine.replace(by: batch)
    }

    func close() { engine.close() }
    var byteCount: Int { engine.byteCount }
  }
}
