extension RelayEnvironment {
  /// Sends a mutation, and applies its expected result optimistically until the response arrives.
  ///
  ///     try await environment.commit(
  ///       SetCompleteMutation(input: .init(id: todo.id, isComplete: true)),
  ///       optimisticResponse: .init(
  ///         setComplete: .init(todo: .init(id: todo.id, isComplete: true))))
  ///
  /// When the response arrives, the optimistic update is reverted and the response is written, in
  /// one change for observers. When the mutation fails or is cancelled, the optimistic update is
  /// reverted, and the store is as if the mutation had never been sent. A mutation that is
  /// cancelled while its response is being written still returns its data.
  ///
  /// The call does not leave the caller's actor until it waits for the response: the optimistic
  /// update is applied, and delivered to observers on that actor, before the call first suspends.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with its variables.
  ///   - optimisticResponse: The response to apply until the server's response arrives.
  ///   - updater: Makes further changes after the response is written. If it throws, its own writes
  ///     are rolled back, the response remains in the store, and the error is thrown.
  ///   - optimisticUpdater: Makes further changes that apply until the response arrives; it runs
  ///     again whenever the base below it changes.
  ///   - timeout: The maximum wait for the response. After that the mutation counts as failed,
  ///     whether or not the server executes it.
  ///   - context: A value for the transports.
  ///   - actor: The caller's actor.
  /// - Returns: The mutation's data. The errors of a response with data are in its
  ///   `responseErrors`.
  /// - Throws: ``RelayError`` with code `transport`, `response`, `graphQL` or `cancelled` (by a
  ///   reset); the error of an updater; `CancellationError` when the calling task is cancelled.
  @discardableResult
  public func commit<Mutation: GraphQLMutating>(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse? = nil,
    updater: StoreUpdater? = nil, optimisticUpdater: StoreUpdater? = nil, timeout: Duration? = nil,
    context: RequestContext? = nil, isolation actor: isolated (any Actor)? = #isolation
  ) async throws -> Snapshot<Mutation.Data> {
    let delivery = OutcomeDelivery(in: store.deliveries)
    defer { delivery.end() }
    return try await committed(
      mutation, optimisticResponse: optimisticResponse,
      MutationUpdaters(updater: updater, optimisticUpdater: optimisticUpdater),
      timeout: timeout, context: context, delivery: delivery
    ).snapshot
  }

