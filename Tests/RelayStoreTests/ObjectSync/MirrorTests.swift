import Testing

@testable import RelayPersistence
@_spi(GeneratedCode) @testable import RelayStore

@Suite("Object sync", .timeLimit(.minutes(1)))
struct MirrorTests {
  private let environment: RelayEnvironment
  private let context = MemoryContext()

  init() {
    environment = RelayEnvironment(
      store: RecordStore(configuration: .init(garbageCollection: .manual)), transport: NoTransport()
    )
  }

  private func write(_ todos: [(id: String, text: String)]) throws {
    try environment.commitPayload(
      TodoListQuery(),
      data: [
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

  @Test("an object is looked up or inserted, and copies its values from a fragment")
  func object() throws {
    #expect(try Todo.existingObject(in: context, withID: "1") == nil)
    let todo = try Todo.object(
      in: context, with: TodoRow_todo(id: "1", text: "a", isComplete: false))
    #expect(todo.text == "a")
    #expect(try Todo.object(in: context, withID: "1") === todo)
    #expect(!todo.update(with: TodoRow_todo(id: "1", text: "a", isComplete: true)))
  }

  @Test("an optional fragment or reference gives an optional object")
  func optionalObject() throws {
    try write([("1", "a")])
    var fragment: TodoRow_todo?
    var reference: FragmentRef<TodoRow_todo>?
    #expect(try Todo.object(in: context, with: fragment) == nil)
    #expect(try Todo.object(in: context, with: reference, from: environment) == nil)
    reference = FragmentRef(id: "9")
    #expect(try Todo.object(in: context, with: reference, from: environment) == nil)
    reference = FragmentRef(id: "1")
    let todo = try Todo.object(in: context, with: reference, from: environment)
    #expect(todo?.text == "a")
    fragment = TodoRow_todo(id: "1", text: "b", isComplete: false)
    #expect(try Todo.object(in: context, with: fragment) === todo && todo?.text == "b")
  }

  @Test(
    "a mirror writes the existing records, then the changes of each commit, in at most two lookups")
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

  @Test("work that a context performs inside its work runs after it")
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

  @Test("nothing is written if nothing in the fragment has changed")
  func unchanged() throws {
    try write([("1", "a")])
    let mirror = mirror()
    let lookUps = context.lookUpCount
    try write([("1", "a")])
    try environment.commitUpdate { try $0["1"]?.setValue(4, for: "score") }
    try environment.commitUpdate { _ = try $0.create("9", type: "User") }
    #expect(context.lookUpCount == lookUps && context.saveCount == 1)
    // The fragment has changed, but none of the values that the object copies from it.
    try environment.commitUpdate { try $0["u"]?.setValue("Eve", for: "name") }
    #expect(context.lookUpCount == lookUps + 1 && context.saveCount == 1)
    mirror.cancel()
  }

  @Test(
    "a record with missing fields is not written yet; optimistic changes are written and reverted")
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

  @Test("objects of collected records are not deleted, and a mirror does not retain records")
  func collectedRecords() throws {
    let store = RecordStore(
      configuration: .init(releaseBufferSize: 0, garbageCollection: .manual))
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

@Suite("Memory of a mirror", .timeLimit(.minutes(1)))
struct MirrorMemoryTests {
  /// A writer that logs its changes in order.
  private struct Log<Fragment: GraphQLFragment>: FragmentWriter {
    let delivered = Locked<[String]>([])
    let text: @Sendable (Fragment) -> String

    func write(_ changes: FragmentChanges<Fragment>) {
      let new = changes.updated.map(text) + changes.deletedIDs.map { "-" + $0 }
      delivered.withLock { $0 += new }
    }

    /// Returns the changes since the last call.
    func drain() -> [String] {
      delivered.withLock { delivered in
        defer { delivered = [] }
        return delivered
      }
    }
  }

  /// A handwritten fragment, because its type table must be older than the server's schema. In the
  /// table `Page` is the only actor; a discriminator shows that `User` is one too.
  private struct Actor_name: GraphQLFragment, Hashable {
    static let __plan = SelectionPlan(
      "*Actor{__typename String! name String!}", types: AbstractTypes("Actor=Page;*=Bot|User"))
    let __row: Row
    init(__row: Row) { self.__row = __row }
    var name: String { __row[1] }
  }

  private let test = TestStore(releaseBufferSize: 0)
  private let log = Log<TodoRow_todo> { $0.id + ":" + $0.text + ":" + ($0.assignee?.name ?? "") }

  private func write(_ id: String, _ text: String, by name: String = "Ann") throws {
    let user: JSONValue = ["id": "u", "name": .string(name)]
    try test.environment.commitPayload(
      TodoListQuery(),
      data: [
        "todos": [
          ["id": .string(id), "text": .string(text), "isComplete": false, "assignee": user]
        ]
      ])
  }

  /// A weak reference to a record's storage.
  private struct Held { weak var box: RecordBox? }

  private func box(_ id: DataID) -> Held {
    let record = test.store.withState { $0.source[$0.index(of: id)] }
    return Held(box: record.box)
  }

  @Test(
    "a mirror retains no collected records, and does not write them again unless they changed"
  )
  func collected() throws {
    let mirror = test.environment.mirror(TodoRow_todo.self, into: log)
    try write("1", "a long text that stands in the record itself")
    #expect(log.drain().count == 1)
    let record = box("1")
    #expect(record.box != nil)
    try test.environment.commitUpdate { try $0.root.removeValue("todos(first:10)") }
    test.store.collectGarbage()
    #expect(record.box == nil)
    try write("1", "a long text that stands in the record itself")
    #expect(log.drain() == [])
    test.environment.reset()
    try write("1", "a long text that stands in the record itself")
    #expect(log.drain() == [])
    test.environment.reset()
    try write("1", "another")
    #expect(log.drain() == ["1:another:Ann"])
    test.environment.reset()
    try test.environment.commitUpdate { try $0.delete("1") }
    #expect(log.drain() == ["-1"])
    try test.environment.commitUpdate { try $0.delete("2") }
    #expect(log.drain() == [])
    try write("1", "another")
    #expect(log.drain() == ["1:another:Ann"])
    mirror.cancel()
  }

  @Test(
    "a record is written again once a collected part is back, and only if the part has changed"
  )
  func collectedPart() throws {
    let mirror = test.environment.mirror(TodoRow_todo.self, into: log)
    try write("1", "a")
    #expect(log.drain() == ["1:a:Ann"])
    let row = TestSelection("fragment Row on Todo { id text isComplete }").reader
    let subscription = test.store.subscribe(.record("1", row, in: VariableScope(operation: [:])))
    let user = box("u")
    #expect(user.box != nil)
    test.store.collectGarbage()
    #expect(user.box == nil)
    try write("1", "a")
    #expect(log.drain() == [])
    test.store.collectGarbage()
    try write("1", "a", by: "Eve")
    #expect(log.drain() == ["1:a:Eve"])
    mirror.cancel()
    withExtendedLifetime(subscription) {}
  }

  @Test("the value of a record that is not complete any more is still known")
  func incomplete() throws {
    let mirror = test.environment.mirror(TodoRow_todo.self, into: log)
    for id in ["1", "2"] {
      try write(id, "a")
      #expect(log.drain() == ["\(id):a:Ann"])
      try test.environment.commitUpdate { try $0[DataID(id)]?.removeValue("isComplete") }
    }
    try write("1", "a")
    #expect(log.drain() == [])
    try test.environment.commitUpdate { try $0.delete("2") }
    #expect(log.drain() == ["-2"])
    mirror.cancel()
  }

  @Test("a mirror of an interface writes records whose type is found to implement it later")
  func interface() throws {
    let names = Log<Actor_name> { $0.name }
    let mirror = test.environment.mirror(Actor_name.self, into: names)
    try test.environment.commitUpdate { store in
      try store.create("1", type: "User").setValue("Ada", for: "name")
      try store.create("2", type: "Bot").setValue("R2", for: "name")
    }
    #expect(names.drain() == [])
    let other = TestSelection(#"{ other: node(id: "3") { ... on Actor { __typename } } }"#)
    try test.write(other, ["other": ["__typename": "User", "id": "3", "__isActor": "User"]])
    #expect(names.drain() == ["Ada"])
    try test.environment.commitUpdate { store in
      try store.create("4", type: "User").setValue("Eve", for: "name")
      try store.delete("2")
    }
    #expect(names.drain() == ["Eve"])
    // Records of an unknown type are written if they have all fields.
    try test.environment.commitUpdate { store in
      try store.create("5", type: "Robot").setValue("Marvin", for: "name")
      _ = try store.create("6", type: "Robot")
    }
    #expect(names.drain() == ["Marvin"])
    mirror.cancel()
  }
}

/// An app's own object. Its class is not final, as with Core Data.
///
/// `@unchecked Sendable`: the only mutable value is behind a lock.
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
