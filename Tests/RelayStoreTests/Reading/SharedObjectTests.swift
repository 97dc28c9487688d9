import Testing

@testable import RelayStore

@Suite("Objects that many elements of a list link to", .timeLimit(.minutes(1)))
struct SharedObjectTests {
  private static let schema = """
    type Query { items: [Item] }
    type Item { id: ID! owner: User }
    type User { id: ID! name: String tags: [String] friends: [User] }
    """

  /// Returns a response with items, each with the owner from the closure.
  private func response(_ count: Int, owner: (Int) -> JSONValue) -> JSONValue {
    [
      "items": .array(
        (0..<count).map { ["id": .string("i\($0)"), "owner": owner($0)] })
    ]
  }

  @Test("an error that is caught in a shared object has the path of each position")
  func caughtErrors() throws {
    let test = TestStore()
    let query = TestSelection(
      "{ items { id owner { tags name @catch(to: RESULT) } } }", schema: Self.schema)
    let count = 257
    try test.write(
      query, response(1) { _ in ["id": "u", "tags": ["a"], "name": nil] },
      errors: [["message": "down", "path": ["items", 0, "owner", "name"]]])
    try test.write(
      TestSelection("{ items { id owner { id } } }", schema: Self.schema),
      response(count) { _ in ["id": "u"] })
    guard case .list(let items)? = test.read(query).row?.slot(at: 0).value else {
      return #expect(Bool(false))
    }
    #expect(items.slots.count == count)
    for (position, item) in items.slots.enumerated() {
      let owner = try #require(item.row?.slots.lazy.compactMap(\.row).first)
      guard case .failure(let errors) = owner.slots[1].value else { return #expect(Bool(false)) }
      #expect(errors.map(\.path) == [["items", .index(position), "owner", "name"]])
    }
  }

  @Test("a record below a shared object changes all positions, also in chunks of others")
  func manyRecords() throws {
    let test = TestStore()
    let query = TestSelection(
      "{ items { id owner { id tags friends { id name } } } }", schema: Self.schema)
    let friends = (0..<40).map { ["id": .string("f\($0)"), "name": "Friend"] as JSONValue }
    // The second of two chunks starts with its own first element, followed by a second visit of
    // "small".
    let big: JSONValue = ["id": "big", "tags": [], "friends": .array(friends)]
    let small: JSONValue = ["id": "small", "tags": [], "friends": []]
    let owners: [Int: JSONValue] = [0: big, 1: big, 2: small, 64: big, 65: small]
    try test.write(query, response(128) { owners[$0] ?? nil })
    let got = Locked<RowSnapshot?>(nil)
    let (_, observation) = test.store.readAndObserve(
      .record(.root, query.reader, in: VariableScope(operation: [:]))
    ) { snapshot in got.withLock { $0 = snapshot } }
    try test.environment.commitUpdate { try $0["f7"]?.setValue("New", for: "name") }
    observation.cancel()
    let new = try #require(got.withLock { $0 })
    #expect(!new.isDifferent(from: test.read(query)))
    let names = new.row?.json["items"]?[64]?["owner"]?["friends"]?[7]?["name"]
    #expect(names == "New")
  }
}
