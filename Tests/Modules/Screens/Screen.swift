import ModuleTypes
import RelayStore

private let screen = graphql(
  """
  query Screen($filter: TodoFilter) { todos(filter: $filter) { state due owner { mood error } } }
  """)

/// A query with an input type of the schema module.
public func screenOfOpenTodos() -> ScreenQuery {
  ScreenQuery(filter: .some(TodoFilter(state: .some(ModuleTypes.Schema.State.open))))
}