  /// Sends a mutation; see
  /// ``commit(_:optimisticResponse:updater:optimisticUpdater:timeout:context:isolation:)``.
  ///
  /// - Parameter delivery: The delivery of the outcome. It starts when the execution ends.
  /// - Returns: The data, and the error of a response in which a root field is null because of an
  ///   error.
  func committed<Mutation: GraphQLMutating>(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse?, _ updaters: MutationUpdaters,
    timeout: Duration?, context: RequestContext?, delivery: OutcomeDelivery,
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws -> (snapshot: Snapshot<Mutation.Data>, refusal: RelayError?) {
    defer { context?.progress?.end() }
    let commit = try MutationCommit(
      mutation, optimisticResponse: optimisticResponse,
      rowLimit: store.configuration.readLimits.rows)
    let (fetched, refusal) = try await execute(
      commit, updaters, timeout: timeout, context: context, delivery: delivery)
    var snapshot = Snapshot<Mutation.Data>(fetched.row)
    snapshot.responseErrors = fetched.response.errors
    snapshot.responseExtensions = fetched.response.extensions
    return (snapshot, refusal)
  }

  /// Sends a mutation given as a value.
  private func execute(
    _ commit: MutationCommit, _ updaters: MutationUpdaters, timeout: Duration?,
    context: RequestContext?, delivery: OutcomeDelivery,
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws -> (fetched: FetchedData, refusal: RelayError?) {
    let updateID = store.makeID()
    let root = DataID.responseRoot(updateID)
    let request = OperationRequest(
      commit.operation, variables: commit.variables, store: store, root: root)
    let isOptimistic = commit.optimisticResponse != nil || updaters.optimisticUpdater != nil
    let execution = mutationExecution(
      of: request, root: root, updateID: updateID, isOptimistic: isOptimistic,
      updater: updaters.updater, context: context, delivery: delivery)
    do {
      if isOptimistic {
        let payload = try commit.optimisticResponse.map { try request.clientPayload($0) }
        try apply(
          .apply(
            updateID, payload: payload, root: root, updater: updaters.optimisticUpdater,
            of: commit.operation.name),
          of: execution)
      }
      let fetched = try await outcome(of: execution, timeout: timeout)
      if let error = fetched.updaterError { throw error }
      return (fetched, request.refusal(fetched.response))
    } catch {
      execution.cancelIfUnused()
      throw error
    }
  }

  /// Applies the optimistic update of a mutation.
  private func apply(_ update: RecordStore.Change, of execution: OperationExecution) throws {
    try store.publish(cause: execution.trace?.cause(.optimisticUpdate)) {
      // If a reset has ended the execution, it would not revert an update applied now.
      if executions.contains(execution.id) { return ([update], nil) }
      throw execution.request.callerError(CancellationError())
    }
  }

  private func outcome(
    of execution: OperationExecution, timeout: Duration?,
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws -> FetchedData {
    do {
      try Task.checkCancellation()
      if let fetched = try await execution.value(timeout: timeout, clock: clock) { return fetched }
      throw CancellationError()
    } catch {
      throw execution.request.callerError(error)
    }
  }

  /// Creates the execution of a mutation.
  private func mutationExecution(
    of request: OperationRequest, root: DataID, updateID: UInt64, isOptimistic: Bool,
    updater: StoreUpdater?, context: RequestContext?, delivery: OutcomeDelivery
  ) -> OperationExecution {
    executions.mutationExecution(
      of: request, optimisticUpdate: isOptimistic ? updateID : nil, delivery: delivery,
      rollBack: { [store] trace in
        if isOptimistic { store.revert(updateID, cause: trace?.cause(.revert)) }
      }
    ) { [store, transport, executions] id, running in
      let commit = ResponseCommit(
        id: id, request: request, store: store, executions: executions, trace: running.trace)
      return try await OperationExecutor(
        kind: .mutation, root: root, context: context, running: running, transport: transport,
        commit: commit,
        begin: { [.revert(updateID), .commit($0, root: root, updater: updater)] }
      ).run()
    }
  }

  /// Writes a mutation's response that was obtained by other means, as
  /// ``commit(_:optimisticResponse:updater:optimisticUpdater:timeout:context:isolation:)`` writes
  /// the server's.
  ///
  /// Several calls inside ``batch(_:)`` are one change for observers.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with its variables.
  ///   - data: The response's `data`.
  ///   - updater: Makes further changes after the response is written.
  /// - Throws: As for a query; or the error of the updater, whose own writes are then rolled back,
  ///   while the response remains in the store.
  public func commitPayload<Mutation: GraphQLMutating>(
    _ mutation: Mutation, data: JSONValue, updater: StoreUpdater? = nil
  ) throws {
    try commitPayload(mutation, data: data.jsonBytes, updater: updater)
  }

  /// Writes a mutation's response that was obtained by other means, from its bytes.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with its variables.
  ///   - data: The response's `data`, in UTF-8.
  ///   - updater: Makes further changes after the response is written.
  public func commitPayload<Mutation: GraphQLMutating>(
    _ mutation: Mutation, data: [UInt8], updater: StoreUpdater? = nil
  ) throws {
    try store.checkNotInUpdater()
    let root = DataID.responseRoot(store.makeID())
    let request = OperationRequest(mutation, store: store, root: root)
    let payload = try request.payload(data)
    try store.publish(
      [.commit(payload, root: root, updater: updater)], cause: request.payloadCause(in: store))
  }
}
