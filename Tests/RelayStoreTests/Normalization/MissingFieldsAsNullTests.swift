import RelayStore
import Testing

@Suite(.timeLimit(.minutes(1))) struct MissingFieldsAsNullTests {
  private static let schema = """
    type Query { me: User version: Int thing: Thing }

    interface Thing { id: ID! a: Int b: Int }
    interface Named { e: Int }

    type User implements Thing & Named {
      id: ID!
      a: Int
      b: Int
      c: Int
      e: Int
      name: String
      pet: Pet
    }
    type Bot implements Thing { id: ID! a: Int b: Int d: Int }
    type Pet { id: ID! }
    """

  private func read(_ query: TestSelection, _ data: JSONValue, treatsAsNull: Bool) throws
    -> [String]
  {
    let test = TestStore()
    let reader = ResponseReader(
      plan: test.store.bind(query.normalization, variables: [:]), root: .root,
      operationName: "TestQuery", treatsMissingFieldsAsNull: treatsAsNull)
    let payload = try reader.response((["data": data] as JSONValue).jsonBytes).payload
    try test.store.publish([.commit(payload)])
    return test.read(query).missing.map(\.description)
  }

  @Test("an omitted field is missing, or null if the store treats missing fields as null")
  func absentFields() throws {
    let query = TestSelection("{ me { id name pet { id } } version }", schema: Self.schema)
    let data: JSONValue = ["me": ["id": "1"]]
    #expect(try read(query, data, treatsAsNull: false) == ["me.name", "me.pet", "version"])
    #expect(try read(query, data, treatsAsNull: true) == [])
  }

  @Test("only requested fields become null, not those of other types or excluded conditions")
  func conditions() throws {
    let test = TestStore()
    let query = TestSelection(
      """
      query Q($yes: Boolean!, $no: Boolean!) {
        thing {
          id
          a @include(if: $no)
          b @include(if: $yes)
          ... on User { c }
          ... on Bot { d }
          ... on Named { e }
        }
      }
      """, schema: Self.schema)
    let reader = ResponseReader(
      plan: test.store.bind(query.normalization, variables: ["yes": true, "no": false]),
      root: .root,
      operationName: "TestQuery", treatsMissingFieldsAsNull: true)
    let data: JSONValue = ["data": ["thing": ["__typename": "User", "id": "1"]]]
    try test.store.publish([.commit(reader.response(data.jsonBytes).payload)])
    let dump = try JSONValue(parsing: Array(test.store.dump().utf8))
    #expect(
      dump["1"] == [
        "__id": "1", "__typename": "User", "id": "1", "b": nil, "c": nil, "e": nil,
      ])
  }

  @Test("the store's option applies to responses that the environment commits")
  func option() throws {
    let test = TestStore(.init(treatsMissingFieldsAsNull: true, garbageCollection: .manual))
    try test.environment.commitPayload(
      TodoListQuery(), data: ["todos": [["id": "1", "text": "a", "isComplete": true]]])
    let todo = TestSelection("fragment F on Todo { assignee { name } }")
    #expect(test.read(todo, id: "1").missing.isEmpty)
  }
}
