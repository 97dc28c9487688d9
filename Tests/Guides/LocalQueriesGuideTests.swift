import RelayLocalQueries
import RelayStore
import RelayStoreTesting
import Testing

/// A table that records its calls.
@MainActor
private final class RecordedTable: TodoTable {
  private(set) var calls: [String] = []

  func deleteSections(_ indexes: [Int]) { calls += indexes.map { "delete section \($0)" } }
  func insertSections(_ indexes: [Int]) { calls += indexes.map { "insert section \($0)" } }
  func deleteRows(at positions: [SectionedChanges.Position]) {
    calls += positions.map { "delete \($0.section).\($0.row)" }
  }
  func insertRows(at positions: [SectionedChanges.Position]) {
    calls += positions.map { "insert \($0.section).\($0.row)" }
  }
  func moveRow(at position: SectionedChanges.Position, to new: SectionedChanges.Position) {
    calls.append("move \(position.section).\(position.row) to \(new.section).\(new.row)")
  }
  func drawRow(at position: SectionedChanges.Position) {
    calls.append("draw \(position.section).\(position.row)")
  }

  func drain() -> [String] {
    defer { calls = [] }
    return calls
  }
}

@MainActor
@Suite("The guide to local queries", .timeLimit(.minutes(1)))
struct LocalQueriesGuideTests {
  private let environment = RelayEnvironment(
    store: RecordStore(configuration: .init(garbageCollection: .manual)),
    transport: MockTransport())

  /// Writes a todo whose assignee is Ada.
  private func write(_ id: String, likes: Int) throws {
    try environment.commitUpdate { store in
      let ada = try store["u"] ?? store.create("u", type: "User")
      try ada.setValue("u", for: "id")
      try ada.setValue("Ada", for: "name")
      let todo = try store.create(DataID(id), type: "Todo")
      try todo.setValue(.string(id), for: "id")
      try todo.setValue(.string("Todo \(id)"), for: "text")
      try todo.setValue(false, for: "isComplete")
      try todo.setValue(.number(JSONNumber(likes)), for: "likes")
      try todo.setLinkedRecord(ada, for: "assignee")
    }
  }

  @Test("a local query lists the open todos of the store, and a table gets the differences")
  func sections() async throws {
    let screen = OpenTodosByAssignee(in: environment)
    let table = RecordedTable()
    let model = show(openTodos, in: table, of: environment)
    #expect(screen.sections.isEmpty && model.sections.isEmpty)
    try write("1", likes: 1)
    #expect(screen.sections.map(\.key) == ["Ada"])
    try await environment.settle()
    #expect(table.drain() == ["insert section 0"])
    try write("2", likes: 2)
    try await environment.settle()
    #expect(table.drain() == ["insert 0.0"])
    try environment.commitUpdate { try $0["1"]?.setValue(3, for: "likes") }
    try await environment.settle()
    #expect(table.drain() == ["move 0.1 to 0.0", "draw 0.0"])
    #expect(environment.read(openTodos).rows.map(\.data.text) == ["Todo 1", "Todo 2"])
    try environment.commitUpdate { try $0["1"]?.setValue(true, for: "isComplete") }
    try await environment.settle()
    #expect(table.drain() == ["delete 0.0"])
    #expect(screen.sections.first?.rows.map(\.data.text) == ["Todo 2"] && model.rows.count == 1)
  }
}
