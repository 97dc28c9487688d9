public import Observation

/// A fragment's data for a view: an observable object that follows the store.
///
///     let row = FragmentModel(todo.fragments.todoRow_todo, in: environment)
///     row.data?.text
///
/// The first value is available at once. The model has the changes of a commit on the main actor
/// when the commit returns; other changes follow soon after. It observes until it is dropped.
@MainActor @Observable
public final class FragmentModel<Fragment: GraphQLFragment> {
  /// The current snapshot of the fragment.
  public private(set) var snapshot: Snapshot<Fragment>
  /// The reference whose data the model shows.
  public private(set) var reference: FragmentRef<Fragment>
  @ObservationIgnored let environment: RelayEnvironment
  @ObservationIgnored private var observation: ObservationHandle?
  /// The observation of requests, while data is missing and ``isLoading`` was read.
  @ObservationIgnored private var listening: ExecutionListening?
  /// The values of ``isLoading`` that readers have read since they were last notified.
  @ObservationIgnored private var answers: Set<Bool> = []

  public init(_ reference: FragmentRef<Fragment>, in environment: RelayEnvironment) {
    self.reference = reference
    self.environment = environment
    snapshot = environment.snapshot(of: reference)
    observe()
  }

  /// The data to show.
  public var data: Fragment? { snapshot.data }

  /// Whether data is missing and an operation in flight may bring it.
  public var isLoading: Bool {
    access(keyPath: \.isLoading)
    guard snapshot.isMissingData else { return false }
    listen()
    let isLoading = findsRequest
    answers.insert(isLoading)
    return isLoading
  }

  private var findsRequest: Bool {
    !environment.pendingOperations(affecting: reference).isEmpty
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
    guard snapshot.isMissingData, answers.contains(!findsRequest) else { return }
    answers = []
    withMutation(keyPath: \.isLoading) {}
  }

  /// Sets the reference whose data the model shows, for a view that is reused.
  public func show(_ reference: FragmentRef<Fragment>) {
    guard reference != self.reference else { return }
    self.reference = reference
    snapshot = environment.snapshot(of: reference)
    stopListening()
    observe()
  }

  private func observe() {
    let (reference, deliveries) = (reference, environment.store.deliveries)
    observation = environment.observe(reference) { [weak self] snapshot in
      deliveries.onMainActor { self?.apply(snapshot, of: reference) }
    }
    // Includes changes between the first read and the start of the observation.
    apply(environment.snapshot(of: reference), of: reference)
  }

  private func apply(_ new: Snapshot<Fragment>, of reference: FragmentRef<Fragment>) {
    guard reference == self.reference, new.revision > snapshot.revision else { return }
    snapshot = new
    stopListening()
  }

  /// Stops observing requests. The readers of ``isLoading`` are notified of the new snapshot and
  /// read again.
  private func stopListening() {
    listening = nil
    answers = []
  }
}
