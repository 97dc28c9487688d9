import Observation
import RelayLocalQueries
import RelayStore

// The code of the local queries in Docs/ClientState.md; a test compares them.

private let assigned = graphql(
  "fragment AssignedTodo on Todo { id text isComplete likes assignee { name } }")

/// The todos that are not done, the most liked ones first.
let openTodos = LocalQuery(AssignedTodo.self)
  .filter { !$0.isComplete }
  .sorted(by: \.likes, .descending)
  .then(by: \.text)

/// The sections of a list on the screen.
@MainActor @Observable
final class OpenTodosByAssignee {
  private let model: SectionedQueryModel<AssignedTodo, String>

  init(in environment: RelayEnvironment) {
    model = environment.model(openTodos, sectionedBy: { $0.assignee?.name ?? "" })
  }

  var sections: [LocalSection<AssignedTodo, String>] { model.sections }
}

/// A view that updates its cells itself.
@MainActor protocol TodoTable: AnyObject {
  func deleteSections(_ indexes: [Int])
  func insertSections(_ indexes: [Int])
  func deleteRows(at positions: [SectionedChanges.Position])
  func insertRows(at positions: [SectionedChanges.Position])
  func moveRow(at position: SectionedChanges.Position, to new: SectionedChanges.Position)
  func drawRow(at position: SectionedChanges.Position)
}

/// Passes the differences on to a table.
@MainActor func show(
  _ query: LocalQuery<AssignedTodo>, in table: some TodoTable, of environment: RelayEnvironment
) -> SectionedQueryModel<AssignedTodo, String> {
  environment.model(query, sectionedBy: { $0.assignee?.name ?? "" }) { [weak table] changes in
    table?.deleteSections(changes.removedSections)
    table?.insertSections(changes.insertedSections)
    table?.deleteRows(at: changes.removals)
    table?.insertRows(at: changes.insertions)
    for move in changes.moves { table?.moveRow(at: move.from, to: move.to) }
    for row in changes.updates + changes.moves { table?.drawRow(at: row.to) }
  }
}
