import RelayStore
import Testing

@Suite("Structural sharing between reads", .timeLimit(.minutes(1)))
struct SharingTests {
  private static let query = TestSelection(
    "{ items { id score author { id name } } }",
    schema: """
      type Query { items: [Item] }
      type Item { id: ID! score: Int author: User }
      type User { id: ID! name: String }
      """)

  /// Returns a response with items that share ten authors.
  private func response(_ count: Int, changed: Int? = nil, from first: Int = 0) -> JSONValue {
    let items = (first..<count).map { item -> JSONValue in
      let author = "a\(item % 10)"
      return [
        "id": .string("i\(item)"), "score": .number(JSONNumber(item == changed ? -1 : item)),
        "author": ["id": .string(author), "name": .string("Author \(author)")],
      ]
    }
    return ["items": .array(items)]
  }

  /// Returns the list's storage in a snapshot of the query.
  private func list(_ snapshot: RowSnapshot) throws -> ListBuffer {
    guard case .list(let list)? = snapshot.row?.slot(at: 0).value else {
      throw RelayError(.update, "There is no list.")
    }
    return list
  }

  /// Returns the query's snapshot before a change, and the one delivered to its observer.
  private func change(
    _ count: Int, by change: (TestStore) throws -> Void
  ) throws -> (old: RowSnapshot, new: RowSnapshot?) {
    let test = TestStore()
    try test.write(Self.query, response(count))
    let old = test.read(Self.query)
    let got = Locked<RowSnapshot?>(nil)
    let observation = observe(test) { snapshot in got.withLock { $0 = snapshot } }
    try change(test)
    observation.cancel()
    let fresh = test.read(Self.query)
    let new = got.withLock { $0 }
    if let new { #expect(!new.isDifferent(from: fresh)) }
    return (old, new)
  }

  private func observe(
    _ test: TestStore, _ onChange: @escaping @Sendable (RowSnapshot) -> Void
  ) -> ObservationHandle {
    test.store.readAndObserve(
      .record(.root, Self.query.reader, in: VariableScope(operation: [:])), onChange: onChange
    ).observation
  }

  @Test("after one item changes, all other rows and chunks are shared")
  func oneItem() throws {
    let test = TestStore()
    try test.write(Self.query, response(200))
    let got = Locked<[RowSnapshot]>([])
    let observation = observe(test) { snapshot in got.withLock { $0.append(snapshot) } }
    for changed in [70, 71] { try test.write(Self.query, response(200, changed: changed)) }
    observation.cancel()
    let lists = try got.withLock { $0 }.map(list)
    try #require(lists.count == 2)
    let same = zip(lists[0].chunks, lists[1].chunks).map { $0 === $1 }
    #expect(same == [true, false, true, true])
    let rows = zip(lists[0].slots, lists[1].slots).map { old, new in
      old.row.flatMap { a in new.row.map { a.isIdentical(to: $0) } } ?? false
    }
    #expect(rows.indices.filter { !rows[$0] } == [70, 71])
  }

  @Test("a change of an object that many items link to appears in all of them")
  func sharedAuthor() throws {
    let (_, new) = try change(150) { test in
      try test.environment.commitUpdate { try $0["a3"]?.setValue("New", for: "name") }
    }
    let authors = try list(#require(new)).slots.compactMap {
      $0.row?.json["author"]?["name"]?.string
    }
    #expect(authors.count == 150)
    #expect(
      authors.indices.filter { authors[$0] == "New" } == Array(stride(from: 3, to: 150, by: 10)))
  }

  @Test("removing items at the front leaves the others unchanged")
  func shifted() throws {
    let (old, new) = try change(130) { try $0.write(Self.query, response(130, from: 3)) }
    let (before, after) = try (list(old).slots, list(#require(new)).slots)
    #expect(after.count == 127)
    #expect(zip(before.dropFirst(3), after).allSatisfy { $0 == $1 })
  }

  @Test("writing the same payload again changes no record", arguments: [1, 100])
  func samePayload(count: Int) throws {
    let test = TestStore()
    try test.write(Self.query, response(count))
    let revision = test.read(Self.query).revision
    try test.write(Self.query, response(count))
    #expect(test.read(Self.query).revision == revision)
  }

  @Test("a deleted record and a link set to null appear in the list")
  func holes() throws {
    let (_, new) = try change(80) { test in
      try test.environment.commitUpdate { store in
        try store.delete("i7")
        try store["i70"]?.setLinkedRecord(nil, for: "author")
      }
    }
    let slots = try list(#require(new)).slots
    #expect(slots[7].isNil && slots.count == 80)
    #expect(slots[70].row?.json["author"] == .null)
  }
}
