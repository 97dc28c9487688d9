import RelayStore
import SeededRandom
import Testing

@testable import InvariantChecks
@testable import RelayLocalQueries
@testable @_spi(GeneratedCode) import RelayStore

/// Random changes of a store of todos and users.
private struct RandomChanges {
  var random: SeededGenerator
  let environment: RelayEnvironment
  private var updates: [OptimisticUpdate] = []
  /// The number of times that each kind of change was made.
  private(set) var made: [String: Int] = [:]

  init(seed: UInt64, _ environment: RelayEnvironment) {
    (random, self.environment) = (SeededGenerator(seed: seed), environment)
  }

  private mutating func number(below bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &random)
  }

  /// Returns an updater that changes some records.
  private mutating func updater() -> StoreUpdater {
    let isLarge = number(below: 12) == 0
    let steps = (0..<(isLarge ? 100 : 1 + number(below: 4))).map { _ in
      (kind: number(below: 8), id: "\(number(below: 120))", value: number(below: 12))
    }
    return { store in
      // An update does not recreate a record that it deleted.
      var deleted: Set<String> = []
      for (kind, id, value) in steps where !deleted.contains(id) {
        let record = try store[DataID(id)]
        switch kind {
        case 0..<4:
          if try record?.typeName != "User" {
            try LocalFixture.write(id, "t\(value % 5)", n: value % 3 == 0 ? nil : value, in: store)
          }
        case 4: try record?.setValue(.number(JSONNumber(value)), for: "n")
        case 5:
          deleted.insert(id)
          try store.delete(DataID(id))
        case 6: try record?.removeValue("text")
        default:
          let user =
            try store[DataID("u\(value)")] ?? store.create(DataID("u\(value)"), type: "User")
          try user.setValue(.string("name \(value)"), for: "name")
          try record?.setLinkedRecord(user, for: "assignee")
        }
      }
    }
  }

  mutating func make() throws {
    switch number(below: 22) {
    case 0..<11:
      made["commit", default: 0] += 1
      try environment.commitUpdate(updater())
    case 11:
      made["batch", default: 0] += 1
      let updaters = [updater(), updater(), updater()]
      try environment.batch { for updater in updaters { try environment.commitUpdate(updater) } }
    case 12, 13, 14:
      made["apply", default: 0] += 1
      updates.append(try environment.applyUpdate(updater()))
    case 15, 16, 17:
      guard !updates.isEmpty else { return }
      made["revert", default: 0] += 1
      updates.remove(at: number(below: updates.count)).revert()
    case 18:
      if environment.store.collectGarbage().collected > 0 { made["collect", default: 0] += 1 }
    case 19, 20:
      made["type", default: 0] += 1
      let type = number(below: 2) == 0 ? "User" : "Todo"
      try LocalFixture.write("\(number(below: 120))", type: type, to: environment)
    default:
      guard number(below: 4) == 0 else { return }
      made["reset", default: 0] += 1
      environment.reset()
      updates = []
    }
  }
}

/// `make soak` runs many more cases, so the suite has 20 minutes.
@Suite("Local queries against filtering and sorting all rows", .timeLimit(.minutes(20)))
@MainActor
struct RandomLocalQueryTests {
  private let environment = LocalFixture().environment

  private typealias Todo = LocalRow<LocalTodo>

  /// Returns the complete todos, each read separately.
  private func all() -> [LocalTodo] {
    (0..<120).compactMap { id in
      let snapshot = environment.read(FragmentRef<LocalTodo>(id: DataID("\(id)")))
      return snapshot.isMissingData ? nil : snapshot.data
    }
  }

  private static let query = LocalFixture.todos.filter { $0.n ?? 0 < 9 }
    .sorted(by: \.text, .descending).then(by: \.n)

  /// Returns the rows of ``query``.
  private func expected() -> [LocalTodo] {
    all().filter { $0.n ?? 0 < 9 }.sorted { a, b in
      if a.text != b.text { return a.text > b.text }
      if a.n != b.n { return a.n ?? .min < b.n ?? .min }
      return a.id < b.id
    }
  }

  /// Returns the rows of ``query``, sectioned by the assignee's name.
  private func expectedSections() -> [(key: String, rows: [LocalTodo])] {
    Dictionary(grouping: expected()) { $0.assignee?.name ?? "" }
      .sorted { $0.key > $1.key }.map { ($0.key, $0.value) }
  }

