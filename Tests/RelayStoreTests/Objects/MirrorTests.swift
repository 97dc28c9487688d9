import Testing

@testable import RelayStore

@Suite("Local objects")
struct MirrorTests {
  private let environment: RelayEnvironment
  private let context = MemoryContext()

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(collection: .manual)), transport: NoTransport())
  }

  private func write(_ todos: [(id: String, text: String)]) throws {
    try environment.commitPayload(
      TodoListQuery(),
      json: [
        "todos": .array(
          todos.map {
            [
              "id": .string($0.id), "text": .string($0.text), "isComplete": false,
              "assignee": ["id": "u", "name": "Ann"],
            ]
          })
      ])
  }

  private func texts(_ ids: [String]) throws -> [String?] {
    try ids.map { try Todo.existingObject(in: context, withID: $0)?.text }
  }

  private func mirror() -> ObservationHandle {
    environment.mirror(TodoRow_todo.self, into: ObjectWriter(Todo.self, in: context))
  }

  @Test("an object is found or made, and takes its values from a fragment")
  func object() throws {
    #expect(try Todo.existingObject(in: context, withID: "1") == nil)
    let todo = try Todo.object(
      in: context, with: TodoRow_todo(id: "1", text: "a", isComplete: false))
    #expect(todo.text == "a")
    #expect(try Todo.object(in: context, withID: "1") === todo)
    #expect(!todo.update(with: TodoRow_todo(id: "1", text: "a", isComplete: true)))
  }

  @Test("a mirror writes what is there, then what each commit changes, in two look-ups at most")
  func commits() throws {
    try write([("1", "a"), ("2", "b")])
    let mirror = mirror()
    #expect(context.lookUpCount == 1 && context.saveCount == 1)
    #expect(try texts(["1", "2"]) == ["a", "b"])
    var lookUps = context.lookUpCount
    try write([("1", "a"), ("2", "c"), ("3", "d")])
    #expect(context.lookUpCount == lookUps + 1 && context.saveCount == 2)
    try environment.batch {
      try environment.commitUpdate { try $0.delete("1") }
      try environment.commitUpdate { try $0["2"]?.setValue("e", for: "text") }
    }
    #expect(context.lookUpCount == lookUps + 3 && context.saveCount == 3)
    lookUps = context.lookUpCount
    #expect(try texts(["1", "2", "3"]) == [nil, "e", "d"])
    mirror.cancel()
    try write([("2", "z")])
    #expect(try texts(["2"]) == ["e"])
    #expect(environment.store.statistics.isEmpty)
  }

  @Test("work that comes from the work of a context is done after it")
  func nested() {
    let order = Locked<[Int]>([])
    context.perform { context in
      order.withLock { $0.append(1) }
      context.perform { _ in
        order.withLock { $0.append(3) }
        return true
      }
      order.withLock { $0.append(2) }
      return false
    }
    #expect(order.withLock { $0 } == [1, 2, 3] && context.saveCount == 1)
  }

  @Test("nothing is written when nothing of the fragment has changed")
  func unchanged() throws {
    try write([("1", "a")])
    let mirror = mirror()
    let lookUps = context.lookUpCount
    try write([("1", "a")])
    try environment.commitUpdate { try $0["1"]?.setValue(4, for: "score") }
    try environment.commitUpdate { _ = try $0.create("9", type: "User") }
    #expect(context.lookUpCount == lookUps && context.saveCount == 1)
    // The fragment has changed, and nothing that the object takes from it.
    try environment.commitUpdate { try $0["u"]?.setValue("Eve", for: "name") }
    #expect(context.lookUpCount == lookUps + 1 && context.saveCount == 1)
    mirror.cancel()
  }

  @Test("an object that is not whole waits, and optimistic changes are written back")
  func partial() throws {
    let mirror = mirror()
    try environment.commitUpdate { try $0.create("1", type: "Todo").setValue("1", for: "id") }
    #expect(context.saveCount == 0)
    try write([("1", "a")])
    #expect(try texts(["1"]) == ["a"])
    try environment.commitUpdate { try $0["1"]?.removeValue("isComplete") }
    #expect(context.saveCount == 1)
    try write([("1", "a")])
    #expect(context.saveCount == 1)
    let update = try environment.applyUpdate { try $0["1"]?.setValue("b", for: "text") }
    #expect(try texts(["1"]) == ["b"])
    update.revert()
    #expect(try texts(["1"]) == ["a"])
    mirror.cancel()
  }

  @Test("what is forgotten is not deleted, and the mirror keeps nothing from the collector")
  func forgotten() throws {
    let store = RecordStore(
      configuration: .init(releaseBufferSize: 0, collection: .manual))
    let environment = RelayEnvironment(store: store, transport: NoTransport())
    let mirror = environment.mirror(TodoRow_todo.self, into: ObjectWriter(Todo.self, in: context))
    try environment.commitUpdate { updater in
      let todo = try updater.create("7", type: "Todo")
      try todo.setValue("7", for: "id")
      try todo.setValue("x", for: "text")
      try todo.setValue(false, for: "isComplete")
      try todo.setLinkedRecord(nil, for: "assignee")
    }
    #expect(try texts(["7"]) == ["x"])
    #expect(store.collectGarbage().collected > 0)
    try environment.commitUpdate { _ = try $0.create("8", type: "User") }
    environment.reset()
    #expect(try texts(["7"]) == ["x"] && context.saveCount == 1)
    mirror.cancel()
  }
}

/// An object of an app's own; as with Core Data's, its class is not final.
///
/// `@unchecked Sendable`: its values stand behind locks.
private class Todo: MemoryObject, @unchecked Sendable {
  let id: String
  private let value = Locked("")

  required init(id: String) { self.id = id }

  var text: String { value.withLock { $0 } }

  func update(with fragment: TodoRow_todo) -> Bool {
    value.withLock { text in
      defer { text = fragment.text }
      return text != fragment.text
    }
  }
}
