import Foundation
import SeededRandom
import Testing

@testable import RelayPersistence
@testable import RelayStore

/// `make soak-storage` runs many more cases, so the suite has 20 minutes.
@Suite("Storage: damage and failures", .timeLimit(.minutes(20)))
struct DamageTests {
  /// A database in a directory, with the dump of the store that wrote it.
  private func database(steps: Int) async throws -> (directory: TemporaryDirectory, dump: String) {
    let directory = TemporaryDirectory()
    var updates = RandomUpdates(seed: 5)
    let stored = PersistedStore(directory)
    await stored.store.loaded()
    for _ in 0..<4 {
      try updates.update(stored.environment, steps: steps)
      try await stored.store.flush()
    }
    try await stored.close()
    return (directory, stored.store.dump(.base))
  }

  /// Opens a store over a damaged database. Checks that it has either the persisted data or no
  /// data, and still works.
  ///
  /// - Returns: Whether it has the persisted data.
  private func open(_ directory: TemporaryDirectory, dump: String) async throws -> Bool {
    let stored = PersistedStore(directory)
    await stored.store.loaded()
    let isSame = stored.differences(from: dump) == []
    if !isSame {
      #expect(stored.store.statistics.records == 1)
      #expect(!stored.events.problems.isEmpty)
    }
    stored.check()
    try stored.environment.commitUpdate { _ = try $0.create("after", type: "Item") }
    if stored.events.problems.allSatisfy({
      if case .persistenceReplaced = $0 { true } else { false }
    }) {
      try await stored.close()
      let next = PersistedStore(directory)
      await next.store.loaded()
      #expect(next.store.dump(.base).contains("after"))
      try await next.close()
    }
    return isSame
  }

  @Test("a flipped bit is reported, and is never a wrong value")
  func bitFlips() async throws {
    let (directory, dump) = try await database(steps: 600)
    let path = directory.url.appending(path: "cache.sqlite")
    let original = try Data(contentsOf: path)
    var random = SeededGenerator(seed: 7)
    var (same, replaced) = (0, 0)
    let count = ProcessInfo.processInfo.environment["RELAYSTORE_BIT_FLIPS"].flatMap(Int.init) ?? 50
    for _ in 0..<count {
      var bytes = original
      let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      for file in directory.files {
        try FileManager.default.removeItem(at: directory.url.appending(path: file))
      }
      try bytes.write(to: path)
      if try await open(directory, dump: dump) { same += 1 } else { replaced += 1 }
    }
    // An undetected bit flip is in an unused area of a page.
    print("Bit flips: \(count), of which \(replaced) were reported, \(same) in unused bytes")
    #expect(replaced > count / 8)
  }

  @Test("a file that ends anywhere is reported, and is never a wrong value")
  func truncation() async throws {
    let (directory, dump) = try await database(steps: 20)
    let path = directory.url.appending(path: "cache.sqlite")
    let original = try Data(contentsOf: path)
    let step = ProcessInfo.processInfo.environment["RELAYSTORE_EVERY_BYTE"] == nil ? 2039 : 1
    var replaced = 0
    for count in stride(from: 0, to: original.count, by: step) {
      for file in directory.files {
        try FileManager.default.removeItem(at: directory.url.appending(path: file))
      }
      try original.prefix(count).write(to: path)
      // An empty file is a new database and is not reported.
      if count == 0 { continue }
      if try await !open(directory, dump: dump) { replaced += 1 }
    }
    // The last pages of the file may be free.
    #expect(replaced * step > original.count / 2)
  }

