import RelayStore
import RelayStoreTesting
import Testing

@Suite("The nil literal of JSONValue", .timeLimit(.minutes(1)))
struct NilLiteralTests {
  @Test("nil is null as a member, as an element and as a value")
  func literals() {
    let value: JSONValue = ["nick": nil, "tags": [nil, "a"]]
    #expect(value.description == #"{"nick":null,"tags":[null,"a"]}"#)
    #expect(value["nick"]?.isNull == true && value["name"] == nil)
    let null: JSONValue = nil
    #expect(null.isNull)
  }

  @Test(
    "nil is .none as an optional, but null beside a value in a conditional expression"
  )
  func optionals() {
    let ada: JSONValue = "Ada"
    func returned(_ isKnown: Bool) -> JSONValue? {
      if isKnown { return ada }
      return nil
    }
    func branch(_ isKnown: Bool) -> JSONValue? { if isKnown { ada } else { nil } }
    func none(_ isKnown: Bool) -> JSONValue? { isKnown ? ada : .none }
    for name in [returned, branch, none] {
      #expect(name(true) == "Ada" && name(false) == nil && name(true) != nil)
    }
    func conditional(_ isKnown: Bool) -> JSONValue? { isKnown ? ada : nil }
    #expect(conditional(true) == ada && conditional(false) == .some(.null))
    let absent: JSONValue? = nil
    #expect(absent == nil && absent.map(\.isNull) == nil)
  }

  @Test("nil writes a null in an updater, while an absent field reads as nil")
  func updaters() throws {
    let store = RecordStore(configuration: .init(garbageCollection: .manual))
    let environment = RelayEnvironment(store: store, transport: MockTransport())
    try environment.commitUpdate { source in
      let record = try source.create("1", type: "Person")
      #expect(try record.getValue("nick") == nil)
      try record.setValue(nil, for: "nick")
      #expect(try record.getValue("nick") == .some(.null))
      try record.removeValue("nick")
      #expect(try record.getValue("nick") == nil)
    }
  }

  @Test("nil as an argument is null, which differs from an absent argument")
  func arguments() throws {
    let store = RecordStore(configuration: .init(garbageCollection: .manual))
    let environment = RelayEnvironment(store: store, transport: MockTransport())
    try environment.commitUpdate { source in
      let record = try source.create("1", type: "Person")
      try record.setValue("null", for: "find", arguments: ["tag": nil])
      try record.setValue("left out", for: "find")
      #expect(try record.getValue("find", arguments: ["tag": .null]) == "null")
      #expect(try record.getValue("find") == "left out")
      #expect(record.storageKey(for: "find", arguments: ["tag": nil]) == "find(tag:null)")
      #expect(try record.getValue("find", arguments: ["tag": "a"]) == nil)
    }
  }
}
