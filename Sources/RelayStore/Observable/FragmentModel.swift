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
  private var refetchCount = 0
  private var refetchesInFlight = 0
  /// The tasks that wait for refetches, which the model cancels when it is dropped.
  private var refetchTasks: [Int: Task<Void, Never>] = [:]
  private var refetchError: RelayError?
  /// The observation of resets, while there is an error.
  private var resetListening: ExecutionListening?
  /// The number of calls of ``show(_:)`` that changed the reference. The refetches that began before
  /// the last one no longer change the model.
  private var showCount = 0
  /// The requests for data that other requests have left out, if the fragment is refetchable.
  private var missing = MissingDataRequests()
  /// The observation of requests, while data is missing and ``isLoading`` was read.
  private var listening: ExecutionListening?
  /// The values of ``isLoading`` that readers have read since they were last notified.
  private var answers: Set<Bool> = []

  /// Creates a model that has the fragment's current data and observes it.
  public init(_ reference: FragmentRef<Fragment>, in environment: RelayEnvironment) {
    currentReference = reference
    self.environment = environment
    currentSnapshot = Snapshot(RowSnapshot())
    currentSnapshot = observe(reference)
  }

  deinit {
    // Read here, because the closure is not isolated to the main actor.
    let tasks = refetchTasks.values
    if tasks.isEmpty { return }
    environment.store.models.deferring {
      for task in tasks { task.cancel() }
    }
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

  /// The data; `nil` while it is missing, and when the record is deleted.
  public var data: Fragment? {
    tracked.access(.data)
    return currentSnapshot.data
  }

  /// Whether a refetch of this model is in flight, or data is missing and an operation in flight may
  /// bring it.
  public var isLoading: Bool {
    tracked.access(.isLoading)
    let isLoading = isLoading(currentSnapshot)
    answers.insert(isLoading)
    updateListening()
    return isLoading
  }

  /// The error of the last refetch; the previous data stays available.
  public var error: RelayError? {
    tracked.access(.error)
    return refetchError
  }

  /// Returns whether a refetch is in flight, or data is missing from a snapshot and an operation in
  /// flight may bring it.
  private func isLoading(_ snapshot: Snapshot<Fragment>) -> Bool {
    refetchesInFlight > 0
      || snapshot.isMissingData
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
    guard answers.contains(!isLoading(currentSnapshot)) else { return }
    answers = []
    tracked.change(.isLoading) {}
  }

  /// Counts a refetch that begins, or one that has ended.
  private func addRefetches(_ number: Int) {
    refetchesInFlight += number
    compareAnswers()
  }

  /// Sets the reference whose data the model shows, for a view that is reused. Refetches in flight no
  /// longer change the model.
  public func show(_ reference: FragmentRef<Fragment>) {
    guard reference != currentReference else { return }
    showCount += 1
    refetchesInFlight = 0
    set(error: nil)
    follow(reference)
  }

  private func follow(_ reference: FragmentRef<Fragment>) {
    guard reference != currentReference else { return }
    tracked.change(.reference) { currentReference = reference }
    set(observe(reference))
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
    var changes: ModelProperties = []
    changes.insert(.error, ifDifferent: refetchError?.contents, error?.contents)
    tracked.change(changes) { refetchError = error }
  }

  /// Observes a reference in place of the previous one, and returns its current snapshot.
  private func observe(_ reference: FragmentRef<Fragment>) -> Snapshot<Fragment> {
    let models = environment.store.models
    let (row, observation) = environment.store.readAndObserve(
      .one(reference.target, Fragment.__plan), as: .model
    ) { [weak self] row in
      models.onMainActor { self?.apply(Snapshot(row), of: reference) }
    }
    let snapshot = Snapshot<Fragment>(row)
    self.observation = observation
    // What is missing at first is a matter of the owner of the reference.
    missing = MissingDataRequests()
    missing.didRequest(snapshot.found)
    return snapshot
  }

  private func apply(_ new: Snapshot<Fragment>, of reference: FragmentRef<Fragment>) {
    guard reference == currentReference, new.revision > currentSnapshot.revision else { return }
    set(new)
    fetchMissing()
  }

  /// Fetches a refetchable fragment again if other requests have left out some of its data, and a query
  /// that leads to it is retained.
  private func fetchMissing() {
    guard let type = Fragment.self as? any GraphQLRefetchable.Type,
      case .record(let id, _) = currentReference.target
    else { return }
    var requests = missing
    let isDue = requests.isDue(for: currentSnapshot.found, isIdle: refetchesInFlight == 0)
    if isDue, !environment.store.isReachedByRetained(id) { return }
    missing = requests
    guard isDue,
      let request = try? RefetchSource(type).request(
        for: currentReference.target, changing: [], in: environment.store)
    else { return }
    let (environment, shows) = (environment, showCount)
    refetchCount += 1
    let ordinal = refetchCount
    set(error: nil)
    addRefetches(1)
    refetchTasks[ordinal] = Task { [weak self] in
      let failure: RelayError?
      do {
        _ = try await environment.fetched(request, timeout: nil, context: nil)
        failure = nil
      } catch {
        failure = error as? RelayError
      }
      self?.endFetch(ordinal, shows: shows, failure: failure)
    }
  }

  private func endFetch(_ ordinal: Int, shows: Int, failure: RelayError?) {
    refetchTasks[ordinal] = nil
    guard shows == showCount else { return }
    addRefetches(-1)
    missing.didRequest(currentSnapshot.found)
    if let failure, failure.code != .cancelled, ordinal == refetchCount { set(error: failure) }
  }

  private func set(_ new: Snapshot<Fragment>) {
    var changes: ModelProperties = .snapshot
    changes.insert(.data, ifDifferent: currentSnapshot.data?.__row, new.data?.__row)
    if !answers.isEmpty, answers.contains(!isLoading(new)) {
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

/// The identity of a model is that of the object, which ``show(_:)`` does not change.
extension FragmentModel: Identifiable {}

extension FragmentModel where Fragment: GraphQLRefetchable {
  /// Refetches the fragment, with changed variables if there are any, and shows the result, unless a
  /// later refetch or ``show(_:)`` of another reference decides. The previous data is shown
  /// meanwhile. ``isLoading`` is true when this returns.
  public func refetch(
    changing change: (inout RefetchVariables<Fragment.RefetchQuery>) -> Void = { _ in }
  ) {
    let refetch = beginRefetch(changing: change)
    let ordinal = refetchCount
    refetchTasks[ordinal] = Task { [weak self] in
      try? await refetch()
      self?.refetchTasks[ordinal] = nil
    }
  }

  /// Refetches the fragment and waits for the response.
  ///
  /// - Throws: As ``RelayEnvironment/refetch(_:timeout:isolation:changing:)``.
  public func refetch(
    changing change: (inout RefetchVariables<Fragment.RefetchQuery>) -> Void = { _ in }
  ) async throws {
    try await beginRefetch(changing: change)()
  }

  /// Begins a refetch, and returns a function that sends the request and shows the result.
  private func beginRefetch(
    changing change: (inout RefetchVariables<Fragment.RefetchQuery>) -> Void
  ) -> @MainActor () async throws -> Void {
    let changes = RefetchVariables.changes(change)
    let (environment, before) = (environment, currentReference)
    refetchCount += 1
    let (ordinal, shows) = (refetchCount, showCount)
    set(error: nil)
    addRefetches(1)
    return { [weak self] in
      defer { if shows == self?.showCount { self?.addRefetches(-1) } }
      do {
        let new = try await environment.refetch(before, changing: changes)
        guard let self, ordinal == self.refetchCount, shows == self.showCount else { return }
        if self.currentReference == before { self.follow(new) }
      } catch {
        let failure = error as? RelayError
        if let self, ordinal == self.refetchCount, shows == self.showCount,
          failure?.code != .cancelled
        {
          self.set(error: failure)
        }
        throw error
      }
    }
  }
}
