import SeededRandom
import Testing

@testable import RelayStore

@Suite("Field cells and record tables", .timeLimit(.minutes(1)))
struct RecordTableTests {
  private let id = DataID("an-id-of-some-length")
  private let keys = (0..<20).map { FieldKey(rawValue: $0) }

  private func record(_ values: [FieldValue]) -> Record {
    var shapes = ShapeTable()
    var draft = RecordDraft(Record(id.withBytes(RecordBox.unknown)))
    _ = draft.become(present: "T")
    for (key, value) in zip(keys, values) { _ = draft.set(key, to: value) }
    return draft.record(&shapes)
  }

  @Test("every kind of value is stored losslessly")
  func roundTrip() {
    let values: [FieldValue] = [
      .null, .bool(true), .bool(false), .int(0), .int(-1), .int(.max), .int(.min),
      .int(1 << 60 - 1), .int(1 << 60), .int(-(1 << 60)), .number(JSONNumber(digits: "1.50")),
      .number(JSONNumber(digits: "-0")), .string(""), .string("é"), .string(id.rawValue),
      .string(String(repeating: "long ", count: 100)), .link(RecordIndex(rawValue: 7)),
      .links([RecordIndex(rawValue: 7), .none]), .list([.int(1), .list([.null])]),
      .object(["a": 1]),
    ]
    let record = record(values)
    #expect(record.values == values)
    #expect(keys.map { record[$0] } == values.map(Optional.some))
    #expect(record.box.id == id)
  }

  @Test("records are equal if their values are equal, regardless of earlier writes")
  func equality() {
    #expect(record([.string("a"), .links([.none])]) == record([.string("a"), .links([.none])]))
    #expect(record([.string("a")]) != record([.string("b")]))
    #expect(record([.string("1")]) != record([.number(JSONNumber(digits: "1"))]))
    #expect(record([.string("e\u{301}")]) != record([.string("\u{E9}")]))
  }

  @Test("an id that differs in one byte is another id, with another hash", arguments: 1...50)
  func differentByte(count: Int) {
    let bytes = [UInt8](repeating: 0x61, count: count)
    bytes.withUnsafeBytes { id in
      #expect(id.hasSameBytes(as: UnsafeRawBufferPointer(rebasing: id[...])))
      for position in 0..<count {
        var other = bytes
        other[position] = 0x62
        other.withUnsafeBytes { other in
          #expect(!id.hasSameBytes(as: other) && !other.hasSameBytes(as: id))
          #expect(RecordTable.hash(id) != RecordTable.hash(other), "byte \(position)")
        }
      }
      let shorter = UnsafeRawBufferPointer(rebasing: id[..<(count - 1)])
      #expect(!id.hasSameBytes(as: shorter) && RecordTable.hash(id) != RecordTable.hash(shorter))
    }
  }

  @Test("the hashes of ids that count up are spread evenly", arguments: ["", "T:", "client:x:y:"])
  func evenHashes(prefix: String) {
    var counts = [Int](repeating: 0, count: 1 << 8)
    for number in 0..<25_600 {
      let hash = DataID(prefix + String(number)).withBytes(RecordTable.hash)
      counts[Int(hash >> 24)] += 1
      counts[Int(hash & 0xFF)] += 1
    }
    // 200 of each, within seven standard deviations.
    #expect(counts.allSatisfy { (100...300).contains($0) }, "\(counts)")
  }

  @Test("ids are found by their bytes, also after other ids are removed")
  func lookupAfterDropping() {
    var table = RecordTable()
    var indexes: [RecordIndex] = []
    for number in 0..<1000 {
      DataID("id\(number)").withBytes { id in
        indexes.append(table.insert(.unknown(id: id), hash: RecordTable.hash(id)))
      }
    }
    func index(_ id: DataID) -> RecordIndex? {
      id.withBytes { table.index(of: $0, hash: RecordTable.hash($0)) }
    }
    for index in indexes where index.position % 3 == 0 { table.drop(index) }
    #expect(table.purgeBuckets(from: 0, count: .max / 2) == nil)
    for number in 0..<1000 {
      #expect(index(DataID("id\(number)")) == (number % 3 == 0 ? nil : indexes[number]))
    }
    #expect(index("e\u{301}") == nil)
    let reused = DataID("new").withBytes {
      table.insert(.unknown(id: $0), hash: RecordTable.hash($0))
    }
    #expect(reused.position % 3 == 0 && index("new") == reused)
  }

