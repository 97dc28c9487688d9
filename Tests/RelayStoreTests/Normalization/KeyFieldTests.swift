import Testing

@testable import RelayStore

@Suite("Objects identified by key fields", .timeLimit(.minutes(10)))
struct KeyFieldTests {
  private let test = TestStore()

  private func ids(_ plan: SelectionPlan, _ data: JSONValue) throws -> [String] {
    try test.write(plan, data)
    let dump = try JSONValue(parsing: Array(test.store.dump().utf8)).object
    return (dump?.keys ?? []).filter { $0 != "client:root" && !$0.hasPrefix("client:__type:") }
  }

  @Test("a key field identifies an object together with its type, and in place of id")
  func key() throws {
    #expect(
      try ids(
        SelectionPlan("Query{country Country{#code String! id ID! name String}}"),
        ["country": ["code": "NL", "id": "7", "name": "Netherlands"]]) == ["Country:NL"])
  }

  @Test("a key field identifies its object, even if it comes after other objects")
  func late() throws {
    #expect(
      try ids(
        SelectionPlan("Query{country Country{capital City{name String} #code String!}}"),
        ["country": ["capital": ["name": "Amsterdam"], "code": "NL"]])
        == ["Country:NL", "client:Country:NL:capital"])
  }

  @Test("several key fields are distinguished from one with a colon")
  func several() throws {
    let plan = SelectionPlan("Query{airports [Airport{#country String! #code String!}]}")
    #expect(
      try ids(
        plan,
        ["airports": [["country": "NL", "code": "A:B"], ["country": "NL:A", "code": "B"]]])
        == [#"Airport:NL:A\:B"#, #"Airport:NL\:A:B"#])
  }

  @Test("each of several possible types has its own key fields; an unusable key identifies nothing")
  func abstract() throws {
    let plan = SelectionPlan(
      "Query{things [*Thing{__typename String! id ID ...on Country{#code String!} ...on Promo{code String!}}]}"
    )
    #expect(
      try ids(
        plan,
        [
          "things": [
            ["__typename": "Country", "id": "1", "code": "NL"],
            ["__typename": "Promo", "id": "2", "code": "X"],
            ["__typename": "Country", "code": ""],
          ]
        ]) == ["2", "Country:NL", "client:root:things:2"])
  }
}
