import SeededRandom
import Testing

@testable import RelayStore

@Suite("ID tables", .timeLimit(.minutes(1)))
struct IDTableTests {
  /// A bucket of one of a few hashes, so that probe sequences overlap and wrap around.
  private func bucket(_ number: Int) -> UInt64 {
    IDTable.bucket(
      RecordIndex(number), hash: UInt32(truncatingIfNeeded: number % 37 &* 0x9E37_79B9))
  }

  private func find(_ number: Int, in table: IDTable) -> RecordIndex? {
    table.find(hash: IDTable.hash(of: bucket(number))) { $0.position == number }.index
  }

  @Test("inserted indexes are found, removed ones are not, whatever the size", arguments: 0..<10)
  func changes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (table, model) = (IDTable(), Set<Int>())
    for _ in 0..<3000 {
      let number = Int.random(in: 0..<400, using: &random)
      if model.contains(number) {
        let found = table.find(hash: IDTable.hash(of: bucket(number))) { $0.position == number }
        table.remove(at: found.bucket)
        model.remove(number)
      } else {
        if (model.count + 1) * 4 > table.count * 3 {
          table.resize(to: table.count * 2) { _ in true }
        }
        table.insert(bucket(number))
        model.insert(number)
      }
      if model.count * 8 < table.count, table.count > 16 {
        table.resize(to: table.count / 2) { _ in true }
      }
      let probe = Int.random(in: 0..<400, using: &random)
      #expect((find(probe, in: table) != nil) == model.contains(probe))
    }
    for number in 0..<400 {
      #expect(find(number, in: table)?.position == (model.contains(number) ? number : nil))
    }
    var removed = table
    removed.removeBuckets(in: 0..<table.count) { $0.position % 2 == 1 }
    #expect((0..<table.count).count { removed[$0] != 0 } == model.count { $0 % 2 == 0 })
    table.resize(to: table.count) { $0.position % 2 == 0 }
    for number in 0..<400 {
      #expect((find(number, in: table) != nil) == (model.contains(number) && number % 2 == 0))
    }
  }
}

extension IDTable {
  /// The total probe length: the number of buckets visited when every id is looked up once.
  ///
  /// - Complexity: O(*n*) in the buckets.
  var probeCount: Int {
    let mask = count - 1
    return (0..<count).reduce(0) { sum, position in
      let home = Int(truncatingIfNeeded: Self.hash(of: self[position])) & mask
      return self[position] == 0 ? sum : sum + 1 + (position - home) & mask
    }
  }
}
