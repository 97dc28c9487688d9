import Testing

@testable import RelayStore

@Suite(.timeLimit(.minutes(10))) struct MissingFieldsAsNullTests {
  private let types = AbstractTypes("Named=User")

  private func read(_ text: StaticString, _ data: JSONValue, treatsAsNull: Bool) throws -> [String]
  {
    let plan = SelectionPlan(text, types: types)
    let test = TestStore()
    let reader = ResponseReader(
      plan: test.store.bind(plan, variables: ["yes": true, "no": false]), root: .root,
      operationName: "TestQuery", treatsMissingFieldsAsNull: treatsAsNull)
    let payload = try reader.response((["data": data] as JSONValue).jsonBytes).payload
    try test.store.publish([.commit(payload)])
    return test.read(plan, variables: ["yes": true, "no": false]).missing.map(\.description)
  }

  @Test("an omitted field is missing, or null if the store treats missing fields as null")
  func absentFields() throws {
    let plan: StaticString = "Query{me User{id ID! name String pet Pet{id ID!}} version Int}"
    let data: JSONValue = ["me": ["id": "1"]]
    #expect(try read(plan, data, treatsAsNull: false) == ["me.name", "me.pet", "version"])
    #expect(try read(plan, data, treatsAsNull: true) == [])
  }

  @Test("only requested fields become null, not those of other types or excluded conditions")
  func conditions() throws {
    let test = TestStore()
    let plan = SelectionPlan(
      "Query{thing *Thing{__typename String! id ID! ...if $no{a Int} ...if $yes{b Int} ...on User{c Int} ...on Bot{d Int} ...on *Named{__isNamed:__typename String! e Int}}}",
      types: types)
    let reader = ResponseReader(
      plan: test.store.bind(plan, variables: ["yes": true, "no": false]), root: .root,
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
      TodoListQuery(), json: ["todos": [["id": "1", "text": "a", "isComplete": true]]])
    #expect(test.read(SelectionPlan("Todo{assignee User{name String!}}"), id: "1").missing.isEmpty)
  }
}
