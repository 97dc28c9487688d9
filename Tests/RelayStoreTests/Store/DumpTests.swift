import RelayStore
import RelayStoreTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct DumpTests {
  /// A dump with every kind of value.
  private let everything = #"""
    {
      "1":{"__errors":{"name":[{"message":"no","path":["a",2]}]},"__id":"1","__invalidated_at":4,"__typename":"User","age":null,"big":12345678901234567890123,"half":1.50,"id":"1","name":null,"tags":["a",["b",null]]},
      "2":null,
      "client:root":{"__id":"client:root","__typename":"__Root","dangling":{"__ref":"nowhere"},"data":{"__json":{"__ref":"1"}},"deep":[{"__json":{"__json":1}},{"plain":{"__ref":"x"}}],"me":{"__ref":"1"},"users":{"__refs":["1",null,"2"]},"wide":[{"__refs":["1"]},{"__refs":[]}]}
    }
    """#

  @Test("a dump that is restored and dumped again is the same, byte for byte")
  func roundTrip() throws {
    let store = try RecordStore(dump: everything)
    #expect(store.dump(.base) == everything)
    #expect(store.dump(.visible) == everything)
  }

  @Test("the order of members and white space in a dump do not matter")
  func order() throws {
    let store = try RecordStore(
      dump: #" { "b" : { "z" : 1 , "__typename":"B", "__id" : "b" } , "a" : null }"#)
    #expect(
      try StoreDifference(
        from: #"{"client:root":{"__id":"client:root","__typename":"__Root"}}"#, to: store.dump()
      ).lines == ["x a", #"+ b {"__id":"b","__typename":"B","z":1}"#])
  }

  @Test("a restored store gives the same reads as the dumped one")
  func reading() throws {
    let plan = TestSelection(#"{ me { id name } gone: user(id: "2") { id } users { id } }"#)
    let test = TestStore()
    try test.write(
      plan, ["me": ["id": "1", "name": nil], "gone": ["id": "2"], "users": [["id": "1"], nil]],
      errors: [["message": "no", "path": ["me", "name"]]])
    try test.environment.commitUpdate { try $0.delete("2") }
    let restored = try RecordStore(dump: test.store.dump())
    let scope = VariableScope(operation: [:])
    let (old, new) = (test.read(plan), restored.read(.record(.root, plan.reader, in: scope)))
    #expect(old.row.map { $0.json } == new.row.map { $0.json })
    #expect(old.errors == new.errors && old.missing == new.missing && new.row != nil)
  }

  @Test("a number that Int cannot hold is an error of its field, and keeps its digits")
  func wideIntegers() throws {
    let dump = #"""
      {
        "1":{"__id":"1","__typename":"User","age":12345678901234567890,"id":"1"},
        "client:root":{"__id":"client:root","__typename":"__Root","me":{"__ref":"1"}}
      }
      """#
    let plan = TestSelection("{ me { id age } }")
    let store = try RecordStore(dump: dump)
    let snapshot = store.read(.record(.root, plan.reader, in: VariableScope(operation: [:])))
    #expect(snapshot.row?.json == ["me": ["id": "1", "age": nil]])
    #expect(snapshot.errors.map(\.path) == [["me", "age"]])
    let message = "Field \"age\" is of type Int, and the store has a number for it."
    #expect(snapshot.errors.first?.message == message)
    #expect(store.dump().contains(#""age":12345678901234567890"#))
  }

  @Test("a record that was invalidated before the dump is stale after it")
  func invalidation() throws {
    let store = try RecordStore(dump: everything)
    let user = TestSelection("fragment F on User { id }").reader
    #expect(store.read(.record("1", user, in: VariableScope(operation: [:]))).isStale)
    // The next invalidation gets a later time.
    let environment = RelayEnvironment(store: store, transport: NoTransport())
    try environment.commitUpdate { try $0["1"]?.invalidateRecord() }
    #expect(store.dump().contains(#""__invalidated_at":5"#))
  }

  @Test(
    "a text that is not a dump is refused with the path",
    arguments: [
      ("[]", ""), ("{", ""), (#"{"1":3}"#, "1"), (#"{"1":{"__id":"2"}}"#, "1.__id"),
      (#"{"1":{"__typename":3}}"#, "1.__typename"),
      (#"{"1":{"__invalidated_at":"x"}}"#, "1.__invalidated_at"),
      (#"{"1":{"a":{"__ref":3}}}"#, "1.a"), (#"{"1":{"a":{"__refs":"b"}}}"#, "1.a"),
      (#"{"1":{"a":{"__refs":[1]}}}"#, "1.a"), (#"{"1":{"__errors":[]}}"#, "1.__errors"),
      (#"{"1":{"__errors":{"a":[]}}}"#, "1.a"),
      (#"{"1":{"a":null,"__errors":{"a":[{"path":[]}]}}}"#, "1.__errors"),
      (#"{"1":{"a":null,"__errors":{"a":[{"message":"m","path":"b"}]}}}"#, "1.__errors"),
      (#"{"1":{"a":null,"__errors":{"a":[{"message":"m","path":[true]}]}}}"#, "1.__errors"),
      (#"{"client:root":null}"#, "client:root"),
    ])
  func refusals(dump: String, place: String) {
    do {
      _ = try RecordStore(dump: dump)
      Issue.record("\(dump) was taken")
    } catch {
      let error = error as? RelayError
      #expect(error?.code == .dump)
      #expect(error?.path.description == (place.isEmpty ? "(root)" : place))
    }
  }

  @Test(
    "an error without a path, as Relay writes it, belongs to the field itself",
    arguments: ["", #","path":null"#, #","path":[]"#, #","severity":"CRITICAL""#])
  func errorsWithoutPath(_ rest: String) throws {
    let store = try RecordStore(
      dump:
        #"{"1":{"__typename":"User","name":null,"__errors":{"name":[{"message":"no"\#(rest)}]}}}"#)
    let user = TestSelection("fragment F on User { name }").reader
    let snapshot = store.read(.record("1", user, in: VariableScope(operation: [:])))
    #expect(snapshot.errors.map(\.message) == ["no"])
    #expect(snapshot.errors.map(\.path.description) == ["name"])
    #expect(try RecordStore(dump: store.dump()).dump() == store.dump())
  }

  @Test(
    "a difference lists records that were added, removed and deleted, and changed fields by value")
  func difference() throws {
    let old = #"{"a":{"__id":"a","x":1,"y":2},"b":{"__id":"b"},"c":{"__id":"c"}}"#
    let new = #"{"a":{"__id":"a","x":3,"z":null},"b":null,"d":{"__id":"d"}}"#
    let difference = try StoreDifference(from: old, to: new)
    #expect(
      difference.lines == [
        "a.x: 1 → 3", "a.y: 2 → absent", "a.z: absent → null", "x b", "- c",
        #"+ d {"__id":"d"}"#,
      ])
    #expect(try StoreDifference(from: old, to: old).isEmpty)
  }
}
