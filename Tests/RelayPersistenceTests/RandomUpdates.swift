import RelayStore
import SeededRandom

/// Random updates of a store: objects of a few types with all kinds of values, links between them,
/// a root with many fields with arguments, and deletions.
struct RandomUpdates {
  var random: SeededGenerator
  /// The number of objects that updates choose from.
  var objectCount = 300

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Performs one update of up to `count` steps.
  mutating func update(_ environment: RelayEnvironment, steps count: Int) throws {
    let steps = (0..<count).map { _ in step() }
    // An updater cannot recreate a record that it has deleted.
    let deleted = (0..<count / 20 + (count == 3 ? 1 : 0)).map { _ in id() }
    try environment.commitUpdate { store in
      for step in steps { try step(store) }
      for id in deleted where try store[id] != nil { try store.delete(id) }
    }
  }

  private typealias Step = @Sendable (RecordSourceProxy) throws -> Void

  private mutating func id() -> DataID {
    DataID("object-\(Int.random(in: 0..<objectCount, using: &random))")
  }

  private mutating func step() -> Step {
    let (id, other) = (id(), id())
    let others = (0..<Int.random(in: 0..<6, using: &random)).map { _ in self.id() }
    let number = Int.random(in: -1_000_000...1_000_000, using: &random)
    let value = value(depth: 0)
    let field = ["name", "score", "note", "payload"].randomElement(using: &random) ?? "name"
    let argument = Int.random(in: 0..<700, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8:
      return { try Self.object(id, number, in: $0).setValue(value, for: field) }
    case 8..<11:
      return { store in
        let target = try Self.object(other, number, in: store)
        try Self.object(id, number, in: store).setLinkedRecord(target, for: "friend")
      }
    case 11..<14:
      return { store in
        let targets = try others.map { try Self.object($0, number, in: store) }
        try Self.object(id, number, in: store).setLinkedRecords(targets, for: "friends")
      }
    case 14..<16:
      return { try Self.object(id, number, in: $0).setValue(.null, for: field) }
    case 16: return { try Self.object(id, number, in: $0).removeValue(field) }
    default:
      return { store in
        let target = try Self.object(other, number, in: store)
        try store.root.setLinkedRecord(
          target, for: "object", arguments: ["id": .string("\(argument)")])
      }
    }
  }

  /// Returns an object, creating it if it does not exist.
  private static func object(
    _ id: DataID, _ number: Int, in store: RecordSourceProxy
  ) throws -> RecordProxy {
    if let found = try store[id] { return found }
    return try store.create(id, type: number % 3 == 0 ? "User" : "Item")
  }

  private mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth < 3 ? 11 : 7), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .number(JSONNumber(Int.random(in: -1_000...1_000, using: &random)))
    case 3: return .number(JSONNumber(Int.random(in: .min ... .max, using: &random)))
    case 4: return .number(JSONNumber("12345678901234567890123.500") ?? JSONNumber(1))
    case 5: return .string("é🙂\u{0}\"\\" + String(Int.random(in: 0..<99, using: &random)))
    case 6:
      return .string(String(repeating: "x", count: Int.random(in: 0..<300, using: &random)))
    case 7, 8:
      return .array(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth + 1) })
    default:
      return ["__ref": .string("object-1"), "nested": value(depth: depth + 1)]
    }
  }
}