  @Test("the app goes on when the disk fails at any call")
  func failingDisk() async throws {
    let memory = MemoryPersistence()
    let first = PersistedStore(memory.persistence)
    var updates = RandomUpdates(seed: 3)
    try updates.update(first.environment, steps: 100)
    try await first.close()
    let before = memory.state.withLock { $0 }
    for call in 0..<60 {
      memory.state.withLock { $0 = before }
      let faults = FaultyPersistence(
        failingAt: call, with: PersistenceFailure(.io, "The disk is full."), memory.engine)
      let stored = PersistedStore(faults.persistence)
      await stored.store.loaded()
      for _ in 0..<3 {
        try updates.update(stored.environment, steps: 5)
        _ = try? await stored.store.flush()
      }
      try? await stored.store.suspend()
      try? await stored.store.resume()
      stored.check()
      if faults.count.withLock({ $0 }) > call {
        #expect(
          stored.events.problems.contains {
            if case .persistenceFailed = $0 { true } else { false }
          })
        await #expect(throws: RelayError.self) { try await stored.store.flush() }
      }
      // The persisted data is one consistent revision.
      _ = try memory.image()
    }
  }

  @Test("bytes made up with the right checksums never crash the store")
  func hostileRows() async throws {
    let memory = MemoryPersistence()
    let first = PersistedStore(memory.persistence)
    var updates = RandomUpdates(seed: 11)
    updates.objectCount = 40
    try updates.update(first.environment, steps: 300)
    try await first.close()
    let original = memory.state.withLock { $0.rows }
    let format = PersistenceFormat(cipher: nil)
    var random = SeededGenerator(seed: 13)
    var replaced = 0
    for _ in 0..<500 {
      var rows = original
      guard let key = rows.keys.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &random),
        let row = rows[key]
      else { continue }
      var contents = try row.withUnsafeBytes { try format.open($0, at: key).contents }
      for _ in 0..<Int.random(in: 1...3, using: &random) where !contents.isEmpty {
        let position = Int.random(in: 0..<contents.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: contents[position] = UInt8.random(in: 0...255, using: &random)
        case 1: contents.remove(at: position)
        default: contents.insert(UInt8.random(in: 0...255, using: &random), at: position)
        }
      }
      rows[key] = try format.seal(contents, at: key).bytes
      try Self.repairHeader(&rows, format)
      let changed = rows
      memory.state.withLock { $0.rows = changed }
      let stored = PersistedStore(memory.persistence)
      await stored.store.loaded()
      stored.check()
      _ = stored.store.dump(.base)
      stored.check()
      stored.store.collectGarbage()
      stored.check()
      if !stored.events.problems.isEmpty { replaced += 1 }
      try await stored.close()
    }
    #expect(replaced > 50)
  }

  @Test("a shape with a field twice, a type as a field or a field as its type is reported")
  func wrongShapes() async throws {
    let memory = MemoryPersistence()
    let first = PersistedStore(memory.persistence)
    try first.environment.commitUpdate { store in
      let item = try store.create("1", type: "Item")
      try item.setValue("a", for: "text")
      try item.setValue(1, for: "count")
    }
    try await first.close()
    let (original, shapes) = (memory.state.withLock { $0.rows }, try memory.image().shapes)
    let number = try #require(
      shapes.firstIndex { $0.map { $0.typeName != nil && $0.keys.count > 1 } ?? false })
    let (typeName, keys) = (try #require(shapes[number]?.typeName), shapes[number]?.keys ?? [])
    for wrong in [
      PersistedShapes.Shape(typeName: typeName, keys: keys.dropLast() + keys.prefix(1)),
      PersistedShapes.Shape(typeName: typeName, keys: keys.dropLast() + [typeName]),
      PersistedShapes.Shape(typeName: keys[0], keys: keys),
    ] {
      var (rows, changed) = (original, shapes)
      changed[number] = wrong
      let format = PersistenceFormat(cipher: nil)
      let key = RowKey(.shapes, 0)
      rows[key] = try format.seal(Self.row(of: changed), at: key).bytes
      try Self.repairHeader(&rows, format)
      let damaged = rows
      memory.state.withLock { $0.rows = damaged }
      let stored = PersistedStore(memory.persistence)
      await stored.store.loaded()
      stored.check()
      #expect(stored.store.statistics.records == 1 && !stored.events.problems.isEmpty)
      try await stored.close()
    }
  }

  /// The row of the table of shapes that has all of them.
  private static func row(of shapes: [PersistedShapes.Shape?]) -> [UInt8] {
    var writer = ByteWriter()
    writer.number(shapes.count)
    for shape in shapes {
      writer.byte(shape == nil ? 0 : shape?.typeName == nil ? 1 : 2)
      guard let shape else { continue }
      if let typeName = shape.typeName { writer.number(typeName) }
      writer.number(shape.keys.count)
      for key in shape.keys { writer.number(key) }
    }
    return writer.bytes
  }

  /// Makes the header agree with the other rows.
  private static func repairHeader(_ rows: inout [RowKey: [UInt8]], _ format: PersistenceFormat)
    throws
  {
    guard let row = rows[PersistedHeader.key],
      var header = try? PersistedHeader(
        row.withUnsafeBytes { try format.open($0, at: PersistedHeader.key).contents })
    else { return }
    header.sum = 0
    header.rowCount = UInt64(rows.count - 1)
    for (key, row) in rows where key != PersistedHeader.key {
      header.sum ^= try row.withUnsafeBytes { try format.open($0, at: key).checksum }
    }
    rows[PersistedHeader.key] = try format.seal(header.contents, at: PersistedHeader.key).bytes
  }
}