  @Test(
    "new records are inserted before the indexes of dropped ones are free", .timeLimit(.minutes(1))
  )
  func writingAfterDropping() {
    var table = RecordTable()
    func add(_ id: DataID) -> RecordIndex {
      id.withBytes { table.insert(.unknown(id: $0), hash: RecordTable.hash($0)) }
    }
    let old = (0..<12).map { add(DataID("old \($0)")) }
    for index in old { table.drop(index) }
    let new = (0..<12).map { add(DataID("new \($0)")) }
    for (number, index) in new.enumerated() {
      let found = DataID("new \(number)").withBytes {
        table.index(of: $0, hash: RecordTable.hash($0))
      }
      #expect(found == index)
    }
    #expect(table.purgeBuckets(from: 0, count: .max / 2) == nil)
    #expect(Set(new).count == 12)
  }

  @Test("after most records are dropped in slices, the rest are found and free indexes are reused")
  func manyDropped() {
    var table = RecordTable()
    func find(_ id: DataID) -> RecordIndex? {
      id.withBytes { table.index(of: $0, hash: RecordTable.hash($0)) }
    }
    let ids = (0..<60_000).map { DataID("id \($0)") }
    let numbers = ids.map { id in
      id.withBytes { table.insert(.unknown(id: $0), hash: RecordTable.hash($0)) }
    }
    for (place, index) in numbers.enumerated() where place % 5 != 0 { table.drop(index) }
    var (place, slices) = (Optional(0), 0)
    while let first = place {
      place = table.purgeBuckets(from: first, count: 64)
      slices += 1
    }
    #expect(slices > 1_000)
    table.shrinkBuckets()
    for (place, id) in ids.enumerated() {
      #expect(find(id) == (place % 5 == 0 ? numbers[place] : nil))
    }
    #expect(table.ids.probeCount < 4 * ids.count / 5)
    let reused = DataID("new").withBytes {
      table.insert(.unknown(id: $0), hash: RecordTable.hash($0))
    }
    #expect(reused.position < ids.count + 1 && find("new") == reused)
  }

  @Test("an id with a tombstone keeps its index; a dropped id frees it")
  func tombstonesAndDrops() {
    var table = RecordTable()
    var numbers: [DataID: RecordIndex] = [:]
    var generator = SeededGenerator(seed: 7)
    func find(_ id: DataID) -> RecordIndex? {
      id.withBytes { table.index(of: $0, hash: RecordTable.hash($0)) }
    }
    func add(_ id: DataID) {
      numbers[id] = id.withBytes {
        table.insert(.unknown(id: $0), hash: RecordTable.hash($0))
      }
    }
    for round in 0..<60 {
      // Some ids are longer than any real id.
      for number in 0..<200 where Bool.random(using: &generator) {
        let id = DataID("\(round % 7)-\(number)" + String(repeating: "x", count: number * 3))
        if let index = numbers[id] {
          id.withBytes { table.replace(index, by: .unknown(id: $0)) }
        } else {
          add(id)
        }
      }
      for (id, index) in numbers {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: table.entomb(index)
        case 1:
          table.drop(index)
          numbers[id] = nil
        default: break
        }
      }
      // Insert other records during a garbage collection.
      if round % 2 == 0 { add(DataID("between \(round)")) }
      var place: Int? = 0
      while let first = place {
        place = table.purgeBuckets(from: first, count: 16)
        if round % 3 == 0 { add(DataID("\(round) beside \(first)")) }
      }
      if round % 5 == 0 {
        table.shrinkBuckets()
        table.shrinkIndexes()
      }
      for (id, index) in numbers {
        #expect(find(id) == index)
        #expect(table.id(of: index) == id && table[index]?.id == id)
      }
      #expect(Set(numbers.values).count == numbers.count)
      #expect(find(DataID("nobody")) == nil)
    }
    for index in numbers.values { table.drop(index) }
    while table.purgeBuckets(from: 0, count: .max / 2) != nil {}
    table.shrinkBuckets()
    table.shrinkIndexes()
    #expect(table.indexBound == 0)
    for id in numbers.keys { #expect(find(id) == nil) }
  }
}
