public import Observation

/// A fragment's data for a view: an observable object that follows the store.
///
///     let row = FragmentModel(todo.fragments.todoRow_todo, in: environment)
///     row.data?.text
///
/// The first value is available at once. The model has the changes of a commit on the main actor
/// when the commit returns; other changes follow soon after. It observes until it is dropped.
@MainActor
public final class FragmentModel<Fragment: GraphQLFragment>: Observable {
  private var currentSnapshot: Snapshot<Fragment>
  private var currentReference: FragmentRef<Fragment>
  let environment: RelayEnvironment
  private let tracked = TrackedProperties()
  private var observation: ObservationHandle?
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
    tracked.access(TrackedProperties.snapshot)
    return currentSnapshot
  }

  /// The reference whose data the model shows.
  public var reference: FragmentRef<Fragment> {
    tracked.access(TrackedProperties.reference)
    return currentReference
  }

  /// The data to show.
  public var data: Fragment? { snapshot.data }

  /// Whether data is missing and an operation in flight may bring it.
  public var isLoading: Bool {
    tracked.access(TrackedProperties.isLoading)
    guard snapshot.isMissingData else { return false }
    listen()
    let isLoading = findsRequest
    answers.insert(isLoading)
    return isLoading
  }

  private var findsRequest: Bool {
    !environment.pendingOperations(affecting: currentReference).isEmpty
  }

  private func listen() {
    guard listening == nil else { return }
    let deliveries = environment.store.deliveries
    listening = ExecutionListening(
      to: .executions, of: environment.executions, in: environment.store
    ) { [weak self] _ in
      deliveries.onMainActor { self?.compareAnswers() }
    }
  }

  /// Notifies the readers of ``isLoading`` if they have read another value. Called when a request
  /// has begun or ended.
  private func compareAnswers() {
    guard currentSnapshot.isMissingData, answers.contains(!findsRequest) else { return }
    answers = []
    tracked.change(TrackedProperties.isLoading) {}
  }

  /// Sets the reference whose data the model shows, for a view that is reused.
  public func show(_ reference: FragmentRef<Fragment>) {
    guard reference != currentReference else { return }
    tracked.change(TrackedProperties.reference) { currentReference = reference }
    let snapshot = observe(reference)
    tracked.change(TrackedProperties.snapshot) { currentSnapshot = snapshot }
    stopListening()
  }

  /// Observes a reference in place of the previous one, and returns its current snapshot.
  private func observe(_ reference: FragmentRef<Fragment>) -> Snapshot<Fragment> {
    let deliveries = environment.store.deliveries
    let (snapshot, observation) = environment.readAndObserve(reference) { [weak self] snapshot in
      deliveries.onMainActor { self?.apply(snapshot, of: reference) }
    }
    self.observation = observation
    return snapshot
  }

  private func apply(_ new: Snapshot<Fragment>, of reference: FragmentRef<Fragment>) {
    guard reference == currentReference, new.revision > currentSnapshot.revision else { return }
    tracked.change(TrackedProperties.snapshot) { currentSnapshot = new }
    stopListening()
  }

  /// Stops observing requests. The readers of ``isLoading`` are notified of the new snapshot and
  /// read again.
  private func stopListening() {
    listening = nil
    answers = []
  }
}
