public import Observation

/// A mutation for a view: whether one is in flight, and the error of the last one.
@MainActor @Observable
public final class MutationModel<Mutation: GraphQLMutation> {
  /// The error of the last mutation; `nil` if it succeeded, its caller was cancelled or the
  /// environment was reset.
  ///
  /// A response with null for the mutation's field and a reason in `errors` is a failure too, of
  /// code `graphQL`, although ``commit(_:optimisticResponse:updater:optimisticUpdater:timeout:)``
  /// returns it.
  public private(set) var error: RelayError?
  /// The number of mutations in flight.
  private var count = 0
  @ObservationIgnored private let environment: RelayEnvironment
  @ObservationIgnored private var listening: ExecutionListening?

  public init(_ type: Mutation.Type = Mutation.self, in environment: RelayEnvironment) {
    self.environment = environment
    let deliveries = environment.store.deliveries
    listening = ExecutionListening(
      to: .resets, of: environment.executions, in: environment.store
    ) { [weak self] _ in
      deliveries.onMainActor { self?.error = nil }
    }
  }

  /// Whether a mutation is in flight.
  public var isInFlight: Bool { count > 0 }

  /// Sends a mutation; see
  /// ``RelayEnvironment/commit(_:optimisticResponse:updater:optimisticUpdater:timeout:context:)``.
  @discardableResult
  public func commit(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse? = nil,
    updater: StoreUpdater? = nil, optimisticUpdater: StoreUpdater? = nil, timeout: Duration? = nil
  ) async throws -> Snapshot<Mutation.Data> {
    count += 1
    error = nil
    let epoch = environment.executions.epoch
    defer {
      count -= 1
      environment.store.deliveries.end()
    }
    do {
      let answer = try await environment.committed(
        mutation, optimisticResponse: optimisticResponse, updater: updater,
        optimisticUpdater: optimisticUpdater, timeout: timeout, context: nil)
      error = answer.refusal
      return answer.snapshot
    } catch {
      let isEnded = Task.isCancelled || environment.executions.epoch != epoch
      let failure = error as? RelayError
      self.error = isEnded && failure?.code == .cancelled ? nil : failure
      throw error
    }
  }
}
