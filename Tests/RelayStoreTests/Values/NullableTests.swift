import Foundation
import RelayStore
import Testing

@Suite("GraphQLNullable", .timeLimit(.minutes(1)))
struct NullableTests {
  private enum Mood: Hashable { case calm }

  @Test("literals of every kind are values; the nil literal is .none")
  func literals() {
    let a: GraphQLNullable<Float> = 1.1
    let decimal: GraphQLNullable<CGFloat> = 2.5
    let int: GraphQLNullable<Int> = 1
    let double: GraphQLNullable<Double> = 2
    let text: GraphQLNullable<String> = "x"
    let interpolated: GraphQLNullable<String> = .some("\(1)")
    let truth: GraphQLNullable<Bool> = true
    let list: GraphQLNullable<[Int]> = [1, 2]
    let lists: GraphQLNullable<[[String]]> = [["a"], []]
    let members: GraphQLNullable<[String: Int]> = ["b": 2, "a": 1]
    let json: GraphQLNullable<JSONValue> = ["a": [1, nil]]
    let none: GraphQLNullable<String> = nil
    #expect(GraphQLNullable(2.5) == decimal && GraphQLNullable<[Int]>([1, 2]) == list)
    #expect(a == .some(1.1) && int == .some(1) && double == .some(2) && text == .some("x"))
    #expect(interpolated.unwrapped == "1" && truth == .some(true) && list == .some([1, 2]))
    #expect(lists == .some([["a"], []]) && none == .none && none != .null)
    #expect(members.__json?.description == #"{"a":1,"b":2}"#)
    #expect(json.__json?.description == #"{"a":[1,null]}"#)
  }

  @Test("an optional without a value is sent as null or left out, as the caller chooses")
  func optionals() {
    let text: String? = nil
    let given: String? = "x"
    #expect((text ?? .null) == GraphQLNullable<String>.null)
    let sent: GraphQLNullable<String> = given ?? .none
    #expect(sent == .some("x"))
    #expect(GraphQLNullable(text, ifNil: .null) == .null)
    #expect(GraphQLNullable(text, ifNil: .none) == .none)
    #expect(GraphQLNullable(given, ifNil: .null).unwrapped == "x")
    #expect((given ?? "y") == "x")
  }

  @Test("an enum value is wrapped only once")
  func enums() {
    let mood: GraphQLNullable<Mood> = .some(.calm)
    #expect(mood.unwrapped == .calm)
  }

  @Test("updaters write every type that can be sent as a variable")
  func values() throws {
    let test = TestStore()
    let count = 3
    let tags: [String] = ["a"]
    try test.environment.commitUpdate { source in
      let record = try source.create("1", type: "Todo")
      try record.setValue(count, for: "count")
      try record.setValue(1.5, for: "ratio")
      try record.setValue(tags, for: "tags")
      try record.setValue(["a": 1], for: "map")
      try record.setValue(true, for: "done")
      try record.setValue(nil, for: "note")
      try record.setValue("x", for: "kept")
      try record.setValue(GraphQLNullable<String>.none, for: "kept")
      try record.setValue(GraphQLNullable<String>.null, for: "gone")
    }
    #expect(
      try JSONValue(parsing: Array(test.store.dump().utf8))["1"]
        == [
          "__id": "1", "__typename": "Todo", "count": 3, "ratio": 1.5, "tags": ["a"],
          "map": ["a": 1], "done": true, "note": nil, "kept": "x", "gone": nil,
        ])
  }
}
