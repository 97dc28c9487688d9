import RelayStore
import Testing

/// Objects of types that the server added after the schema was compiled: `Alien` is in no schema.
@Suite("Types that the compiled schema does not have", .timeLimit(.minutes(1)))
struct NewTypeTests {
  private static let schema = """
    type Query { hero: Character heroes: [Character] find: Result named: Named }
    interface Node { id: ID! }
    interface Named { name: String }
    interface Friendly { friends: [Friendly] }
    interface Character implements Node & Friendly { id: ID! name: String friends: [Character] }
    type Human implements Node & Friendly & Character { id: ID! name: String friends: [Character] }
    type Droid implements Node & Friendly & Character & Named {
      id: ID! name: String friends: [Character]
    }
    union Result = Human | Droid
    """

  /// Writes a response, and reads the fragment `F` of the record `h`.
  private func read(_ document: String, _ data: JSONValue) throws -> JSONValue? {
    let test = TestStore()
    let selection = TestSelection(document, schema: Self.schema)
    try test.write(selection, data)
    return test.json(try #require(selection.fragments["F"]), id: "h")
  }

  private let alien: JSONValue = [
    "__typename": "Alien", "id": "h", "name": "N", "__isCharacter": "Alien",
  ]

  @Test("a fragment on a wider interface reads what its condition on a narrower one selects")
  func object() throws {
    let fragment = "fragment F on Node { id ... on Character { name } }"
    #expect(
      try read("query Q { hero { id ...F } } " + fragment, ["hero": alien])?["name"] == "N")
    #expect(
      try read("query Q { heroes { id ...F } } " + fragment, ["heroes": [alien]])?["name"] == "N")
  }

  @Test("so does a fragment that another one spreads")
  func nested() throws {
    let document = """
      query Q { hero { id ...G } } fragment G on Node { ...F } fragment F on Character { name }
      """
    #expect(try read(document, ["hero": alien])?["name"] == "N")
  }

  @Test("an element of a list that is one of a wider interface in the fragment is read")
  func list() throws {
    let document = """
      query Q { hero { id friends { id } ...F } }
      fragment F on Friendly { friends { __typename ... on Character { name } } }
      """
    let data: JSONValue = [
      "hero": [
        "__typename": "Human", "id": "h",
        "friends": [["__typename": "Alien", "id": "a", "name": "N", "__isCharacter": "Alien"]],
      ]
    ]
    #expect(try read(document, data)?["friends"]?[0]?["name"] == "N")
  }

  @Test("a new member of a union is read")
  func member() throws {
    let document = """
      query Q { find { ...F } } fragment F on Node { id ... on Result { ... on Character { name } } }
      """
    let data: JSONValue = [
      "find": [
        "__typename": "Alien", "__isNode": "Alien", "id": "h", "__isResult": "Alien",
        "__isCharacter": "Alien", "name": "N",
      ]
    ]
    #expect(try read(document, data)?["name"] == "N")
  }

  @Test("a fragment that is not included makes its types unknown, not false")
  func notIncluded() throws {
    let test = TestStore()
    let document = """
      query Q($a: Boolean!) { hero { id ...F @include(if: $a) } }
      fragment F on Node { id ... on Character { name } }
      """
    let selection = TestSelection(document, schema: Self.schema)
    try test.write(
      selection, ["hero": ["__typename": "Alien", "id": "h"]], variables: ["a": false])
    #expect(test.store.dump().contains("__isCharacter") == false)
    try test.write(selection, ["hero": alien], variables: ["a": true])
    #expect(test.json(try #require(selection.fragments["F"]), id: "h")?["name"] == "N")
  }

  @Test("a condition is decided by its own discriminator, whatever the object's others say")
  func others() throws {
    // The sent fragment F requests __isCharacter, in addition to the condition on Named.
    let document = """
      query Q { hero { id ...F ... on Named { name } } } fragment F on Node { ... on Character { id } }
      """
    let test = TestStore()
    let selection = TestSelection(document, schema: Self.schema)
    try test.write(
      selection, ["hero": ["__typename": "Alien", "id": "h", "__isCharacter": "Alien"]])
    let dump = test.store.dump()
    #expect(dump.contains("\"__isCharacter\": true") || dump.contains("\"__isCharacter\":true"))
    #expect(!dump.contains("\"__isNamed\": true") && !dump.contains("\"__isNamed\":true"))
  }
}
