import Foundation
import RelayPersistence
import RelayStore
import Testing

// The Swift code of Docs/ClientState.md that needs no Core Data; a test compares them.

final class TodoObject: MemoryObject {
  let id: String
  private let lock = NSLock()
  private nonisolated(unsafe) var content = ""

  init(id: String) { self.id = id }

  var text: String { lock.withLock { content } }

  func update(with todo: TodoObject_todo) -> Bool {
    lock.withLock {
      if content == todo.text { return false }
      content = todo.text
      return true
    }
  }
}

/// A writer that passes changes to a closure, for example for a search index.
struct IndexWriter: FragmentWriter {
  let index: @Sendable (_ texts: [String: String], _ deletedIDs: [String]) -> Void

  func write(_ changes: FragmentChanges<TodoObject_todo>) {
    let texts = changes.updated.map { ($0.id, $0.text) }
    index(Dictionary(texts, uniquingKeysWith: { $1 }), changes.deletedIDs)
  }
}

private let object = graphql("fragment TodoObject_todo on Todo { id text }")

/// Mirrors todos into a table of a database.
func mirrorTodos(of environment: RelayEnvironment, into file: URL) -> ObservationHandle {
  let todos = SQLiteTable("todos", of: TodoObject_todo.self) {
    SQLiteColumn("text", \.text)
    SQLiteColumn("length") { .integer(Int64($0.text.count)) }
  }
  let writer = SQLiteWriter(file: file, todos) { error in print("\(error)") }
  return environment.mirror(TodoObject_todo.self, into: writer)
}

@Suite("The guide to objects of the app's own", .timeLimit(.minutes(1)))
struct ObjectsGuide {
  @Test("objects in memory and a writer follow a fragment")
  func follow() async throws {
    let environment = RelayEnvironment(transport: NoTransport())
    let context = MemoryContext()
    let (lines, continuation) = AsyncStream<String>.makeStream()
    let mirrors = [
      environment.mirror(TodoObject_todo.self, into: ObjectWriter(TodoObject.self, in: context)),
      environment.mirror(
        TodoObject_todo.self,
        into: IndexWriter { continuation.yield("\($0) \($1)") }),
    ]
    try environment.commitUpdate { store in
      let todo = try store.create("1", type: "Todo")
      try todo.setValue("1", for: "id")
      try todo.setValue("Wash", for: "text")
    }
    #expect(try TodoObject.existingObject(in: context, withID: "1")?.text == "Wash")
    #expect(context.saveCount == 1)
    try environment.commitUpdate { try $0.delete("1") }
    #expect(try TodoObject.existingObject(in: context, withID: "1") == nil)
    mirrors.forEach { $0.cancel() }
    continuation.finish()
    var all: [String] = []
    for await line in lines { all.append(line) }
    #expect(all == [#"["1": "Wash"] []"#, #"[:] ["1"]"#])
  }
}

private struct NoTransport: Transport {
  func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    throw RelayError(.transport, "There is no server.")
  }
}
