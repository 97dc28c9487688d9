import Testing

@testable import RelayStore

@Suite("Deferred parts of a response", .timeLimit(.minutes(10)))
struct DeferredTests {
  private let test = TestStore()
  private let plan = SelectionPlan(
    #"Query{node *Node{__typename String! id ID! ...on *Named{...if "Q$defer$Name"{__isNamed:__typename String! name String}} ...if "Q$defer$Age"|$now{age Int}}}"#
  )
  private let read = SelectionPlan(
    "Query{node *Node{__typename String! ...on *Named{name String} age Int}}")

  @Test("a discriminator that has not arrived yet does not exclude the type")
  func undecided() throws {
    try test.write(plan, ["node": ["__typename": "User", "id": "1"]])
    #expect(!test.store.dump().contains("__isNamed"))
    #expect(test.read(read).missing.map(\.description).sorted() == ["node", "node.age"])
  }

  @Test("a deferred part that has arrived is read with the rest")
  func whole() throws {
    try test.write(
      plan,
      ["node": ["__typename": "User", "id": "1", "__isNamed": "User", "name": "Ada", "age": 36]])
    #expect(test.read(read).missing.isEmpty)
    #expect(test.json(read)?.object?["node"]?.object?["name"] == "Ada")
  }
}
