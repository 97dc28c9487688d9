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
    let records: RecordVersion
    let slots: [Slot]
  }

  private struct Held { weak var record: RecordBox? }

  private func record(_ id: String) -> RecordBox { DataID(id).withBytes { .unknown(id: $0) } }

  private func slots(_ version: RecordVersion) -> [Slot] {
    (0..<version.nodes.count).map { position in
      if let record = version.nodes.record(at: position)?.takeUnretainedValue() {
        .record(record.id.rawValue)
      } else {
        version.withTombstone(at: position) { .tombstone($0.text) } ?? .unused
      }
    }
  }

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

  @Test("every version reads as it was published, whatever is written after it", arguments: 0..<20)
  func versions(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (run, versions) = (Run(), [Version]())
    for step in 0..<300 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6:
        for number in 0..<Int.random(in: 1...300, using: &random) {
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
        versions.append(Version(records: run.tree.publish(), slots: run.model))
      default:
        if !versions.isEmpty {
          versions.remove(at: Int.random(in: versions.indices, using: &random))
        }
        if let earliest = versions.first { run.tree.reclaim(before: earliest.records.number) }
      }
      #expect(slots(run.tree) == run.model)
      #expect(run.tree.checkInvariants() == nil)
      for version in versions { #expect(slots(version.records) == version.slots) }
    }
    run.tree.reclaim(before: run.tree.publish().number)
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
    let version = tree.publish()
    tree[777_777] = record("new")
    tree[777_778] = record("next to it")
    // Three nodes and the record.
    #expect(tree.retiredCount == 4)
    tree.reclaim(before: version.number)
    #expect(tree.retiredCount == 4)
    #expect(version.nodes.record(at: 777_777)?.takeUnretainedValue().id == "old")
    tree.reclaim(before: tree.publish().number)
    #expect(tree.retiredCount == 0 && tree[777_777]?.id == "new")
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
    _ = run.tree.publish()
    var copy = run
    copy.set(5, to: record("copy"))
    copy.entomb(8, "eight")
    run.set(6, to: record("tree"))
    run.entomb(9, "nine")
    #expect(slots(run.tree) == run.model && slots(copy.tree) == copy.model)
    run = Run()
    #expect(slots(copy.tree) == copy.model)
  }

  @Test("a position outside of the tree is not in use")
  func bounds() {
    var tree = RecordTree()
    #expect(tree[0] == nil && !tree.isInUse(0))
    tree.append(record("a"))
    #expect(tree[1] == nil && tree[RecordIndex.none.position] == nil)
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
    #expect(append([], 0) == [])
    #expect(append([1, 97], 0b11) == nil && append([1, 97, 0], 0b1) == nil)
    #expect(append([2, 97], 0b1) == nil && append([0x80], 0b1) == nil)
  }
}