  @Test(
    "a stream, models and single reads have the rows, and each difference makes the new state",
    arguments: 1...6)
  func random(seed: UInt64) async throws {
    var changes = RandomChanges(seed: seed, environment)
    var differences: [ListChanges] = []
    var sectioned: [SectionedChanges] = []
    let list = environment.model(Self.query) { differences.append($0) }
    let sections = environment.model(
      Self.query, sectionedBy: { $0.assignee?.name ?? "" }, .descending
    ) { sectioned.append($0) }
    var iterator = environment.observe(Self.query).makeAsyncIterator()
    var received = Array(try #require(await iterator.next()).rows)
    for step in 0..<150 {
      let (rows, groups) = (Array(list.rows), sections.sections)
      try changes.make()
      let expected = expected()
      let comment: Comment = "seed \(seed), step \(step)"
      try #require(list.rows.map(\.data) == expected, comment)
      try #require(
        sections.sections.map(\.key) == expectedSections().map(\.key)
          && sections.sections.map { $0.rows.map(\.data) } == expectedSections().map(\.rows),
        comment)
      // A commit makes one change.
      #expect(differences.count <= 1 && differences.count == sectioned.count, comment)
      #expect((differences.isEmpty) == (rows == Array(list.rows)), comment)
      if let difference = differences.popLast(), let sectionDifference = sectioned.popLast() {
        let new = Array(list.rows)
        #expect(difference.apply(to: rows, makes: new) == new, comment)
        #expect(
          sectionDifference.apply(to: groups, makes: sections.sections)
            == sections.sections.map { Array($0.rows) }, comment)
      }
      #expect(environment.read(Self.query).rows == list.rows, comment)
      // A slow consumer: it only receives some of the states.
      if step % 3 == 0, received != Array(list.rows) {
        let snapshot = try #require(await iterator.next())
        try #require(snapshot.rows == list.rows, comment)
        #expect(
          snapshot.changes?.apply(to: received, makes: Array(list.rows)) == Array(list.rows),
          comment)
        received = Array(list.rows)
      }
    }
    #expect(environment.store.checkInvariants() == nil)
    for kind in ["commit", "batch", "apply", "revert", "collect", "type"] {
      #expect(changes.made[kind] ?? 0 > 0, "seed \(seed) has made no \(kind)")
    }
  }
}

@Suite("The sorted list of rows", .timeLimit(.minutes(1)))
struct RowListTests {
  private static func row(_ number: Int) -> RowBox {
    LocalTodo(__row: Row(LocalTodo.__plan, "\(number)", "", number)).__row.box
  }

  @Test(
    "a list has the rows of an array that is changed alike, and its copies stay", arguments: 1...6)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func areInOrder(_ left: RowBox, _ right: RowBox) -> Bool {
      LocalTodo(__row: Row(left)).n ?? 0 < LocalTodo(__row: Row(right)).n ?? 0
    }
    var numbers = (0..<Int.random(in: 0..<900, using: &random)).map { $0 * 3 }
    var rows = Dictionary(uniqueKeysWithValues: numbers.map { ($0, Self.row($0)) })
    var list = RowList(ContiguousArray(numbers.compactMap { rows[$0] }))
    func isEqual(_ list: RowList, _ numbers: [Int]) -> Bool {
      list.count == numbers.count
        && list.all.map { LocalTodo(__row: Row($0)).n } == numbers.map(Optional.some)
        && numbers.indices.allSatisfy { LocalTodo(__row: Row(list[$0])).n == numbers[$0] }
    }
    // The list grows first, then shrinks until it is empty.
    for step in 0..<4_000 {
      let (copy, before) = (list, numbers)
      let isInsertion = Int.random(in: 0..<4, using: &random) < (step < 1_500 ? 3 : 1)
      if isInsertion {
        let number = Int.random(in: 0..<100_000, using: &random)
        guard rows[number] == nil else { continue }
        rows[number] = Self.row(number)
        list.insert(try #require(rows[number]), by: areInOrder)
        numbers.insert(number, at: RowList.partition(numbers.count) { numbers[$0] < number })
      } else if let number = numbers.randomElement(using: &random) {
        let row = try #require(rows[number])
        rows[number] = nil
        #expect(list.position(of: row, by: areInOrder) == numbers.firstIndex(of: number))
        list.remove(row, by: areInOrder)
        numbers.removeAll { $0 == number }
        #expect(list.position(of: row, by: areInOrder) == nil)
      }
      if step % 40 == 0 {
        #expect(isEqual(list, numbers) && isEqual(copy, before), "seed \(seed), step \(step)")
      }
    }
    #expect(isEqual(list, numbers))
  }
}
