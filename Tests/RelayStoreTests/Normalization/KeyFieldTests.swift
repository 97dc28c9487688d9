import Testing

@testable import RelayStore

@Suite("Objects known by other fields than id", .timeLimit(.minutes(10)))
struct KeyFieldTests {
  private let test = TestStore()

  private func ids(_ plan: SelectionPlan, _ data: JSONValue) throws -> [String] {
    try test.write(plan, data)
    let dump = try JSONValue(parsing: Array(test.store.dump().utf8)).object
    return (dump?.keys ?? []).filter { $0 != "client:root" && !$0.hasPrefix("client:__type:") }
  }

  @Test("a key is taken with the type, and in place of id")
  func key() throws {
    #expect(
      try ids(
        SelectionPlan("Query{country Country{#code String! id ID! name String}}"),
        ["country": ["code": "NL", "id": "7", "name": "Netherlands"]]) == ["Country:NL"])
  }

  @Test("a key that comes after other objects is still theirs")
  func late() throws {
    #expect(
      try ids(
        SelectionPlan("Query{country Country{capital City{name String} #code String!}}"),
        ["country": ["capital": ["name": "Amsterdam"], "code": "NL"]])
        == ["Country:NL", "client:Country:NL:capital"])
  }

  @Test("several keys are told apart from one that has a colon")
  func several() throws {
    let plan = SelectionPlan("Query{airports [Airport{#country String! #code String!}]}")
    #expect(
      try ids(
        plan,
        ["airports": [["country": "NL", "code": "A:B"], ["country": "NL:A", "code": "B"]]])
        == [#"Airport:NL:A\:B"#, #"Airport:NL\:A:B"#])
  }

  @Test("of several possible types each has its own key, and an unusable one none")
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
