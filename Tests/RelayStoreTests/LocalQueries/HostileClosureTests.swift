import RelayLocalQueries
import RelayStore
@_spi(GeneratedCode) import RelayStore
import SeededRandom
import Testing

@Suite("Local queries with closures that break the rules", .timeLimit(.minutes(1)))
struct HostileClosureTests {
  private let test = LocalFixture()
  private var environment: RelayEnvironment { test.environment }

  /// Applies random changes, and checks after each one that the rows match all todos.
  private func check(_ query: LocalQuery<LocalTodo>, seed: UInt64) async throws {
    let environment = LocalFixture().environment
    var random = SeededGenerator(seed: seed)
    var iterator = environment.observe(query).makeAsyncIterator()
    var rows = Array(try #require(await iterator.next()).rows)
    var expected: [String: String] = [:]
    for step in 0..<150 {
      let ids = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        "\(Int.random(in: 0..<300, using: &random))"
      }
      if step % 5 == 4 {
        for id in ids { expected[id] = nil }
        try environment.commitUpdate { for id in ids { try $0.delete(DataID(id)) } }
        // Deleting only absent todos delivers no snapshot.
        if Set(ids.map { DataID($0) }).isDisjoint(with: rows.map(\.id)) { continue }
      } else {
        for id in ids { expected[id] = "\(step)" }
        try environment.commitUpdate {
          for id in ids { try LocalFixture.write(id, "\(step)", in: $0) }
        }
      }
      let snapshot = try #require(await iterator.next())
      let new = Array(snapshot.rows)
      #expect(new.count == expected.count)
      #expect(new.allSatisfy { expected[$0.data.id] == $0.data.text }, "seed \(seed)")
      #expect(snapshot.changes?.apply(to: rows, makes: new) == new, "seed \(seed), step \(step)")
      rows = new
    }
  }

  @Test("an order that is no strict weak order has the same rows", arguments: [1, 2, 3])
  func order(seed: UInt64) async throws {
    try await check(LocalFixture.todos.sorted { _, _ in true }, seed: seed)
    try await check(LocalFixture.todos.sorted { $0.id.count < 2 || $1.id.count > 2 }, seed: seed)
    let state = Locked(SeededGenerator(seed: seed))
    try await check(
      LocalFixture.todos.sorted { _, _ in state.withLock { $0.next() & 1 == 0 } }, seed: seed)
  }

  @Test("keys that are not equal to themselves are last")
  func nan() throws {
    struct Scored: Comparable {
      let value: Double
      static func < (left: Scored, right: Scored) -> Bool { left.value < right.value }
    }
    for (id, n) in [("1", 3), ("2", 0), ("3", 1), ("4", 0), ("5", 2)] {
      try test.write(id, id, n: n)
    }
    let query = LocalFixture.todos.sorted(by: {
      $0.n == 0 ? Double.nan : Double($0.n ?? 0)
    })
    #expect(environment.read(query).rows.map(\.id) == ["3", "5", "1", "2", "4"])
    let scored = LocalFixture.todos.sorted(
      by: { Scored(value: $0.n == 0 ? .nan : Double($0.n ?? 0)) }, .descending)
    #expect(environment.read(scored).rows.map(\.id) == ["2", "4", "1", "5", "3"])
  }

  @MainActor @Test("keys that are not equal to themselves are one section, after the others")
  func sectionNaN() throws {
    for (id, n) in [("1", 0), ("2", 5), ("3", 0)] { try test.write(id, id, n: n) }
    let model = environment.model(
      LocalFixture.todos, sectionedBy: { $0.n == 0 ? Double.nan : Double($0.n ?? 0) })
    #expect(model.sections.map { $0.rows.map(\.id) } == [["2"], ["1", "3"]])
    try test.write("4", "4", n: 0)
    try test.delete("1")
    #expect(model.sections.map { $0.rows.map(\.id) } == [["2"], ["3", "4"]])
  }

  @Test("a filter that reads other state is called for the rows that change")
  func filter() async throws {
    let isOpen = Locked(true)
    for id in ["1", "2"] { try test.write(id, id) }
    let query = LocalFixture.todos.filter { _ in isOpen.withLock { $0 } }
    var iterator = environment.observe(query).makeAsyncIterator()
    #expect(await iterator.next()?.rows.count == 2)
    isOpen.withLock { $0 = false }
    try test.write("1", "changed")
    #expect(await iterator.next()?.rows.map(\.id) == ["2"])
    #expect(environment.read(query).rows.isEmpty)
  }

  @MainActor @Test("a section key that is no function keeps the sections those of the rows")
  func sectionKey() throws {
    let state = Locked(SeededGenerator(seed: 7))
    let model = environment.model(
      LocalFixture.todos, sectionedBy: { _ in state.withLock { Int($0.next() % 5) } },
      onChange: { _ in })
    for step in 0..<200 {
      try test.write("\(step % 60)", "\(step)")
      if step % 7 == 0 { try test.delete("\(step % 31)") }
      let count = model.sections.reduce(0) { $0 + $1.rows.map(\.id).count }
      #expect(count == model.rows.count)
      #expect(model.sections.allSatisfy { !$0.rows.isEmpty })
    }
  }

  @Test("10,000 changes of one commit are one snapshot")
  func manyChanges() async throws {
    let query = LocalFixture.todos.sorted(by: \.n, .descending)
    var iterator = environment.observe(query).makeAsyncIterator()
    _ = await iterator.next()
    for offset in [0, 5_000, 5_010] {
      try environment.commitUpdate { store in
        for number in 0..<10_000 {
          try LocalFixture.write("\(number)", "", n: (number + offset) % 10_000, in: store)
        }
      }
      let snapshot = try #require(await iterator.next())
      #expect(snapshot.rows.map(\.data.n) == (0..<10_000).reversed())
    }
  }
}
