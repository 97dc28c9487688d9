import RelayLocalQueries
import RelayStore
@_spi(GeneratedCode) import RelayStore
import Testing

@Suite("Local queries", .timeLimit(.minutes(1)))
struct LocalQueryTests {
  private let test = LocalFixture()
  private var environment: RelayEnvironment { test.environment }
  private static let byText = LocalFixture.todos.sorted(by: \.text)

  @Test("rows are those of all complete records of the type, which no query has to reach")
  func reading() throws {
    try test.write("2", "b")
    try test.write("1", "a")
    try environment.commitUpdate { store in
      try store.create("3", type: "Todo").setValue("3", for: "id")
      try store.create("u", type: "User").setValue("c", for: "text")
    }
    let snapshot = environment.read(LocalFixture.todos)
    #expect(snapshot.rows.map(\.id) == ["1", "2"])
    #expect(snapshot.rows.map(\.data.text) == ["a", "b"])
    #expect(!snapshot.isNotLoaded && snapshot.changes == nil)
    #expect(environment.store.statistics.observers == 0)
  }

  @Test("rows are filtered, and sorted by keys, directions and ids")
  func order() throws {
    try test.write("1", "x", n: 2)
    try test.write("2", "x", n: nil)
    try test.write("3", "y", n: 1)
    try test.write("10", "y", n: 1)
    let query = LocalFixture.todos
    func ids(_ query: LocalQuery<LocalTodo>) -> [DataID] { environment.read(query).rows.map(\.id) }
    #expect(ids(query) == ["1", "10", "2", "3"])
    #expect(ids(query.sorted(by: \.text, .descending).then(by: \.n)) == ["10", "3", "2", "1"])
    #expect(ids(query.sorted(by: \.n)) == ["2", "10", "3", "1"])
    #expect(ids(query.sorted(by: \.n, .descending)) == ["1", "10", "3", "2"])
    #expect(ids(query.sorted { $0.text > $1.text }) == ["10", "3", "1", "2"])
    #expect(ids(query.sorted(by: \.n).sorted(by: \.text)) == ["1", "2", "10", "3"])
    #expect(ids(query.sorted(by: \.text).then { $0.id > $1.id }) == ["2", "1", "3", "10"])
    #expect(ids(query.filter { $0.text == "x" }.filter { $0.n != nil }) == ["1"])
  }

