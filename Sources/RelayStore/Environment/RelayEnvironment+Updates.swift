extension RelayEnvironment {
  /// Commits a local update: changes the base of the store without a request.
  ///
  /// - Throws: The error of the updater; all of its writes are then rolled back.
  public func commitUpdate(_ updater: @escaping StoreUpdater) throws {
    try store.publish([.commit(updater: updater)])
  }

  /// Commits a local update and returns the updater's value.
  ///
  ///     let id = try environment.commitUpdate { store in
  ///       let draft = try store.create(ClientID.unique(), type: "Draft")
  ///       return draft.id
  ///     }
  ///
  /// - Throws: The error of the updater; all of its writes are then rolled back.
  public func commitUpdate<Value: Sendable>(
    _ updater: @escaping @Sendable (RecordSourceProxy) throws -> Value
  ) throws -> Value {
    let returned = Locked<Value?>(nil, rank: .leaf)
    try commitUpdate { store in
      let value = try updater(store)
      returned.withLock { $0 = value }
    }
    // No data leads here: the call above throws unless the updater has returned.
    guard let value = returned.withLock({ $0 }) else {
      preconditionFailure("A local update was committed without its updater.")
    }
    return value
  }

  /// Applies an optimistic update until it is reverted.
  ///
  /// - Parameter updater: Runs now, and again whenever the base below it changes.
  /// - Throws: The error of the updater; the update is then not applied.
  public func applyUpdate(_ updater: @escaping StoreUpdater) throws -> OptimisticUpdate {
    try store.checkNotInUpdater()
    let id = store.makeID()
    try store.publish([.apply(id, updater: updater)])
    return OptimisticUpdate(store: store, id: id)
  }

  /// Makes several changes with one notification at the end.
  ///
  ///     try environment.batch {
  ///       try environment.commitUpdate { try $0.delete(DataID(todo.id)) }
  ///       draft.revert()
  ///     }
  ///
  /// Reads inside the closure see every change immediately. Observers are notified after the
  /// closure returns or throws. Changes that other threads make in the meantime are delivered
  /// immediately. Batches can be nested; only the outermost one notifies.
  ///
  /// - Throws: The error of the closure; its changes remain in the store.
  @discardableResult
  public func batch<Result>(_ changes: () throws -> Result) throws -> Result {
    try store.batch(changes)
  }

  /// Sets the function of a derived field, which a schema extension declares with
  /// `@derived(fragment:)`.
  ///
  ///     // extend type User { fullName: String @derived(fragment: "FullName_user") }
  ///     environment.derive("User.fullName") { (user: FullName_user) in
  ///       "\(user.first) \(user.last)"
  ///     }
  ///
  /// Set the function before anything reads the field: data that was read without the function is
  /// not read again. The store calls it while it reads, on several threads at once, when the
  /// fragment's data for a record has changed. The function must not call the environment, should
  /// be quick, and must depend only on the fragment. An error that it throws becomes an error of the
  /// field.
  ///
  /// - Parameters:
  ///   - field: `Type.field`, where `Type` is the object's type or the one that declares the field.
  ///   - function: A function of the fragment that the field is derived from. It returns a value of
  ///     the field's type; any other value is an error of the field.
  public func derive<Fragment: GraphQLFragment, Value: RowValue>(
    _ field: String, _ function: @escaping @Sendable (Fragment) throws -> Value
  ) {
    store.derive(field, from: Fragment.__plan) { row in
      do {
        return .success(RowSlot(of: try function(Fragment(__row: Row(row)))))
      } catch {
        return .failure(
          .init(
            "The function of derived field \"\(field)\" failed: \(error.text)",
            underlying: error))
      }
    }
  }

  /// Sets the function of a live derived field, whose values come from a sequence.
  ///
  ///     // extend type User { isOnline: Boolean @derived(fragment: "OnlineStatus_user") }
  ///     environment.derive("User.isOnline") { (user: OnlineStatus_user) in
  ///       presence.updates(for: user.id)  // an AsyncSequence of Bool
  ///     }
  ///
  /// The function is called, and its sequence iterated, while an observation or a model depends on
  /// the field of a record: once for each record and value of the fragment, regardless of the
  /// number of observers. Each element becomes the field's value; observers are notified if it
  /// differs from the previous one.
  ///
  /// - Before the first element, the field is null, or missing if its type is non-null.
  /// - When the sequence ends, the field retains its last value.
  /// - When the function or the sequence throws, the field has an error of kind
  ///   ``FieldError/Kind/derived`` and no value.
  /// - When the fragment's value changes, the sequence is cancelled and created again. The field
  ///   has no value until the new sequence produces its first element.
  /// - When the last observation ends, and after ``reset()``, the task that iterates the sequence
  ///   is cancelled. If the iteration ignores cancellation, it is abandoned at its next element.
  ///
  /// Reading without observing does not create the sequence; it returns the value that observers
  /// currently have. Neither the function nor the sequence runs while the store is locked, so both
  /// may call the environment. The task inherits no priority or task-local values from a caller.
  ///
  /// - Parameters:
  ///   - field: `Type.field`, where `Type` is the object's type or the one that declares the field.
  ///   - function: Returns the sequence for a value of the fragment. Its elements are of the
  ///     field's type; any other element is an error of the field.
  public func derive<Fragment: GraphQLFragment, Updates: AsyncSequence & Sendable>(
    _ field: String, _ function: @escaping @Sendable (Fragment) throws -> Updates
  ) where Updates.Element: RowValue {
    store.derive(field, from: Fragment.__plan) { row in
      let updates = try function(Fragment(__row: Row(row)))
      return { receive in
        for try await value in updates where !receive(RowSlot(of: value)) { return }
      }
    }
  }

  /// Calls a closure whenever one of the records, or the entire store, is invalidated from now on.
  ///
  /// The invalidating commit's thread calls the closure after the observers of data, at most once
  /// for each commit or batch. It does not call the closure for a record that the same updater has
  /// deleted.
  ///
  /// - Returns: The registration; dropping or cancelling it ends the calls.
  public func onInvalidation(
    of ids: some Sequence<DataID>, _ body: @escaping @Sendable () -> Void
  ) -> ObservationHandle {
    store.onInvalidation(of: Set(ids), body)
  }

  /// Calls a closure whenever the entire store, or a record that the query reaches at that time, is
  /// invalidated; otherwise like the call for records.
  public func onInvalidation<Query: GraphQLQuery>(
    of query: Query, _ body: @escaping @Sendable () -> Void
  ) -> ObservationHandle {
    store.onInvalidation(of: OperationRequest(query, store: store, root: .root).written, body)
  }
}
