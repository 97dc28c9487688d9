import Testing

@testable import RelayPersistence
@_spi(GeneratedCode) @testable import RelayStore

@Suite("Stamps of a mirror", .timeLimit(.minutes(1)))
struct MirrorStampTests {
  private let context = MemoryContext()
  private let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(garbageCollection: .manual)),
    transport: NoTransport())

  private func write(_ id: String, _ text: String) throws {
    try environment.commitUpdate { store in
      let todo = try store[DataID(id)] ?? store.create(DataID(id), type: "Todo")
      try todo.setValue(.string(id), for: "id")
      try todo.setValue(.string(text), for: "text")
      try todo.setValue(false, for: "isComplete")
      try todo.setLinkedRecord(nil, for: "assignee")
    }
  }

  /// Starts a mirror, and ends it.
  private func mirror() {
    environment.mirror(TodoRow_todo.self, into: ObjectWriter(StampedTodo.self, in: context))
      .cancel()
  }

  @Test("a mirror that begins again writes only what has changed meanwhile")
  func again() throws {
    for id in ["1", "2", "3"] { try write(id, "a") }
    mirror()
    #expect(context.lookUpCount == 1)
    mirror()
    #expect(context.lookUpCount == 1)
    try write("2", "b")
    try environment.commitUpdate { try $0.delete("3") }
    let kept = try StampedTodo.existingObject(in: context, withID: "1")
    kept?.updates.withLock { $0 = 0 }
    mirror()
    let todos = try StampedTodo.existingObjects(in: context, withIDs: ["1", "2", "3"])
    #expect(todos.keys.sorted() == ["1", "2"])
    #expect((todos["2"] as? StampedTodo)?.text == "b")
    #expect(kept?.updates.withLock { $0 } == 0)
  }

  @Test("an object without a stamp is written, and deleted if the store knows that it was")
  func unstamped() throws {
    for id in ["1", "2", "3"] { _ = try StampedTodo.object(in: context, withID: id) }
    try write("1", "a")
    try write("2", "a")
    try environment.commitUpdate { try $0.delete("2") }
    mirror()
    let todos = try StampedTodo.existingObjects(in: context, withIDs: ["1", "2", "3"])
    #expect(todos.keys.sorted() == ["1", "3"])
    #expect((todos["1"] as? StampedTodo)?.text == "a")
  }

  @Test("the text of a stamp is a stamp again, and other texts are none")
  func text() {
    let stamps = [
      FragmentStamp.outdated, FragmentStamp(digest: .max, revision: nil),
      FragmentStamp(digest: 1, revision: PersistenceRevision(run: .max, revision: .max)),
    ]
    for stamp in stamps { #expect(FragmentStamp(stamp.description) == stamp) }
    let texts = ["0", "ffffffffffffffff", "1.ffffffffffffffff.ffffffffffffffff"]
    #expect(stamps.map(\.description) == texts)
    for text in ["", ".", "1.2", "1.2.3.4", "g", "1..2", "10000000000000000", "1 "] {
      #expect(FragmentStamp(text) == nil, "\(text)")
    }
  }

  @Test("digests are the same in every process, and differ for different values and selections")
  func digests() throws {
    let plan = SelectionPlan("T{id ID! a Int list [String] extra JSON}")
    func digest(_ plan: SelectionPlan, _ slots: [RowSlot]) -> UInt64 {
      FragmentStamp(
        RowBox(plan: plan, slots: slots), FragmentHashing(selections: plan.readHash),
        revision: nil
      ).digest
    }
    func slots(_ number: RowSlot.Value, _ list: [String?], _ extra: JSONObject = [:]) -> [RowSlot] {
      let elements = list.map { RowSlot($0.map { .string($0) } ?? .null) }
      return [
        RowSlot(.string("1")), RowSlot(number), RowSlot(.list(ListBuffer(elements))),
        RowSlot(.object(extra)),
      ]
    }
    let one = digest(plan, slots(.int(1), ["a", nil], ["x": 1, "y": [true]]))
    #expect(String(one, radix: 16) == "87011d5552289636")
    #expect(digest(plan, slots(.int(1), ["a", nil], ["y": [true], "x": 1])) == one)
    let digits = JSONNumber(digits: "1.0")
    let others = [
      digest(plan, slots(.int(2), ["a", nil], ["x": 1, "y": [true]])),
      digest(plan, slots(.number(digits), ["a", nil], ["x": 1, "y": [true]])),
      digest(plan, slots(.int(1), ["a"], ["x": 1, "y": [true]])),
      digest(plan, slots(.int(1), ["a", ""], ["x": 1, "y": [true]])),
      digest(plan, slots(.int(1), ["a\u{0}", nil], ["x": 1, "y": [true]])),
      digest(plan, slots(.int(1), ["a", nil], ["x": 1, "y": true])),
      digest(plan, slots(.int(1), ["a", nil], ["x": 1])),
      digest(plan, slots(.int(1), ["a", nil], ["x": 1, "y": [false]])),
      digest(plan, slots(.int(1), ["a", nil], ["x": 1, "y": [nil]])),
      digest(
        SelectionPlan("T{id ID! b Int list [String] extra JSON}"),
        slots(.int(1), ["a", nil], ["x": 1, "y": [true]])),
    ]
    #expect(Set(others + [one]).count == others.count + 1)
  }
}

/// An object that counts its updates.
private final class StampedTodo: MemoryObject {
  let id: String
  let updates = Locked(0)
  private let value = Locked("")

  init(id: String) { self.id = id }

  var text: String { value.withLock { $0 } }

  func update(with fragment: TodoRow_todo) -> Bool {
    updates.withLock { $0 += 1 }
    return value.withLock { text in
      defer { text = fragment.text }
      return text != fragment.text
    }
  }
}
