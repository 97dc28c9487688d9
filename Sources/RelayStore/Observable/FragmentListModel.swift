public import Observation

/// Several fragments for a view: a model for each row of a list.
///
///     let rows = FragmentListModel(
///       feed.todos.map(\.fragments.todoRow_todo), in: environment)
///     for row in rows.rows { print(row.data?.text ?? "") }
///
/// A row's model, and so its identity, persists while its reference is in the list. A view that
/// shows a row is redrawn only when that row changes, and a view that reads ``rows`` only when rows
/// are added, removed or moved.
@MainActor
public final class FragmentListModel<Fragment: GraphQLFragment>: Observable {
  private let environment: RelayEnvironment
  private let tracked = TrackedProperties()
  private var currentRows: [FragmentModel<Fragment>] = []
  private var currentReferences: [FragmentRef<Fragment>] = []

  /// Creates a model with a row for each reference, in order.
  public init(
    _ references: some Sequence<FragmentRef<Fragment>>, in environment: RelayEnvironment
  ) {
    self.environment = environment
    currentReferences = Array(references)
    currentRows = currentReferences.map { FragmentModel($0, in: environment) }
  }

  /// The models of the rows, in the order of the references.
  public var rows: [FragmentModel<Fragment>] {
    tracked.access(.data)
    return currentRows
  }

  /// The data of the rows that have data, in the order of the references.
  public var data: [Fragment] { rows.compactMap(\.data) }

  /// Sets the references whose data the model shows. References that are still in the list retain
  /// their models; a reference that occurs twice has two models.
  public func show(_ references: some Sequence<FragmentRef<Fragment>>) {
    let references = Array(references)
    if references == currentReferences { return }
    var known: [FragmentRef<Fragment>: [FragmentModel<Fragment>]] = [:]
    for (reference, row) in zip(currentReferences, currentRows).reversed() {
      known[reference, default: []].append(row)
    }
    let rows = references.map { reference in
      known[reference]?.popLast() ?? FragmentModel(reference, in: environment)
    }
    tracked.change(.data) { (currentReferences, currentRows) = (references, rows) }
  }
}
