@_spi(GeneratedCode) import RelayStore
import Testing

@testable import RelayPersistence

@Suite("Objects that cannot be saved", .timeLimit(.minutes(1)))
struct ObjectWriterTests {
  private let context = SavingContext()
  private let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(releaseBufferSize: 0, garbageCollection: .manual)),
    transport: NoTransport())
  private let writer: ObjectWriter<SavedTodo>

  init() { writer = ObjectWriter(in: context) }

  private func write(_ todos: (id: String, text: String)...) throws {
    try environment.commitUpdate { store in
      for (id, text) in todos {
        let todo = try store[DataID(id)] ?? store.create(DataID(id), type: "Todo")
        try todo.setValue(.string(id), for: "id")
        try todo.setValue(.string(text), for: "text")
        try todo.setValue(false, for: "isComplete")
        try todo.setLinkedRecord(nil, for: "assignee")
      }
    }
  }

  @Test("changes that could not be saved are written with the next commit, once")
  func failing() throws {
    let mirror = environment.mirror(TodoRow_todo.self, into: writer)
    try write(("1", "a"), ("2", "a"))
    context.fail { _ in true }
    try write(("1", "b"), ("3", "b"))
    try environment.commitUpdate { try $0.delete("2") }
    #expect(context.texts == ["1": "a", "2": "a"])
    context.fail { _ in false }
    try write(("3", "c"))
    #expect(context.texts == ["1": "b", "3": "c"])
    let saves = context.saveCount
    try write(("4", "d"))
    #expect(context.saveCount == saves + 1)
    #expect(context.texts == ["1": "b", "3": "c", "4": "d"])
    mirror.cancel()
  }

  @Test("an object that can never be saved keeps no other one from it")
  func rejected() throws {
    let mirror = environment.mirror(TodoRow_todo.self, into: writer)
    context.fail { $0.contains("bad") }
    try write(("1", "a"), ("2", "bad"), ("3", "c"))
    #expect(context.texts.isEmpty)
    try write(("1", "b"))
    #expect(context.texts == ["1": "b", "3": "c"])
    try write(("4", "d"))
    try write(("2", "good"))
    #expect(context.texts == ["1": "b", "2": "good", "3": "c", "4": "d"])
    mirror.cancel()
  }

  @Test("an older value that could not be saved does not replace a newer one")
  func newer() throws {
    let mirror = environment.mirror(TodoRow_todo.self, into: writer)
    context.fail { $0.contains("bad") }
    try write(("1", "a"), ("2", "bad"))
    context.whileHeld { try? write(("1", "b")) }
    #expect(context.texts == ["1": "b"])
    mirror.cancel()
  }

  @Test("a deletion that could not be saved is made before a new mirror reads the stamps")
  func deletion() throws {
    try write(("1", "a"))
    environment.mirror(TodoRow_todo.self, into: writer).cancel()
    let mirror = environment.mirror(TodoRow_todo.self, into: writer)
    context.fail { _ in true }
    try environment.commitUpdate { try $0.delete("1") }
    mirror.cancel()
    #expect(context.texts == ["1": "a"])
    // The store no longer knows about the deletion.
    environment.reset()
    context.fail { _ in false }
    environment.mirror(TodoRow_todo.self, into: writer).cancel()
    #expect(context.texts.isEmpty)
  }

  @Test("a new object is saved even if none of its values was changed")
  func inserted() throws {
    let mirror = environment.mirror(TodoRow_todo.self, into: writer)
    try write(("1", ""))
    #expect(context.texts == ["1": ""])
    mirror.cancel()
  }
}

/// A context that saves the texts of its objects, or fails to do so.
private final class SavingContext: ObjectContext {
  private struct State {
    var saved: [String: String] = [:]
    var saveCount = 0
    var fails: @Sendable (String) -> Bool = { _ in false }
    var waiting: [@Sendable () -> Void] = []
    var isWorking = false
  }

  private let state = Locked(State(), rank: .leaf)
  /// The objects of the current work.
  fileprivate let objects = Locked<[String: SavedTodo]>([:], rank: .leaf)

  var texts: [String: String] { state.withLock { $0.saved } }
  var saveCount: Int { state.withLock { $0.saveCount } }

  /// From now on, fails to save if a closure returns `true` for any object's text, or for the empty
  /// string.
  func fail(_ fails: @escaping @Sendable (String) -> Bool) { state.withLock { $0.fails = fails } }

  func perform(
    _ work: @escaping @Sendable (SavingContext) throws -> Bool,
    onFailure: @escaping @Sendable () -> Void
  ) {
    state.withLock { state in
      state.waiting.append { if !self.saves(work) { onFailure() } }
    }
    performWaiting()
  }

  /// Runs a closure, and afterwards performs the work that it added.
  func whileHeld(_ body: () -> Void) {
    state.withLock { $0.isWorking = true }
    body()
    state.withLock { $0.isWorking = false }
    performWaiting()
  }

  private func performWaiting() {
    while let next = state.withLock({ state -> (@Sendable () -> Void)? in
      if state.isWorking || state.waiting.isEmpty { return nil }
      state.isWorking = true
      return state.waiting.removeFirst()
    }) {
      next()
      state.withLock { $0.isWorking = false }
    }
  }

  private func saves(_ work: (SavingContext) throws -> Bool) -> Bool {
    let saved = texts.map { id, text in (id, SavedTodo(id: id, text: text)) }
    objects.withLock { $0 = Dictionary(saved) { $1 } }
    guard let isChanged = try? work(self) else { return false }
    if !isChanged { return true }
    let changed = objects.withLock { $0 }.mapValues(\.text)
    return state.withLock { state in
      if state.fails("") || changed.values.contains(where: state.fails) { return false }
      state.saved = changed
      state.saveCount += 1
      return true
    }
  }
}

private final class SavedTodo: ContextObject, Sendable {
  let id: String
  private let value: Locked<String>

  init(id: String, text: String) { (self.id, value) = (id, Locked(text, rank: .leaf)) }

  var text: String { value.withLock { $0 } }

  func update(with fragment: TodoRow_todo) -> Bool {
    value.withLock { text in
      defer { text = fragment.text }
      return text != fragment.text
    }
  }

  static func existingObjects(
    in context: SavingContext, withIDs ids: [String]
  ) throws -> [String: AnyObject] {
    context.objects.withLock { $0.filter { ids.contains($0.key) } }
  }

  static func insertObject(in context: SavingContext, withID id: String) throws -> AnyObject {
    let todo = SavedTodo(id: id, text: "")
    context.objects.withLock { $0[id] = todo }
    return todo
  }

  static func deleteObject(_ object: AnyObject, in context: SavingContext) throws {
    if let todo = object as? SavedTodo { context.objects.withLock { $0[todo.id] = nil } }
  }
}
