public import Observation
public import RelayStore

/// The rows of a local query for a view: an observable list that follows the store.
///
///     let todos = LocalQueryModel(
///       LocalQuery(TodoRow_todo.self).sorted(by: \.text), in: environment)
///     for row in todos.rows { print(row.data.text) }
///
/// The first rows are available at once. Like all models, it has the changes of a main-actor commit
/// when the commit returns; other changes follow soon after. The model observes until it is
/// dropped. It does not retain the rows.
@MainActor
public final class LocalQueryModel<Fragment: GraphQLFragment>: Observable {
  /// A closure that receives the difference between two states of the rows.
  public typealias ChangeHandler = @MainActor @Sendable (ListChanges) -> Void

  private let followed: FollowedRows<Fragment>
  private let onChange: ChangeHandler?
  private var observation: ObservationHandle?

  /// Creates a model with the query's current rows and observes them.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - environment: The environment.
  ///   - onChange: Called after each later change of the rows.
  /// - Complexity: O(*n*) in the records of the store, and O(*n* log *n*) in the rows.
  public init(
    _ query: LocalQuery<Fragment>, in environment: RelayEnvironment,
    onChange: ChangeHandler? = nil
  ) {
    self.onChange = onChange
    followed = FollowedRows(query)
    let (changes, observation) = environment.store.follow(query) { [weak self] in self?.apply($0) }
    self.observation = observation
    _ = followed.begin(with: changes)
  }

  /// The rows, in the query's order.
  public var rows: LocalRows<Fragment> { LocalRows(followed.list) }

  /// Whether more rows may still be on the disk, because the store is loading its records.
  public var isNotLoaded: Bool { followed.isNotLoaded }

  private func apply(_ changes: ReplicaChanges) {
    let difference = followed.apply(changes)
    if let onChange, let difference { onChange(difference()) }
  }
}

extension RecordStore {
  /// Calls a closure with the changes of a local query's records, in the turns of
  /// ``ModelDeliveries``.
  ///
  /// - Returns: The rows in the store, and the registration.
  func follow<Fragment>(
    _ query: LocalQuery<Fragment>,
    _ apply: @escaping @MainActor @Sendable (ReplicaChanges) -> Void
  ) -> (changes: ReplicaChanges, observation: ObservationHandle) {
    replicateExactly(
      Fragment.__plan, in: query.scope, into: ReplicaQueue(.model(ReplicaModel(apply))))
  }
}
