public import Observation

/// The values of a fragment model's properties.
///
/// Not generic: copying a generic state through value witnesses would take a third of the time of
/// creating a model.
private struct FragmentState: ModelState {
  var target: SpreadReference
  var row = RowSnapshot()
  var error: RelayError?

  func changes(since old: Self) -> ModelProperties {
    var changes: ModelProperties = []
    changes.insert(.reference, ifDifferent: old.target, target)
    changes.insert(.snapshot, ifDifferent: old.row.revision, row.revision)
    changes.insert(.data, ifDifferent: old.row.data, row.data)
    changes.insert(.error, ifDifferent: old.error?.contents, error?.contents)
    if changes.contains(.reference) { changes.insert(.snapshot) }
    return changes
  }
}

/// A fragment's data for a view: an observable object that follows the store.
///
///     let row = FragmentModel(todo.fragments.todoRow_todo, in: environment)
///     row.data?.text
///
/// The first value is available at once. Like all models, it has the changes of a main-actor commit
/// when the commit returns; other changes follow soon after. Views track each property separately.
/// The model observes until it is dropped.
@MainActor
public final class FragmentModel<Fragment: GraphQLFragment>: Observable {
  let environment: RelayEnvironment
  private let observed: ObservedState<FragmentState>
  private var observation: ObservationHandle?
  private var refetches = LatestRequest()
  private var refetchesInFlight = 0
  /// The tasks that wait for refetches; dropping the model cancels them.
  private var refetchTasks: [LatestRequest.Token: Task<Void, Never>] = [:]
  /// The observation of resets, while there is an error.
  private var resetListening: ExecutionListening?
  /// The calls of ``show(_:)`` that changed the reference. Refetches that started before the latest
  /// one no longer change the model.
  private var shows = LatestRequest()
  /// The requests for data that other requests left out, if the fragment is refetchable.
  private var missing = MissingDataRequests()
  /// The observation of requests, while data is missing and ``isLoading`` has been read.
  private var listening: ExecutionListening?
  /// The values of ``isLoading`` that readers have seen since they were last notified.
  private var readValues: Set<Bool> = []

  /// Creates a model with the fragment's current data and observes it.
  public init(_ reference: FragmentRef<Fragment>, in environment: RelayEnvironment) {
    self.environment = environment
    observed = ObservedState(FragmentState(target: reference.target))
    observed.replace(by: FragmentState(target: reference.target, row: observe(reference.target)))
  }

  deinit {
    // Read here because the closure is not isolated to the main actor.
    let tasks = refetchTasks.values
    if tasks.isEmpty { return }
    environment.store.models.deferring {
      for task in tasks { task.cancel() }
    }
  }

  /// The current snapshot of the fragment.
  public var snapshot: Snapshot<Fragment> {
    Snapshot(observed[.snapshot].row)
  }

  /// The reference whose data the model shows.
  public var reference: FragmentRef<Fragment> {
    FragmentRef(observed[.reference].target)
  }

  /// The data; `nil` while it is missing or the record is deleted.
  public var data: Fragment? {
    observed[.data].row.row.map { Fragment(__row: Row($0)) }
  }

  /// Whether this model has a refetch in flight, or data is missing that an operation in flight may
  /// deliver.
  public var isLoading: Bool {
    let isLoading = isLoading(observed[.isLoading])
    readValues.insert(isLoading)
    updateListening()
    return isLoading
  }

  /// The error of the last refetch; the previous data is still available.
  public var error: RelayError? {
    observed[.error].error
  }

  /// Returns whether a refetch is in flight, or the snapshot is missing data that an operation in
  /// flight may deliver.
  private func isLoading(_ state: FragmentState) -> Bool {
    if refetchesInFlight > 0 { return true }
    if state.row.missing.isEmpty { return false }
    return !environment.pendingOperations(affecting: FragmentRef<Fragment>(state.target)).isEmpty
  }

  /// Observes requests while data is missing and ``isLoading`` has been read.
  private func updateListening() {
    if readValues.isEmpty || observed.newest.row.missing.isEmpty {
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
      models.onMainActor { self?.compareReadValues() }
    }
  }

  /// Notifies the readers of ``isLoading`` if they have seen another value. Called when a request
  /// has started or ended.
  private func compareReadValues() { change { _ in } }

  /// Changes the state, and notifies the readers of ``isLoading`` if they have seen another value.
  private func change(_ body: (inout FragmentState) -> Void) {
    observed.change(body) { new in
      if readValues.isEmpty || !readValues.contains(!isLoading(new)) { return [] }
      readValues = []
      return .isLoading
    }
  }

  /// Counts a refetch that starts (1) or has ended (-1).
  private func addRefetches(_ number: Int) {
    refetchesInFlight += number
    compareReadValues()
  }

  /// Sets the reference whose data the model shows, for a view that is reused. Refetches in flight
  /// no longer change the model.
  public func show(_ reference: FragmentRef<Fragment>) {
    guard reference.target != observed.newest.target else { return }
    shows.begin()
    refetchesInFlight = 0
    set(error: nil)
    follow(reference.target)
  }

  private func follow(_ target: SpreadReference) {
    guard target != observed.newest.target else { return }
    let row = observe(target)
    change { ($0.target, $0.row) = (target, row) }
    updateListening()
  }

  private func set(error: RelayError?) {
    if error == nil {
      resetListening = nil
    } else if resetListening == nil {
      let models = environment.store.models
      resetListening = ExecutionListening(
        to: .resets, of: environment.executions, in: environment.store
      ) { [weak self] _ in
        models.onMainActor { self?.set(error: nil) }
      }
    }
    observed.change { $0.error = error }
  }