  @Test("a stream delivers changes of rows only, each with its difference")
  func stream() async throws {
    try test.write("1", "a")
    var iterator = environment.observe(Self.byText.filter { $0.n == 0 }).makeAsyncIterator()
    var snapshot = try #require(await iterator.next())
    #expect(snapshot.rows.map(\.data.text) == ["a"] && snapshot.changes == nil)
    func next() async throws -> (texts: [String], changes: ListChanges) {
      snapshot = try #require(await iterator.next())
      return (snapshot.rows.map(\.data.text), try #require(snapshot.changes))
    }
    try test.write("9", "no", n: 1)
    try test.write("2", "b")
    #expect(try await next() == (["a", "b"], .init(insertions: [1])))
    try test.write("1", "c")
    #expect(try await next() == (["b", "c"], .init(moves: [.init(from: 0, to: 1)])))
    try test.write("1", "d")
    #expect(try await next() == (["b", "d"], .init(updates: [.init(from: 1, to: 1)])))
    try test.write("9", "a")
    try test.delete("2")
    #expect(try await next() == (["a", "d"], .init(removals: [0], insertions: [0])))
    try test.write("1", "d", n: 1)
    #expect(try await next() == (["a"], .init(removals: [1])))
  }

  @Test("a slow consumer receives the newest rows once, and nothing for what was undone")
  func slowConsumer() async throws {
    var iterator = environment.observe(Self.byText).makeAsyncIterator()
    #expect(await iterator.next()?.rows.isEmpty == true)
    for number in 0..<500 { try test.write("\(number % 3)", "\(number)") }
    var snapshot = try #require(await iterator.next())
    #expect(snapshot.rows.map(\.data.text) == ["497", "498", "499"])
    #expect(snapshot.changes == .init(insertions: [0, 1, 2]))
    try test.write("0", "other")
    try test.write("0", "498")
    try test.write("1", "500")
    snapshot = try #require(await iterator.next())
    #expect(snapshot.changes == .init(updates: [.init(from: 2, to: 2)]))
    #expect(snapshot.rows.map(\.data.text) == ["497", "498", "500"])
  }

  @Test("the first snapshot has the changes since the iterator was made")
  func changesBeforeFirst() async throws {
    try test.write("1", "a")
    var iterator = environment.observe(LocalFixture.todos).makeAsyncIterator()
    try test.write("2", "b")
    try test.delete("1")
    #expect(await iterator.next()?.rows.map(\.id) == ["2"])
  }

  @Test("rows of different records are different, even if their data is equal")
  func identity() throws {
    for id in ["1", "2"] {
      try environment.commitUpdate { store in
        try store.create(DataID(id), type: "Todo").setValue("same", for: "text")
      }
    }
    let rows = environment.read(LocalQuery(TextOnly.self)).rows
    #expect(rows.count == 2 && rows[0].data.text == rows[1].data.text)
    #expect(rows[0] != rows[1] && Set(rows).count == 2)
  }

  @Test("a snapshot keeps its rows when the store changes")
  func snapshotValue() async throws {
    for number in 100..<600 { try test.write("\(number)", "\(number)") }
    var iterator = environment.observe(Self.byText).makeAsyncIterator()
    let first = try #require(await iterator.next())
    let texts = first.rows.map(\.data.text)
    try environment.commitUpdate { store in
      for number in 100..<150 { try LocalFixture.write("\(number)", "z\(number)", in: store) }
      try store.delete("300")
    }
    let second = try #require(await iterator.next())
    #expect(first.rows.map(\.data.text) == texts && texts == (100..<600).map(String.init))
    #expect(second.rows.count == 499 && second.rows.last?.data.text == "z149")
  }

  @Test("optimistic values are rows, and an optimistic deletion is undone")
  func optimistic() async throws {
    try test.write("1", "a")
    var iterator = environment.observe(Self.byText).makeAsyncIterator()
    _ = await iterator.next()
    let creation = try environment.applyUpdate { try LocalFixture.write("2", "b", in: $0) }
    #expect(await iterator.next()?.rows.map(\.data.text) == ["a", "b"])
    let deletion = try environment.applyUpdate { try $0.delete("1") }
    #expect(await iterator.next()?.changes == .init(removals: [0]))
    deletion.revert()
    #expect(await iterator.next()?.changes == .init(insertions: [0]))
    creation.revert()
    #expect(await iterator.next()?.rows.map(\.data.text) == ["a"])
  }

  @Test("a record that is collected, incomplete or of another type is no row any more")
  func leaving() async throws {
    for id in ["1", "2", "3"] { try test.write(id, id) }
    var iterator = environment.observe(Self.byText).makeAsyncIterator()
    _ = await iterator.next()
    try environment.commitUpdate { try $0["1"]?.removeValue("n") }
    #expect(await iterator.next()?.rows.map(\.id) == ["2", "3"])
    try test.write("1", "1")
    #expect(await iterator.next()?.rows.map(\.id) == ["1", "2", "3"])
    try LocalFixture.write("2", type: "User", to: environment)
    #expect(await iterator.next()?.rows.map(\.id) == ["1", "3"])
    // Neither an observation nor its rows retain records.
    let update = try environment.applyUpdate { try $0["3"]?.setValue("kept", for: "text") }
    #expect(environment.store.collectGarbage().collected > 0)
    #expect(await iterator.next()?.rows.map(\.data.text) == ["kept"])
    update.revert()
    try test.write("1", "1")
    #expect(await iterator.next()?.rows.map(\.data.text) == ["1", "3"])
  }

  @Test("a row leaves when the record that it links to is collected")
  func linkedRecord() async throws {
    try test.write("1", "a")
    try environment.commitUpdate { store in
      let user = try store.create("u", type: "User")
      try user.setValue("Ann", for: "name")
      try store["1"]?.setLinkedRecord(user, for: "assignee")
    }
    var iterator = environment.observe(Self.byText).makeAsyncIterator()
    #expect(await iterator.next()?.rows.first?.data.assignee?.name == "Ann")
    try environment.commitUpdate { try $0["u"]?.setValue("Eve", for: "name") }
    let snapshot = try #require(await iterator.next())
    #expect(snapshot.rows.first?.data.assignee?.name == "Eve")
    #expect(snapshot.changes == .init(updates: [.init(from: 0, to: 0)]))
    #expect(environment.store.collectGarbage().collected > 0)
    #expect(await iterator.next()?.rows.isEmpty == true)
  }

  @Test("a reset removes all rows, and later records are rows again")
  func reset() async throws {
    try test.write("1", "a")
    var iterator = environment.observe(Self.byText).makeAsyncIterator()
    _ = await iterator.next()
    environment.reset()
    #expect(await iterator.next()?.changes == .init(removals: [0]))
    try test.write("1", "b")
    #expect(await iterator.next()?.rows.map(\.data.text) == ["b"])
  }

  @Test("many streams are independent, and end when they are dropped or cancelled")
  func lifetimes() async throws {
    try test.write("1", "a")
    let query = Self.byText
    var iterators = (0..<50).map { number in
      environment.observe(query.filter { $0.n ?? 0 >= number }).makeAsyncIterator()
    }
    #expect(environment.store.statistics.observers == 50)
    for index in iterators.indices { _ = await iterators[index].next() }
    try test.write("1", "a", n: 25)
    for index in 1...25 { #expect(await iterators[index].next()?.rows.count == 1) }
    iterators = []
    #expect(environment.store.statistics.isEmpty)
    let stream = environment.observe(query)
    let task = Task {
      var count = 0
      for await _ in stream { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value <= 1)
    #expect(environment.store.statistics.isEmpty)
  }

  @Test("a fragment on an interface has the records of all types that implement it")
  func interface() async throws {
    struct AnyNode: GraphQLFragment {
      static let __plan = SelectionPlan("AnyNode *Node{id ID!}")
      let __row: Row
    }
    try environment.commitUpdate { store in
      for (id, type) in [("1", "Todo"), ("2", "User")] {
        try store.create(DataID(id), type: type).setValue(.string(id), for: "id")
      }
    }
    let rows = environment.read(LocalQuery(AnyNode.self)).rows
    #expect(rows.map(\.id) == ["1", "2"])
  }
}

/// A fragment without the id, in the form that relay-compiler generates.
private struct TextOnly: GraphQLFragment, Hashable {
  static let __plan = SelectionPlan("TextOnly Todo{text String}")
  let __row: Row
  var text: String? { __row[0] }
}
