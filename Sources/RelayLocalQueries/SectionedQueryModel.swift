public import Observation
public import RelayStore

/// The rows of a local query in sections, for a view: the counterpart of Core Data's fetched
/// results controller.
///
///     let todos = SectionedQueryModel(
///       LocalQuery(TodoRow_todo.self).sorted(by: \.text), sectionedBy: { $0.assignee?.name ?? "" },
///       in: environment)
///     for section in todos.sections { print(section.key, section.rows.count) }
///
/// The sections are ordered by their keys, and the rows of a section by the query. A section exists
/// while it has rows. Otherwise the model is like a ``LocalQueryModel``.
@MainActor
public final class SectionedQueryModel<
  Fragment: GraphQLFragment, Key: Comparable & Hashable & Sendable
>: Observable {
  /// A closure that receives the difference between two states of the sections.
  public typealias ChangeHandler = @MainActor @Sendable (SectionedChanges) -> Void

  private let key: @Sendable (Fragment) -> Key
  private let followed: FollowedRows<Fragment>
  private var currentTable: SectionTable<Key>
  private let onChange: ChangeHandler?
  private var observation: ObservationHandle?

  /// Creates a model with the query's current rows and observes them.
  ///
  /// - Parameters:
  ///   - query: The query; its order is the order of the rows in each section.
  ///   - key: Returns the key of a row's section, for example through a key path. Like the query's
  ///     closures, it must depend only on the row.
  ///   - direction: The order of the sections.
  ///   - environment: The environment.
  ///   - onChange: Called after each later change of the rows.
  public init(
    _ query: LocalQuery<Fragment>, sectionedBy key: @escaping @Sendable (Fragment) -> Key,
    _ direction: LocalQuery<Fragment>.Direction = .ascending, in environment: RelayEnvironment,
    onChange: ChangeHandler? = nil
  ) {
    self.key = key
    self.onChange = onChange
    let query = query.grouped(by: SortKey(key, direction))
    followed = FollowedRows(query)
    currentTable = SectionTable(isAscending: direction == .ascending)
    let (changes, observation) = environment.store.follow(query) { [weak self] in self?.apply($0) }
    self.observation = observation
    let (edits, list) = followed.begin(with: changes)
    currentTable = table(after: edits, of: list)
  }

  /// The sections, in the order of their keys.
  ///
  /// - Complexity: O(*s*) in the sections.
  public var sections: [LocalSection<Fragment, Key>] {
    let list = followed.list
    return currentTable.spans.map { span in
      LocalSection(key: span.key, rows: LocalRows(list, span.start..<span.start + span.count))
    }
  }

  /// The rows of all sections.
  public var rows: LocalRows<Fragment> { LocalRows(followed.list) }

  /// Whether more rows may still be on the disk, because the store is loading its records.
  public var isNotLoaded: Bool { followed.isNotLoaded }

  private func apply(_ changes: ReplicaChanges) {
    let previous = currentTable
    var table = previous
    let difference = followed.apply(changes) { edits, list in
      table = self.table(after: edits, of: list)
    } change: {
      currentTable = table
    }
    guard let onChange, let difference else { return }
    onChange(SectionedChanges(difference(), from: previous, to: table))
  }

  /// Returns the sections after edits that produced `list`.
  private func table(after edits: [RowEdit], of list: RowList) -> SectionTable<Key> {
    var table = currentTable
    if !edits.isEmpty {
      table.update(edits, of: list) { [key] in key(Fragment(__row: Row($0))) }
    }
    return table
  }
}
