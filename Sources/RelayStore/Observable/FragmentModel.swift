public import Observation

/// A fragment's data for a view: an object that changes when the store does.
///
///     let row = FragmentModel(todo.fragments.todoRow_todo, in: environment)
///     row.data?.text
///
/// The first value is there at once. What a commit on the main actor changes, the model has when the commit returns;
/// other changes come soon after. It observes until it is dropped.
@MainActor @Observable
public final class FragmentModel<Fragment: GraphQLFragment> {
  /// What the store knows of the fragment.
  public private(set) var snapshot: Snapshot<Fragment>
  /// What it is the data of.
  public private(set) var reference: FragmentRef<Fragment>
  @ObservationIgnored let environment: RelayEnvironment
  @ObservationIgnored private var observation: ObservationHandle?
  /// What tells of requests, while data is missing and someone wants to know.
  @ObservationIgnored private var listening: ExecutionListening?
  /// What was answered to those who have asked whether it is loading, and were not told since.
  @ObservationIgnored private var answers: Set<Bool> = []

  public init(_ reference: FragmentRef<Fragment>, in environment: RelayEnvironment) {
    self.reference = reference
    self.environment = environment
    snapshot = environment.snapshot(of: reference)
    observe()
  }

  /// The data to show.
  public var data: Fragment? { snapshot.data }

  /// Whether data is missing and an operation on its way may bring it.
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

  /// Tells those who know another answer than what is right now, when a request has begun or ended.
  private func compareAnswers() {
    guard snapshot.isMissingData, answers.contains(!findsRequest) else { return }
    answers = []
    withMutation(keyPath: \.isLoading) {}
  }

  /// Shows another reference from now on, for a view that is used again.
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
      deliveries.onMainActor { self?.take(snapshot, of: reference) }
    }
    // What changed between the reading and the observing.
    take(environment.snapshot(of: reference), of: reference)
  }

  private func take(_ new: Snapshot<Fragment>, of reference: FragmentRef<Fragment>) {
    guard reference == self.reference, new.revision > snapshot.revision else { return }
    snapshot = new
    stopListening()
  }

  /// Forgets who has asked: they are told of the new snapshot, and ask again.
  private func stopListening() {
    listening = nil
    answers = []
  }
}
