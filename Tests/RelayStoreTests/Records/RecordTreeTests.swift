import SeededRandom
import Testing

@testable import InvariantChecks
@testable import RelayStore

@Suite("Record trees", .timeLimit(.minutes(1)))
struct RecordTreeTests {
  private enum Slot: Equatable {
    case unused
    case record(String)
    case tombstone(String)
  }

  /// A version of a tree that is still read, and what it had.
  private struct Version {
    let number: UInt64
    let records: RecordTree
    let slots: [Slot]
  }

  private struct Held { weak var record: RecordBox? }

  private func record(_ id: String) -> RecordBox { DataID(id).withBytes { .unknown(id: $0) } }

  private func slots(_ tree: RecordTree) -> [Slot] {
    tree.indices.map { position in
      tree[position].map { .record($0.id.rawValue) }
        ?? tree.withTombstone(at: position) { .tombstone($0.text) } ?? .unused
    }
  }

  /// A tree with a model, and the records that it has had.
  private struct Run {
    var tree = RecordTree()
    var model: [Slot] = []
    var held: [Held] = []
    var number: UInt64 = 0

    mutating func publish() -> Version {
      number += 1
      return Version(
        number: number, records: RecordTree(published: tree.publish(number)), slots: model)
    }

    /// Publishes a version, and frees everything that it does not have.
    mutating func reclaimAll() { _ = tree.reclaim(before: publish().number) }

    mutating func append(_ record: RecordBox?) {
      held.append(Held(record: record))
      model.append(record.map { .record($0.id.rawValue) } ?? .unused)
      tree.append(record)
    }

    mutating func set(_ position: Int, to record: RecordBox?) {
      held.append(Held(record: record))
      model[position] = record.map { .record($0.id.rawValue) } ?? .unused
      tree[position] = record
    }

    mutating func entomb(_ position: Int, _ id: String) {
      model[position] = .tombstone(id)
      #expect(DataID(id).withBytes { tree.entomb(position, id: $0) })
    }

    mutating func truncate(to end: Int) {
      for position in end..<model.count { set(position, to: nil) }
      model.removeSubrange(end...)
      tree.truncate(to: end)
    }
  }

