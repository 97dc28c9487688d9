import RelayStore
import SeededRandom
import Testing

@Suite("Equality of JSON values", .timeLimit(.minutes(1)))
struct JSONEqualityTests {
  private static func value(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .number(JSONNumber(Int.random(in: 0..<2, using: &random)))
    case 3: .string(["", "a"].randomElement(using: &random) ?? "")
    case 4: Bool.random(using: &random) ? .array([]) : .object([:])
    case 5:
      .array((0..<Int.random(in: 0..<3, using: &random)).map { _ in value(depth - 1, &random) })
    default:
      .object(
        ["x", "y"].shuffled(using: &random).prefix(Int.random(in: 0..<3, using: &random))
          .reduce(into: JSONObject()) { $0[$1] = value(depth - 1, &random) })
    }
  }

  /// Returns an equal value with the members of its objects in another order.
  private static func shuffled(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let list): .array(list.map(shuffled))
    case .object(let object):
      .object(
        object.members.reversed().reduce(into: JSONObject()) { $0[$1.key] = shuffled($1.value) })
    default: value
    }
  }

  /// The reference implementation of equality, by recursion.
  private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { isSame($0, $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count
        && a.members.allSatisfy { member in b[member.key].map { isSame(member.value, $0) } ?? false
        }
    default: false
    }
  }

  @Test("values are equal if their parts are equal, in any order of members")
  func random() {
    var random = SeededGenerator(seed: 1)
    var (same, nested) = (0, 0)
    for _ in 0..<20_000 {
      let left = Self.value(3, &random)
      let right = Bool.random(using: &random) ? Self.shuffled(left) : Self.value(3, &random)
      let isSame = Self.isSame(left, right)
      #expect((left == right) == isSame && (right == left) == isSame && left == left)
      if isSame {
        #expect(left.hashValue == right.hashValue)
        same += 1
        if (left.array?.count ?? left.object?.count ?? 0) > 0 { nested += 1 }
      }
    }
    print("JSON values: \(same) pairs are equal, \(nested) of them with parts.")
    #expect(nested > 1_000)
  }
}
