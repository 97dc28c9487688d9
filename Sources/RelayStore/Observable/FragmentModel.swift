public import Observation

/// A fragment's data for a view: an observable object that follows the store.
///
///     let row = FragmentModel(todo.fragments.todoRow_todo, in: environment)
///     row.data?.text
///
/// The first value is available at once. The model has the changes of a commit on the main actor
/// when the commit returns, as all models have; other changes follow soon after. Views track each
/// property apart. The model observes until it is dropped.
@MainActor
public final class FragmentModel<Fragment: GraphQLFragment>: Observable {
  private var currentSnapshot: Snapshot<Fragment>
  private var currentReference: FragmentRef<Fragment>
  let environment: RelayEnvironment
  private let tracked = TrackedProperties()
  private var observation: ObservationHandle?
  /// The number of snapshots that were set after the first.
  private var changeCount = 0
  /// The number of refetches begun so far. Only the result of the last one is shown.
  var refetchCount = 0
  /// The observation of requests, while data is missing and ``isLoading`` was read.
  private var listening: ExecutionListening?
  /// The values of ``isLoading`` that readers have read since they were last notified.
  private var answers: Set<Bool> = []

  public init(_ reference: FragmentRef<Fragment>, in environment: RelayEnvironment) {
    currentReference = reference
    self.environment = environment
    currentSnapshot = Snapshot(RowSnapshot())
    currentSnapshot = observe(reference)
  }

  /// The current snapshot of the fragment.
  public var snapshot: Snapshot<Fragment> {
    tracked.access(.snapshot)
    return currentSnapshot
  }

  /// The reference whose data the model shows.
  public var reference: FragmentRef<Fragment> {
    tracked.access(.reference)
    return currentReference
  }

  /// The data to show.
  public var data: Fragment? {
    tracked.access(.data)
    return currentSnapshot.data
  }

  /// Whether data is missing and an operation in flight may bring it.
  public var isLoading: Bool {
    tracked.access(.isLoading)
    let isLoading = findsRequest(for: currentSnapshot)
    answers.insert(isLoading)
    updateListening()
    return isLoading
  }

  /// Returns whether data is missing from a snapshot and an operation in flight may bring it.
  private func findsRequest(for snapshot: Snapshot<Fragment>) -> Bool {
    snapshot.isMissingData
      && !environment.pendingOperations(affecting: currentReference).isEmpty
  }

  /// Observes requests while data is missing and ``isLoading`` was read.
  private func updateListening() {
    if answers.isEmpty || !currentSnapshot.isMissingData {
      listening = nil
    } else {
      listen()
    }
  }

  private func listen() {
    guard listening == nil else { return }
    let models = environment.store.models
    listening = ExecutionListening(
      to: .executions, of: environment.executions, in: environment.store
    ) { [weak self] _ in
      models.onMainActor { self?.compareAnswers() }
    }
  }

  /// Notifies the readers of ``isLoading`` if they have read another value. Called when a request
  /// has begun or ended.
  private func compareAnswers() {
    guard currentSnapshot.isMissingData, answers.contains(!findsRequest(for: currentSnapshot))
    else { return }
    answers = []
    tracked.change(.isLoading) {}
  }

  /// Sets the reference whose data the model shows, for a view that is reused.
  public func show(_ reference: FragmentRef<Fragment>) {
    guard reference != currentReference else { return }
    tracked.change(.reference) { currentReference = reference }
    set(observe(reference))
  }

  /// Observes a reference in place of the previous one, and returns its current snapshot.
  private func observe(_ reference: FragmentRef<Fragment>) -> Snapshot<Fragment> {
    let models = environment.store.models
    let (snapshot, observation) = environment.readAndObserveInModel(reference) {
      [weak self] snapshot in
      models.onMainActor { self?.apply(snapshot, of: reference) }
    }
    self.observation = observation
    return snapshot
  }

  private func apply(_ new: Snapshot<Fragment>, of reference: FragmentRef<Fragment>) {
    guard reference == currentReference, new.revision > currentSnapshot.revision else { return }
    set(new)
  }

  private func set(_ new: Snapshot<Fragment>) {
    var changes: ModelProperties = .snapshot
    changes.insert(.data, ifDifferent: currentSnapshot.data?.__row, new.data?.__row)
    if !answers.isEmpty, answers.contains(!findsRequest(for: new)) {
      changes.insert(.isLoading)
      answers = []
    }
    changeCount += 1
    let change = changeCount
    tracked.change(changes) {
      // A view that was notified may have shown another reference at once, or committed. The model
      // then has a newer snapshot.
      if change == changeCount { currentSnapshot = new }
    }
    updateListening()
  }
}