  @Test("every version reads as it was published, whatever is written after it", arguments: 0..<10)
  func versions(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (run, versions) = (Run(), [Version]())
    for step in 0..<150 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6:
        for number in 0..<Int.random(in: 1...150, using: &random) {
          run.append(Bool.random(using: &random) ? record("\(step).\(number)") : nil)
        }
      case 6..<14 where !run.model.isEmpty:
        for number in 0..<Int.random(in: 1...20, using: &random) {
          let position = Int.random(in: run.model.indices, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: run.set(position, to: nil)
          case 1:
            // Some ids have counts of more than one byte, and one is longer than a block.
            let long = [0, 0, 0, 300, number == 0 ? 70_000 : 9].randomElement(using: &random) ?? 0
            run.entomb(position, "\(step).\(number)" + String(repeating: "x", count: long))
          default: run.set(position, to: record("\(step).\(number)"))
          }
        }
      case 14: run.truncate(to: Int.random(in: 0...run.model.count, using: &random))
      case 15: run.tree.compactTombstones()
      case 16..<19:
        versions.append(run.publish())
        if versions.count > 5 { versions.remove(at: 1) }
      default:
        if !versions.isEmpty {
          versions.remove(at: Int.random(in: versions.indices, using: &random))
        }
        if let earliest = versions.first { _ = run.tree.reclaim(before: earliest.number) }
      }
      #expect(slots(run.tree) == run.model)
      #expect(run.tree.checkInvariants() == nil)
      for version in versions { #expect(slots(version.records) == version.slots) }
    }
    run.reclaimAll()
    #expect(run.tree.retiredCount == 0)
    let count = run.model.count { if case .record = $0 { true } else { false } }
    #expect(run.held.count { $0.record != nil } == count)
    run.tree = RecordTree()
    #expect(run.held.allSatisfy { $0.record == nil })
  }

  @Test("a version that changes one of a million records copies three nodes of 1 KB")
  func copiedNodes() {
    var tree = RecordTree(count: 1_000_000)
    tree[777_777] = record("old")
    let version = RecordTree(published: tree.publish(1))
    tree[777_777] = record("new")
    tree[777_778] = record("next to it")
    // Three nodes and the record.
    #expect(tree.retiredCount == 4)
    _ = tree.reclaim(before: 1)
    #expect(tree.retiredCount == 4)
    #expect(version.unretained(at: 777_777)?.takeUnretainedValue().id == "old")
    _ = tree.publish(2)
    _ = tree.reclaim(before: 2)
    #expect(tree.retiredCount == 0 && tree[777_777]?.id == "new")
  }

  @Test("a tree of three levels that shrinks to one, and grows again, leaves its version as it was")
  func levels() {
    var run = Run()
    for number in 0..<20_000 { run.append(number % 3 == 0 ? record("\(number)") : nil) }
    let version = run.publish()
    #expect(nodeCount(run.tree) == 160)
    run.truncate(to: 16_500)
    #expect(nodeCount(run.tree) == 132)
    run.truncate(to: 100)
    #expect(nodeCount(run.tree) == 1)
    for number in 0..<300 { run.append(record("again \(number)")) }
    #expect(slots(run.tree) == run.model && slots(version.records) == version.slots)
    run.truncate(to: 0)
    run.append(record("last"))
    #expect(slots(run.tree) == run.model && slots(version.records) == version.slots)
    run.reclaimAll()
    #expect(run.tree.retiredCount == 0 && run.held.count { $0.record != nil } == 1)
  }

  @Test("a tree can be written after it lost the part with its records", arguments: [1, 100, 300])
  func emptyRest(count: Int) {
    var run = Run(tree: RecordTree(count: 20_000), model: Array(repeating: .unused, count: 20_000))
    run.set(19_000, to: record("far"))
    run.truncate(to: count)
    run.set(count - 1, to: record("set"))
    run.append(record("appended"))
    #expect(slots(run.tree) == run.model)
  }

  @Test("a record that no version has is released as soon as it is replaced")
  func immediateRelease() {
    var tree = RecordTree()
    tree.append(record("a"))
    let held = Held(record: tree[0])
    tree[0] = record("b")
    #expect(held.record == nil && tree.retiredCount == 0)
  }

  @Test("a copy of a tree and the tree do not see each other's writes")
  func copies() {
    var run = Run()
    for number in 0..<300 { run.append(record("\(number)")) }
    run.entomb(7, "seven")
    _ = run.publish()
    var copy = run
    copy.set(5, to: record("copy"))
    copy.entomb(8, "eight")
    run.set(6, to: record("tree"))
    run.entomb(9, "nine")
    #expect(slots(run.tree) == run.model && slots(copy.tree) == copy.model)
    run = Run()
    #expect(slots(copy.tree) == copy.model)
  }

  /// The number of nodes that a tree reaches.
  private func nodeCount(_ tree: RecordTree) -> Int {
    var count = 0
    guard let root = tree.words.nodes.root else { return 0 }
    WordNode.visit(root, shift: tree.words.nodes.shift) { _ in
    } node: { _ in
      count += 1
    }
    return count
  }

  @Test("records can be appended after a page of tombstones")
  func appendingAfterTombstones() {
    var run = Run()
    for number in 0..<10 { run.append(record("\(number)")) }
    let isValid = [UInt8](arrayLiteral: 1, 97).withUnsafeBytes {
      run.tree.appendTombstones(0b100, ofWord: 3, entries: $0)
    }
    run.model += Array(repeating: .unused, count: 184) + [.tombstone("a")]
    for number in 0..<10 { run.append(record("after \(number)")) }
    #expect(isValid && slots(run.tree) == run.model)
  }

  @Test("compaction frees the bytes of removed tombstones, when no version has them")
  func compaction() {
    var run = Run()
    for number in 0..<10 {
      run.append(nil)
      run.entomb(number, "tombstone \(number)")
    }
    let version = run.publish()
    for number in 0..<6 { run.set(number, to: nil) }
    #expect(run.tree.tombstoneByteCount == 120)
    let retired = run.tree.retiredCount
    run.tree.compactTombstones()
    // The block, and the list of blocks.
    #expect(run.tree.tombstoneByteCount == 48 && run.tree.retiredCount == retired + 2)
    #expect(slots(run.tree) == run.model && slots(version.records) == version.slots)
  }

  @Test("a position outside of the tree is not in use")
  func bounds() {
    var tree = RecordTree()
    #expect(tree[0] == nil && !tree.isInUse(0))
    tree.append(record("a"))
    #expect(tree[1] == nil && tree[RecordIndex.none.position] == nil)
  }

  @Test("a table of epochs lists the records that have one")
  func epochs() {
    var table = EpochTable()
    for position in [70, 0, 3] { table[RecordIndex(position)] = UInt64(position) }
    #expect(table.indexes.map(\.position) == [0, 3, 70])
    table[RecordIndex(3)] = nil
    #expect(table.indexes.map(\.position) == [0, 70] && table.count == 2)
  }

  @Test("only tombstones can be persisted ones")
  func persistedTombstones() {
    var tree = RecordTree(count: 2)
    let id: [UInt8] = [97]
    #expect(id.withUnsafeBytes { tree.entomb(1, id: $0) })
    #expect(!tree.setPersisted(true, at: 0) && tree.setPersisted(true, at: 1))
    #expect(!tree.setPersisted(true, at: 1) && slots(tree) == [.unused, .tombstone("a")])
  }

  @Test("malformed entries of tombstones are refused")
  func malformedEntries() {
    func append(_ bytes: [UInt8], _ members: UInt64) -> [Slot]? {
      var tree = RecordTree()
      let isValid = bytes.withUnsafeBytes {
        tree.appendTombstones(members, ofWord: 1, entries: $0)
      }
      return isValid ? Array(slots(tree).dropFirst(64)) : nil
    }
    #expect(append([1, 97, 2, 98, 99], 0b101) == [.tombstone("a"), .unused, .tombstone("bc")])
    #expect(append([1, 97], 0b1) == [.tombstone("a")])
    #expect(append([], 0) == [])
    #expect(append([1, 97], 0b11) == nil && append([1, 97, 0], 0b1) == nil)
    #expect(append([2, 97], 0b1) == nil && append([0x80], 0b1) == nil)
    var tree = RecordTree(count: 65)
    #expect(
      ![UInt8](arrayLiteral: 1, 97).withUnsafeBytes {
        tree.appendTombstones(1, ofWord: 1, entries: $0)
      })
  }
}
