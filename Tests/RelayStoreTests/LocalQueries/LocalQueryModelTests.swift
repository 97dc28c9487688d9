import Observation
import RelayLocalQueries
import RelayStore
@_spi(GeneratedCode) import RelayStore
import RelayStoreTesting
import Testing

@Suite("Models of local queries", .timeLimit(.minutes(1)))
@MainActor
struct LocalQueryModelTests {
  private let test = LocalFixture()
  private var environment: RelayEnvironment { test.environment }
  private static let byText = LocalFixture.todos.sorted(by: \.text)

  /// Returns whether a change notifies a value's readers.
  private func isNotified(_ read: () -> Void, by change: () throws -> Void) throws -> Bool {
    let isNotified = Locked(false)
    withObservationTracking(read) { isNotified.withLock { $0 = true } }
    try change()
    return isNotified.withLock { $0 }
  }

  @Test("a commit on the main actor is in the models when it returns; views are notified of rows")
  func commit() throws {
    try test.write("1", "a")
    let model = environment.model(Self.byText.filter { $0.n == 0 })
    let sections = environment.model(Self.byText, sectionedBy: \.text)
    #expect(model.rows.map(\.data.text) == ["a"] && sections.sections.map(\.key) == ["a"])
    #expect(try isNotified({ _ = model.rows }, by: { try test.write("2", "b") }))
    #expect(model.rows.map(\.data.text) == ["a", "b"])
    #expect(sections.sections.map(\.id) == ["a", "b"] && sections.rows.count == 2)
    #expect(try !isNotified({ _ = model.rows }, by: { try test.write("3", "c", n: 1) }))
    #expect(try isNotified({ _ = sections.sections }, by: { try test.write("3", "d", n: 1) }))
    #expect(try !isNotified({ _ = model.isNotLoaded }, by: { try test.write("2", "e") }))
    #expect(sections.sections.map(\.key) == ["a", "d", "e"])
    environment.reset()
    #expect(model.rows.isEmpty && sections.sections.isEmpty)
  }

  @Test("garbage collection is in the models when it returns")
  func collection() throws {
    try test.write("1", "a")
    let model = environment.model(Self.byText)
    environment.store.collectGarbage()
    #expect(model.rows.isEmpty)
  }

  @Test("commits of other threads are in all models after one turn")
  func otherThread() async throws {
    var changes: [ListChanges] = []
    let model = environment.model(Self.byText) { changes.append($0) }
    let sections = environment.model(Self.byText, sectionedBy: \.text)
    let environment = self.environment
    try await Task.detached {
      for number in 0..<50 {
        try environment.commitUpdate {
          try LocalFixture.write("\(number % 3)", "\(number)", in: $0)
        }
      }
    }.value
    try await environment.settle()
    #expect(model.rows.map(\.data.text) == ["47", "48", "49"])
    #expect(sections.sections.map(\.key) == ["47", "48", "49"])
    #expect(!changes.isEmpty && changes.count <= 50)
  }

  @Test("a row that moves between sections is a move, or comes and goes with its section")
  func sectionChanges() throws {
    var all: [SectionedChanges] = []
    for (id, text) in [("1", "a"), ("2", "a"), ("3", "b"), ("4", "b")] { try test.write(id, text) }
    let model = environment.model(LocalFixture.todos, sectionedBy: \.text) { all.append($0) }
    var expected = SectionedChanges()
    try test.write("2", "b")
    expected.moves = [
      .init(from: .init(section: 0, row: 1), to: .init(section: 1, row: 0))
    ]
    #expect(all.popLast() == expected)
    expected = SectionedChanges()
    try test.write("1", "c")
    expected.removedSections = [0]
    expected.insertedSections = [1]
    #expect(all.popLast() == expected)
    expected = SectionedChanges()
    try test.write("1", "b")
    expected.removedSections = [1]
    expected.insertions = [.init(section: 0, row: 0)]
    #expect(all.popLast() == expected)
    expected = SectionedChanges()
    try test.write("4", "b", n: 7)
    let position = SectionedChanges.Position(section: 0, row: 3)
    expected.updates = [.init(from: position, to: position)]
    #expect(all.popLast() == expected)
    #expect(all.isEmpty && model.sections.count == 1)
  }

  @Test("a model ends when it is dropped")
  func lifetime() throws {
    var model: LocalQueryModel<LocalTodo>? = environment.model(Self.byText)
    #expect(model != nil && environment.liveResources.observerNames == ["LocalTodo"])
    model = nil
    try test.write("1", "a")
    #expect(environment.liveResources.isEmpty)
  }
}
