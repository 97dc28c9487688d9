public import RelayStore

extension RelayEnvironment {
  /// The mutations that survive the end of the process; `nil` unless the environment was created
  /// with `outbox` and its store has a storage.
  public var outbox: Outbox? { persistentMutations as? Outbox }

  /// Creates an environment with an outbox.
  ///
  /// - Parameters:
  ///   - store: The records; a new, empty store by default.
  ///   - transport: The transport that sends operations.
  ///   - outbox: The options of the outbox, for mutations that survive the end of the process;
  ///     `nil` for none.
  ///   - telemetry: The hook called with a span for each operation; `nil` for none.
  public convenience init(
    store: RecordStore = RecordStore(), transport: any Transport, outbox: OutboxOptions?,
    telemetry: Telemetry? = nil
  ) {
    self.init(store: store, transport: transport, telemetry: telemetry) { tracing in
      outbox.flatMap { Outbox($0, store: store, transport: transport, tracing: tracing) }
    }
  }

  /// Commits a mutation that survives the end of the process. The mutation is persisted in the
  /// outbox, its optimistic response is applied, and it is sent, now or in a later run.
  ///
  /// A mutation that uses schema elements with `@noPersist` is not a
  /// ``/RelayStore/GraphQLMutation``.
  ///
  /// In an environment that reads a snapshot, the mutation goes to the inbox, and the app's outbox
  /// imports it from there. The call then waits for the disk, and the optimistic response is shown
  /// until the process ends.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with its variables. Its files are copied into the store's directory
  ///     before the call returns; a stream is read. A store with a cipher, and an inbox, take no
  ///     files.
  ///   - optimisticResponse: The response to apply until the server's response arrives. Its
  ///     ``/RelayStore/ClientID``s are placeholders: the server's ids replace them in waiting
  ///     mutations.
  ///   - durability: The outbox, and the entries that must be sent before this one.
  ///   - label: Words for the user, such as "New observation: Oak", persisted with the entry.
  ///   - userInfo: Values of the app, persisted with the entry as JSON; see
  ///     `OutboxEntry.userInfo(as:)`.
  ///   - coalescing: The key of entries that make each other superfluous; `nil` for none. If the
  ///     mutation cancels one, both are removed, and the returned entry is not in the outbox.
  ///   - movesFiles: Whether the files on disk that the mutation sends are removed once the entry
  ///     is stored.
  /// - Returns: The entry, as soon as it is on disk and its optimistic response is applied. Use
  ///   ``Outbox/outcome(of:)`` to wait for the response.
  /// - Throws: ``/RelayStore/RelayError`` with code `persistence` if there is no outbox or the
  ///   mutation cannot be persisted, and with code `request` if the outbox is full, its files
  ///   cannot be read or are too large, or `userInfo` cannot be encoded. The optimistic response is
  ///   then not applied.
  @discardableResult
  public func commit<Mutation: GraphQLMutation>(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse? = nil,
    durability: MutationDurability, label: String? = nil,
    userInfo: (any Encodable & Sendable)? = nil, coalescing: OutboxCoalescing? = nil,
    movesFiles: Bool = false
  ) async throws -> OutboxEntry {
    let commit = try MutationCommit(
      mutation, optimisticResponse: optimisticResponse,
      rowLimit: store.configuration.readLimits.rows)
    let after =
      switch durability {
      case .outbox(let after): after
      }
    var description = try OutboxDescription(
      label: label, userInfo: userInfo, coalescing: coalescing,
      operationName: commit.operation.name)
    description.movesFiles = movesFiles
    let snapshot = attachments[OpenedSnapshot.self]
    if let inbox = snapshot?.inbox { return try add(commit, description, to: inbox, after: after) }
    guard let outbox else {
      throw RelayError(
        .persistence,
        snapshot == nil
          ? "The environment has no outbox: it was created without one, or its store has no persistence."
          : "The environment reads a snapshot, and was created without an inbox.",
        operationName: commit.operation.name)
    }
    return try await outbox.add(commit, description, after: after)
  }

  /// Explains why a mutation that uses schema elements with `@noPersist` cannot be committed to the
  /// outbox.
  @available(
    *, unavailable,
    message: "The outbox does not store mutations that use elements with @noPersist."
  )
  @discardableResult
  public func commit<Mutation: GraphQLMutating>(
    _ mutation: Mutation, optimisticResponse: Mutation.RawResponse? = nil,
    durability: MutationDurability
  ) async throws -> OutboxEntry {
    throw RelayError(.request, "The outbox does not store elements with @noPersist.")
  }
}
