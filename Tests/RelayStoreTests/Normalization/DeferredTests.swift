import RelayStore
import Testing

@Suite("Deferred parts of a response", .timeLimit(.minutes(1)))
struct DeferredTests {
  private static let schema = """
    type Query { node: Node }
    interface Node { id: ID! age: Int }
    interface Named { name: String }
    type User implements Node & Named { id: ID! age: Int name: String }
    """
  private let test = TestStore()
  private let query = TestSelection(
    """
    query Q($now: Boolean!) {
      node {
        id
        ...Name @defer(label: "Name")
        ...Age @defer(label: "Age")
        ...Age @include(if: $now)
      }
    }
    fragment Name on Named { name }
    fragment Age on Node { age }
    """, schema: Self.schema)
  private let read = TestSelection(
    "{ node { ... on Named { name } age } }", schema: Self.schema)

  @Test("a discriminator that has not arrived yet does not exclude the type")
  func undecided() throws {
    // The schema does not say whether a robot has a name.
    try test.write(query, ["node": ["__typename": "Robot", "id": "1"]])
    #expect(!test.store.dump().contains("__isNamed"))
    #expect(test.read(read).missing.map(\.description).sorted() == ["node", "node.age"])
  }

  @Test("a deferred part that has arrived is read with the rest")
  func whole() throws {
    try test.write(
      query,
      ["node": ["__typename": "User", "id": "1", "__isNamed": "User", "name": "Ada", "age": 36]])
    #expect(test.read(read).missing.isEmpty)
    #expect(test.json(read)?.object?["node"]?.object?["name"] == "Ada")
  }

  private let conditional = TestSelection(
    """
    query Q($late: Boolean) {
      node { id ...Name @defer(if: $late) ...Age @defer(label: "age") }
    }
    fragment Name on Named { name }
    fragment Age on Node { age }
    """, schema: Self.schema)

  @Test(
    "a part whose condition is false comes with its object, so that its discriminator decides",
    arguments: [["late": false], ["late": true], [:]] as [JSONObject])
  func condition(_ variables: JSONObject) throws {
    try test.write(
      conditional, ["node": ["__typename": "Robot", "id": "1"]], variables: variables)
    #expect(test.store.dump().contains("__isNamed") == (variables["late"] == false))
  }

  @Test("the reference to a deferred fragment is there before its part is")
  func reference() throws {
    try test.write(conditional, ["node": ["__typename": "User", "id": "1", "__isNamed": "User"]])
    let snapshot = test.read(conditional)
    #expect(snapshot.missing.isEmpty)
    let node = try #require(snapshot.row?.slots[0].row)
    let plan = conditional.reader[0]
    let parts = plan.slots.map(\.deferredParts)
    #expect(
      parts == [
        [], [], [], [DeferredPart(label: "Q$defer$Name", fragment: "Name")],
        [DeferredPart(label: "Q$defer$age", fragment: "Age")],
      ])
    for slot in [3, 4] { #expect(!node.slot(at: slot).isNil, "\(plan.slots[slot])") }
  }
}
