public import Observation

/// A mutation for a view: whether one is in flight, and the error of the last one.
///
/// Views track the two separately.
@MainActor
public final class MutationModel<Mutation: GraphQLMutating>: Observable {
  private let environment: RelayEnvironment
  private let tracked = TrackedProperties()
  private var lastError: RelayError?
  /// The number of mutations in flight.
  private var count = 0
  private var listening: ExecutionListening?

  /// Creates a model for mutations of a type; no request is sent until a mutation is committed.
  public init(_ type: Mutation.Type = Mutation.self, in environment: RelayEnvironment) {
    self.environment = environment
    let models = environment.store.models
    listening = ExecutionListening(
      to: .resets, of: environment.executions, in: environment.store
    ) { [weak self] _ in
      models.onMainActor { self?.set(error: nil) }
    }
  }

  /// The error of the last mutation; `nil` if it succeeded, its caller was cancelled or the
  /// environment was reset. If an updater throws an error that is not a ``RelayError``, this is an
  /// error with code `update` and the thrown error as ``RelayError/underlying``.
  ///
  /// A response with a null root field and a reason in `errors`, with the field's path or without a
  /// path, also counts as a failure, with code `graphQL`, although
  /// ``commit(_:optimisticResponse:updater:optimisticUpdater:timeout:context:)`` returns it.
  public var error: RelayError? {
    tracked.access(.error)
    return lastError
  }

  /// Whether a mutation is in flight: from the start of a commit, before it first suspends, until
  /// it returns.
  public var isInFlight: Bool {
    tracked.access(.isInFlight)
    return count > 0
  }

  /// Sends a mutation; see
  /// ``RelayEnvironment/commit(_:optimisticResponse:updater:optimisticUpdater:timeout:context:isolation:)``.
  @discardableResult
  public func commit(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse? = nil,
    updater: StoreUpdater? = nil, optimisticUpdater: StoreUpdater? = nil, timeout: Duration? = nil,
    context: RequestContext? = nil
  ) async throws -> Snapshot<Mutation.Data> {
    addInFlight(1)
    set(error: nil)
    let epoch = environment.executions.epoch
    let delivery = OutcomeDelivery(in: environment.store.deliveries)
    defer {
      addInFlight(-1)
      delivery.end()
    }
    do {
      let outcome = try await environment.committed(
        mutation, optimisticResponse: optimisticResponse,
        MutationUpdaters(updater: updater, optimisticUpdater: optimisticUpdater),
        timeout: timeout, context: context, delivery: delivery)
      set(error: outcome.refusal)
      return outcome.snapshot
    } catch {
      let wasReset = environment.executions.epoch != epoch
      let failure = error as? RelayError
      if Task.isCancelled && error is CancellationError || wasReset && failure?.code == .cancelled {
        set(error: nil)
      } else {
        set(
          error: failure
            ?? RelayError(
              .update, "An updater threw an error.",
              operationName: Mutation.__operation.name, underlying: error))
      }
      throw error
    }
  }

  private func addInFlight(_ number: Int) {
    let isFirstOrLast = count == 0 || count + number == 0
    tracked.change(isFirstOrLast ? .isInFlight : []) { count += number }
  }

  private func set(error: RelayError?) {
    var changes: ModelProperties = []
    changes.insert(.error, ifDifferent: lastError?.contents, error?.contents)
    tracked.change(changes) { lastError = error }
  }
}
