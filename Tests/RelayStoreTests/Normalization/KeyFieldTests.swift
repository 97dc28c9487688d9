import RelayStore
import Testing

@Suite("Objects identified by key fields", .timeLimit(.minutes(1)))
struct KeyFieldTests {
  private static let schema = """
    type Query { country: Country airports: [Airport] things: [Thing] }

    interface Thing { id: ID }

    type Country implements Thing { id: ID code: String! name: String capital: City }
    type City { name: String }
    type Airport { country: String! code: String! name: String }
    type Promo implements Thing { id: ID code: String! }
    """
  private let test = TestStore()

  private func ids(_ document: String, _ data: JSONValue) throws -> [String] {
    let query = TestSelection(
      document, schema: Self.schema,
      keyFields: ["Country": ["code"], "Airport": ["country", "code"]])
    try test.write(query, data)
    let dump = try JSONValue(parsing: Array(test.store.dump().utf8)).object
    return (dump?.keys ?? []).filter { $0 != "client:root" && !$0.hasPrefix("client:__type:") }
  }

  @Test("a key field identifies an object together with its type, and in place of id")
  func key() throws {
    #expect(
      try ids(
        "{ country { id name } }",
        ["country": ["code": "NL", "id": "7", "name": "Netherlands"]]) == ["Country:NL"])
  }

  @Test("a key field identifies its object, even if it comes after other objects")
  func late() throws {
    #expect(
      try ids(
        "{ country { capital { name } } }",
        ["country": ["capital": ["name": "Amsterdam"], "code": "NL"]])
        == ["Country:NL", "client:Country:NL:capital"])
  }

  @Test("several key fields are distinguished from one with a colon")
  func several() throws {
    #expect(
      try ids(
        "{ airports { country code } }",
        ["airports": [["country": "NL", "code": "A:B"], ["country": "NL:A", "code": "B"]]])
        == [#"Airport:NL:A\:B"#, #"Airport:NL\:A:B"#])
  }

  @Test("each of several possible types has its own key fields; an unusable key identifies nothing")
  func abstract() throws {
    #expect(
      try ids(
        "{ things { id ... on Promo { code } } }",
        [
          "things": [
            ["__typename": "Country", "id": "1", "code": "NL"],
            ["__typename": "Promo", "id": "2", "code": "X"],
            ["__typename": "Country", "code": ""],
          ]
        ]) == ["2", "Country:NL", "client:root:things:2"])
  }

  @Test("only an id of type ID, or of a scalar that is named, identifies an object")
  func plainIDs() throws {
    let schema = """
      scalar UUID
      type Query { aggregate: Aggregate device: Device }
      type Aggregate { max: Row average: Average nodes: [Row!]! }
      type Row { id: Int view: String }
      type Average { id: Float view: Float }
      type Device { id: UUID! name: String }
      """
    func ids(_ document: String, _ data: JSONValue, scalars: [String] = []) throws -> [String] {
      let test = TestStore()
      try test.write(TestSelection(document, schema: schema, idScalars: scalars), data)
      let dump = try JSONValue(parsing: Array(test.store.dump().utf8)).object
      return (dump?.keys ?? []).filter { $0 != "client:root" }
    }
    let rows = "{ aggregate { max { id view } average { id } nodes { id view } } }"
    let data: JSONValue = [
      "aggregate": [
        "max": ["id": 7, "view": "z"], "average": ["id": 7], "nodes": [["id": 7, "view": "a"]],
      ]
    ]
    let root = "client:root:aggregate"
    #expect(try ids(rows, data) == [root, "\(root):average", "\(root):max", "\(root):nodes:0"])
    #expect(try ids(rows, data, scalars: ["Int"]) == ["7", root, "\(root):average"])
    let device: JSONValue = ["device": ["id": "u", "name": "N"]]
    #expect(try ids("{ device { name id } }", device) == ["client:root:device"])
    #expect(try ids("{ device { name } }", device, scalars: ["UUID"]) == ["u"])
  }

  @Test("an id is found in the fields that the object's type has")
  func conditions() throws {
    let schema = """
      type Query { either: Either } union Either = Owned | Free
      type Owned { ownerID: ID! } type Free { id: ID! }
      """
    let selection = TestSelection(
      "{ either { ... on Free { id } ... on Owned { id: ownerID } } }", schema: schema)
    func ids(_ object: JSONValue) throws -> [String] {
      let test = TestStore()
      try test.write(selection, ["either": object])
      let dump = try JSONValue(parsing: Array(test.store.dump().utf8)).object
      return (dump?.keys ?? []).filter { $0 != "client:root" }
    }
    #expect(try ids(["__typename": "Free", "id": "5"]) == ["5"])
    #expect(try ids(["__typename": "Owned", "id": "5"]) == ["client:root:either"])
  }

  @Test("an id under a response key of its own identifies its object")
  func ownKeys() throws {
    let schema = """
      type Query { pair: [Pair] } type C { id: ID name: String } type E { id: String! }
      union Pair = C | E
      """
    let test = TestStore()
    let selection = TestSelection(
      "{ pair { ... on E { id } ... on C { name } } }", schema: schema)
    #expect(selection.text.contains("...on C{__id_ID:id name}"))
    try test.write(
      selection,
      [
        "pair": [
          ["__typename": "C", "name": "N", "__id_ID": "5"], ["__typename": "E", "id": "5"],
        ]
      ])
    #expect(
      test.json(TestSelection("fragment F on C { id name }", schema: schema), id: "5")?["name"]
        == "N")
    let dump = test.store.dump()
    #expect(dump.contains("client:root:pair:1") && !dump.contains("client:root:pair:0"))
  }
}
