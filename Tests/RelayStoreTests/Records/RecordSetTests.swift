import RelayStore
import SeededRandom
import Testing

@Suite("Record lists", .timeLimit(.minutes(1)))
struct RecordSetTests {
  @Test("containsAny is correct however far apart the records are")
  func containsAny() {
    var random = SeededGenerator(seed: 3)
    var found = [false: 0, true: 0]
    for _ in 0..<2_000 {
      let limit = [40, 400, 5_000, 50_000][Int.random(in: 0..<4, using: &random)]
      var list = RecordList()
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        let index = RecordIndex(Int.random(in: 0..<limit, using: &random))
        let isNew = !list.indexes.contains(index)
        #expect(list.insert(index) == isNew)
      }
      let first = Int.random(in: 0..<limit, using: &random)
      let span = [1, 10, 3_000, limit][Int.random(in: 0..<4, using: &random)]
      let others = (0..<Int.random(in: 0..<8, using: &random)).map { _ -> RecordIndex in
        if Int.random(in: 0..<8, using: &random) == 0,
          let member = list.indexes.randomElement(using: &random)
        {
          return member
        }
        return RecordIndex(Int.random(in: first..<first + span, using: &random))
      }
      let chunk = ListChunk([], seen: ContiguousArray(others))
      let isThere = others.contains { list.contains($0) }
      #expect(list.containsAny(of: chunk.seen, in: chunk.seenRange) == isThere)
      found[isThere, default: 0] += 1
    }
    #expect(found.values.allSatisfy { $0 > 100 }, "\(found)")
  }
}
