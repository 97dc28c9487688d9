import Testing

@testable import RelayStore

/// Ids, list lengths and response sizes chosen by a server.
@Suite(.timeLimit(.minutes(1))) struct HostileIdentityTests {
  private static let schema = """
    type Query { me: User items: [Item!] }
    type User { id: ID! name: String best: User }
    type Item { id: ID! name: String }
    """
  private let query = TestSelection("{ me { id name best { id name } } }", schema: Self.schema)
  private let list = TestSelection("{ items { id name } }", schema: Self.schema)
  private let item = TestSelection("fragment F on Item { name }", schema: Self.schema)

  private func body(_ id: String) -> [UInt8] {
    Array(#"{"data":{"me":{"id":\#(id),"name":"Ada"}}}"#.utf8)
  }

  @Test(
    "an object is identified by its id if that is usable, otherwise by its path",
    arguments: [
      (#""u""#, "u", []), (#""""#, "client:root:me", []), ("0", "client:root:me", []),
      ("7", "7", []), ("-1", "-1", []), ("1.5", "1.5", []), ("1e400", "1e400", []),
      ("null", "client:root:me", ["me.id"]), ("false", "client:root:me", ["me.id"]),
      (#""__proto__""#, "__proto__", []),
      (#""a\u0000b""#, "a\0b", []), (#""client:root:me""#, "client:root:me", []),
      (#"" ""#, " ", []), (#""\n""#, "\n", []),
    ] as [(String, String, [String])])
  func ids(id: String, expected: String, missing: [String]) throws {
    let test = TestStore()
    try test.write(query.normalization, body: body(id))
    let dump = try JSONValue(parsing: Array(test.store.dump().utf8))
    #expect(dump["client:root"]?["me"] == ["__ref": .string(expected)])
    #expect(dump[expected]?["name"] == "Ada")
    #expect(Set(test.read(query).missing.map(\.description)) == Set(missing + ["me.best"]))
  }

  @Test(
    "an id of another kind is refused with its path",
    arguments: ["true", "[]", "{}", #"["u"]"#])
  func noIDs(_ id: String) throws {
    let test = TestStore()
    let before = test.store.dump()
    let error = #expect(throws: RelayError.self) {
      try test.write(query.normalization, body: body(id))
    }
    #expect(error?.code == .response && error?.path == ["me", "id"])
    #expect(test.store.dump() == before)
  }

  @Test("an object with the root's id does not change the root")
  func root() throws {
    let test = TestStore()
    try test.write(query.normalization, body: body(#""client:root""#))
    let dump = try JSONValue(parsing: Array(test.store.dump().utf8))
    #expect(dump["client:root"]?["__typename"] == "__Root")
    let name = TestSelection("{ me { name } }", schema: Self.schema)
    #expect(test.json(name) == ["me": ["name": "Ada"]])
  }

  @Test("an id of a million characters is an id")
  func longID() throws {
    let id = String(repeating: "x", count: 1_000_000)
    let test = TestStore()
    try test.write(query.normalization, body: body("\"\(id)\""))
    let user = TestSelection("fragment F on User { name }", schema: Self.schema)
    #expect(test.json(user, id: DataID(id)) == ["name": "Ada"])
  }

  @Test("ids that differ only in their Unicode normalization identify two records")
  func normalization() throws {
    let test = TestStore()
    let forms = ["\u{e9}", "e\u{301}", "\u{212b}", "\u{c5}", "A\u{30a}"]
    let items = forms.enumerated().map { position, id -> JSONValue in
      ["id": .string(id), "name": .string("\(position)")]
    }
    try test.write(list, ["items": .array(items)])
    for (position, id) in forms.enumerated() {
      #expect(test.json(item, id: DataID(id)) == ["name": .string("\(position)")])
    }
    // Escape sequences make no difference.
    try test.write(
      list.normalization,
      body: Array(#"{"data":{"items":[{"id":"e\u0301","name":"new"}]}}"#.utf8))
    #expect(test.json(item, id: "e\u{301}") == ["name": "new"])
    #expect(test.json(item, id: "\u{e9}") == ["name": "0"])
    let restored = try RecordStore(dump: test.store.dump())
    #expect(restored.dump() == test.store.dump())
  }

  @Test("the first of two ids in an object identifies its record, whatever comes between")
  func twoIDs() throws {
    let test = TestStore()
    let body = #"{"data":{"me":{"id":"a","best":{"id":"b","name":"B"},"id":"c","name":"Ada"}}}"#
    try test.write(query.normalization, body: Array(body.utf8))
    let dump = try JSONValue(parsing: Array(test.store.dump().utf8))
    #expect(dump["client:root"]?["me"] == ["__ref": "a"])
    #expect(dump.object?.keys.sorted() == ["a", "b", "client:root"])
  }

  // MARK: Sizes

  @Test("a list of fifty thousand elements is read")
  func hugeList() throws {
    let item = Array(#"{"id":"i","name":null},"#.utf8)
    let items = repeatElement(item, count: 50_000).joined().dropLast()
    let test = TestStore()
    try test.write(
      list.normalization, body: Array(#"{"data":{"items":["#.utf8) + items + Array("]}}".utf8))
    #expect(test.json(list)?["items"]?.array?.count == 50_000)
  }

  @Test("a response with more bytes or more objects than the limits is refused")
  func budgets() throws {
    let body = Array(
      #"{"data":{"items":[{"id":"a","name":"A"},{"id":"a","name":"A"},{"id":"b","name":"B"}]}}"#
        .utf8)
    func read(_ limits: ResponseLimits) throws -> RecordPayload? {
      let store = RecordStore()
      return try ResponseReader(
        plan: store.bind(list.normalization, variables: [:]), root: .root,
        operationName: "ItemsQuery",
        limits: limits
      ).response(body).payload
    }
    #expect(throws: Never.self) { try read(ResponseLimits(bytes: body.count, records: 4)) }
    let tooLong = #expect(throws: RelayError.self) { try read(.init(bytes: body.count - 1)) }
    #expect(tooLong?.code == .response)
    #expect(
      tooLong?.message == "Response for \"ItemsQuery\" has more than \(body.count - 1) bytes.")
    let tooMany = #expect(throws: RelayError.self) { try read(.init(records: 3)) }
    #expect(tooMany?.path == ["items", 2] && tooMany?.code == .response)
    let one = #expect(throws: RelayError.self) { try read(.init(bytes: 1)) }
    #expect(one?.message == "Response for \"ItemsQuery\" has more than 1 byte.")
    let single = #expect(throws: RelayError.self) { try read(.init(records: 1)) }
    #expect(single?.message.contains("has more than 1 object at") == true)
  }

  @Test("the limits of a store apply to all its responses")
  func configured() async throws {
    let limits = ResponseLimits(depth: 4, bytes: 1_000, records: 2)
    let environment = RelayEnvironment(
      store: RecordStore(configuration: .init(responseLimits: limits)), transport: NoTransport())
    let todo: JSONValue = ["id": "1", "text": "Feed", "isComplete": false, "assignee": nil]
    func commit(_ data: JSONValue) throws {
      try environment.commitPayload(TodoListQuery(), data: data)
    }
    let before = environment.store.dump()
    #expect(throws: RelayError.self) { try commit(["todos": [todo, todo]]) }
    #expect(throws: RelayError.self) { try commit(["x": [[[[[]]]]]]) }
    #expect(throws: RelayError.self) {
      try commit(["x": .string(String(repeating: "x", count: 1_000))])
    }
    #expect(environment.store.dump() == before)
    try commit(["todos": [todo], "x": [[[[]]]]])
    #expect(environment.store.dump() != before)
  }

  // MARK: Hashing

  @Test(
    "ids made to collide in well-known hash functions need few probes",
    arguments: ["doubled", "counted", "shifted"])
  func flooding(_ kind: String) {
    var table = RecordTable()
    let count = 1 << 15
    for number in 0..<count {
      let id = DataID(Self.id(number, kind))
      let hash = id.withBytes(RecordTable.hash)
      let record = id.withBytes { RecordBox.unknown(id: $0) }
      #expect(id.withBytes { table.index(of: $0, hash: hash) } == nil)
      _ = table.insert(record, hash: hash)
    }
    // A good hash needs about two probes at a load factor of three quarters.
    #expect(table.ids.probeCount < 4 * count, "\(table.ids.probeCount) looks for \(count) ids")
  }

  /// Returns an id of one of three kinds: ids with the same hash in sums of powers of 31, as in
  /// Java; multiples of 65,536; ids that differ only in their first character and their last
  /// digits.
  private static func id(_ number: Int, _ kind: String) -> String {
    switch kind {
    case "doubled": (0..<15).map { number >> $0 & 1 == 0 ? "Aa" : "BB" }.joined()
    case "counted": "\(number << 16)"
    default: String(UnicodeScalar(UInt8(number & 127))) + "aaaaaaaaaaaaaaa\(number >> 7)"
    }
  }
}
