import Dispatch
import RelayPersistence
import RelayStore

/// A database that cannot be read until a gate is opened.
final class GatedPersistence: Sendable {
  private let memory: MemoryPersistence
  private let gate = DispatchSemaphore(value: 0)
  private let reading = Locked(false)

  init(_ memory: MemoryPersistence) { self.memory = memory }

  deinit { gate.signal() }

  var persistence: Persistence {
    Persistence { [self] in Engine(memory.engine(), gate, reading) }
  }

  func open() { gate.signal() }

  /// Whether a read is waiting or has waited for the gate.
  var isReading: Bool { reading.withLock { $0 } }

  private final class Engine: PersistenceEngine {
    private let engine: any PersistenceEngine
    private let gate: DispatchSemaphore
    private let reading: Locked<Bool>

    init(_ engine: any PersistenceEngine, _ gate: DispatchSemaphore, _ reading: Locked<Bool>) {
      self.engine = engine
      self.gate = gate
      self.reading = reading
    }

    func open() throws { try engine.open() }

    func read(_ body: (RowKey, UnsafeRawBufferPointer) throws -> Void) throws {
      reading.withLock { $0 = true }
      gate.wait()
      gate.signal()
      try engine.read(body)
    }

    func row(at key: RowKey) throws -> [UInt8]? { try engine.row(at: key) }
    func write(_ batch: PersistenceBatch) throws { try engine.write(batch) }
    func wipe() throws { try engine.wipe() }
    func markWiped() throws { try engine.markWiped() }
    func replace(by batch: PersistenceBatch) throws -> String { try engine.replace(by: batch) }
    func close() { engine.close() }
    var byteCount: Int { engine.byteCount }
  }
}
