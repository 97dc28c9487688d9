import SeededRandom
import Testing

@testable import RelayStore

@Suite("The field tree of a record with many fields", .timeLimit(.minutes(1)))
struct FieldTreeTests {
  private func key(_ number: Int) -> FieldKey { FieldKey(rawValue: UInt32(number)) }

  private func tree(_ numbers: some Sequence<Int>) -> FieldTree {
    FieldTree(numbers.map { FieldTree.Field(key: key($0), value: .int($0)) })
  }

  private func fields(_ tree: FieldTree) -> [FieldTree.Field] {
    var fields: [FieldTree.Field] = []
    tree.forEach { fields.append($0) }
    return fields
  }

  @Test(
    "a field tree holds the same fields as a dictionary, in the order of the keys",
    arguments: 0..<20)
  func asDictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (tree, model) = (FieldTree(), [FieldKey: FieldTree.Field]())
    var versions: [(FieldTree, [FieldKey: FieldTree.Field])] = []
    let range = [20, 300, 5_000, 1 << 32 - 1].randomElement(using: &random) ?? 20
    for step in 0..<600 {
      let key = key(Int.random(in: 0...range, using: &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        #expect(tree.remove(key) == (model.removeValue(forKey: key) != nil))
      } else {
        let isFailed = Int.random(in: 0..<5, using: &random) == 0
        let errors = isFailed ? [StoredError(message: "no", path: [])] : []
        let field = FieldTree.Field(key: key, value: .int(step), errors: errors)
        tree.set(field)
        model[key] = field
      }
      if step % 100 == 50 { versions.append((tree, model)) }
    }
    versions.append((tree, model))
    for (tree, model) in versions {
      let sorted = model.values.sorted { $0.key.rawValue < $1.key.rawValue }
      #expect(fields(tree) == sorted && tree.count == sorted.count)
      #expect(tree.errorCount == sorted.count { !$0.errors.isEmpty })
      #expect(sorted.allSatisfy { tree[$0.key] == $0 })
      #expect(FieldTree(sorted.reversed()) == tree)
      let start = key(range / 2)
      #expect(
        tree.fields(from: start, limit: 7)
          == Array(sorted.filter { $0.key.rawValue >= start.rawValue }.prefix(7)))
    }
    for (old, oldModel) in versions {
      var found: [FieldKey: FieldTree.Field] = [:]
      tree.forEachDifference(from: old) { found[$0.key] = $0 }
      #expect(model.values.allSatisfy { oldModel[$0.key] == $0 || found[$0.key] == $0 })
      #expect(found.values.allSatisfy { model[$0.key] == $0 })
      #expect((tree == old) == (model == oldModel))
    }
  }

  @Test("a record above the cell limit is stored as a tree, written by an updater or a response")
  func storedAsTree() throws {
    let test = TestStore()
    func isTree(_ id: DataID) -> Bool {
      test.store.withState { state in
        state.source.index(of: id).map { state.source[base: $0].box.fields != nil } ?? false
      }
    }
    let limit = RecordBox.cellLimit
    try test.environment.commitUpdate { store in
      let item = try store.create("a", type: "Item")
      for number in 0..<limit { try item.setValue(number, for: "f\(number)") }
    }
    #expect(!isTree("a"))
    try test.environment.commitUpdate { try $0["a"]?.setValue(0, for: "more") }
    #expect(isTree("a"))
    let query = TestSelection(
      "query Q($n: Int) { f(n: $n) }", schema: "type Query { f(n: Int): Int }")
    for number in 0..<limit * 2 {
      try test.write(query, ["f": 1], variables: ["n": JSONValue(number)])
    }
    #expect(isTree(.root))
  }

  @Test("a write shares all but a few fields with the previous tree, regardless of size")
  func sharing() {
    for size in [1_000, 40_000] {
      let old = tree(0..<size)
      var new = old
      new.set(FieldTree.Field(key: key(size / 3), value: .null))
      new.set(FieldTree.Field(key: key(size * 20), value: .null))
      var visited = 0
      new.forEachDifference(from: old) { _ in visited += 1 }
      #expect(visited <= 32, "\(visited) fields of \(size)")
    }
  }
}