  /// Observes a target instead of the previous one, and returns its current row.
  private func observe(_ target: SpreadReference) -> RowSnapshot {
    let models = environment.store.models
    let row: RowSnapshot
    (row, observation) = environment.store.readAndObserve(
      .one(target, Fragment.__plan), as: .model
    ) { [weak self] row in
      models.onMainActor { self?.apply(row, of: target) }
    }
    // The owner of the reference decides whether data that is missing initially is fetched.
    missing = MissingDataRequests()
    missing.didRequest(row)
    return row
  }

  private func apply(_ row: RowSnapshot, of target: SpreadReference) {
    let current = observed.newest
    guard target == current.target, row.revision > current.row.revision else { return }
    change { $0.row = row }
    updateListening()
    fetchMissing()
  }

  /// Fetches a refetchable fragment again if other requests left out some of its data, provided
  /// that a retained query leads to it.
  private func fetchMissing() {
    let state = observed.newest
    guard let type = Fragment.self as? any GraphQLRefetchable.Type,
      case .record(let id, _) = state.target
    else { return }
    var requests = missing
    let isDue = requests.isDue(for: state.row, isIdle: refetchesInFlight == 0)
    if isDue, !environment.store.isReachedByRetained(id) { return }
    missing = requests
    guard isDue,
      let request = try? RefetchSource(type).request(
        for: state.target, changing: [], in: environment.store)
    else { return }
    let (environment, refetch) = (environment, beginRefetch())
    refetchTasks[refetch.token] = Task { [weak self] in
      let outcome: Result<Void, any Error>
      do {
        _ = try await environment.fetched(
          request, timeout: nil, context: nil, delivery: refetch.delivery)
        outcome = .success(())
      } catch {
        outcome = .failure(error)
      }
      self?.refetchTasks[refetch.token] = nil
      self?.end(refetch, with: outcome) { model, _ in
        model.missing.didRequest(model.observed.newest.row)
      }
    }
  }

  // MARK: Refetches

  /// A refetch of the data that the model shows.
  fileprivate struct Refetch {
    let token: LatestRequest.Token
    let show: LatestRequest.Token
    /// In flight from the start of the refetch until the model shows its outcome, except while the
    /// request is.
    let delivery: OutcomeDelivery
  }

  fileprivate func beginRefetch() -> Refetch {
    let delivery = OutcomeDelivery(in: environment.store.deliveries, isInFlight: true)
    let refetch = Refetch(token: refetches.begin(), show: shows.token, delivery: delivery)
    set(error: nil)
    addRefetches(1)
    return refetch
  }

  /// Ends a refetch. If a later one has started, that one decides which error is shown.
  ///
  /// - Parameter show: Called first, unless the model now shows another reference.
  fileprivate func end<Value>(
    _ refetch: Refetch, with outcome: Result<Value, any Error>,
    _ show: (FragmentModel, Value?) -> Void
  ) {
    defer { refetch.delivery.end() }
    guard shows.isLatest(refetch.show) else { return }
    show(self, try? outcome.get())
    if case .failure(let error) = outcome, let failure = error as? RelayError,
      failure.code != .cancelled, refetches.isLatest(refetch.token)
    {
      set(error: failure)
    }
    addRefetches(-1)
  }
}

/// Identified by the object itself, which ``show(_:)`` does not change.
extension FragmentModel: Identifiable {}

extension FragmentModel where Fragment: GraphQLRefetchable {
  /// Refetches the fragment, optionally with changed variables, and shows the result, unless a
  /// later refetch starts or ``show(_:)`` sets another reference. The previous data is shown in the
  /// meantime. ``isLoading`` is true when this returns.
  public func refetch(
    changing change: (inout RefetchVariables<Fragment.RefetchQuery>) -> Void = { _ in }
  ) {
    let (refetch, send) = beginRefetch(changing: change)
    refetchTasks[refetch.token] = Task { [weak self] in
      try? await send()
      self?.refetchTasks[refetch.token] = nil
    }
  }

  /// Refetches the fragment and waits for the response.
  ///
  /// - Throws: As ``RelayEnvironment/refetch(_:timeout:isolation:changing:)``.
  public func refetch(
    changing change: (inout RefetchVariables<Fragment.RefetchQuery>) -> Void = { _ in }
  ) async throws {
    try await beginRefetch(changing: change).send()
  }

  /// Starts a refetch, and returns a function that sends the request and shows the result.
  private func beginRefetch(
    changing change: (inout RefetchVariables<Fragment.RefetchQuery>) -> Void
  ) -> (refetch: Refetch, send: @MainActor () async throws -> Void) {
    let changes = RefetchVariables.changes(change)
    let (environment, before) = (environment, observed.newest.target)
    let refetch = beginRefetch()
    return (
      refetch,
      { [weak self] in
        let outcome: Result<FragmentRef<Fragment>, any Error>
        do {
          outcome = .success(
            try await environment.refetch(
              FragmentRef<Fragment>(before), changing: changes, delivery: refetch.delivery))
        } catch {
          outcome = .failure(error)
        }
        self?.end(refetch, with: outcome) { model, new in
          if let new, model.refetches.isLatest(refetch.token),
            model.observed.newest.target == before
          {
            model.follow(new.target)
          }
        }
        _ = try outcome.get()
      }
    )
  }
}
