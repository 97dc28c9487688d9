extension RelayEnvironment {
  /// What the store knows of a fragment now.
  ///
  /// - Throws: ``RelayError`` with code `field` where the fragment has `@throwOnFieldError`, or a
  ///   `@required(action: THROW)` that nothing catches, and so no data. Reading any other needs no `try`.
  /// - Complexity: O(*n*) in the fields read.
  public func read<Fragment>(
    _ fragment: FragmentRef<Fragment>
  ) throws(Fragment.__Failure) -> Snapshot<Fragment> {
    let snapshot = read(fragment.target, Fragment.__plan)
    try Fragment.__Failure.__check(snapshot.failure)
    return Snapshot(snapshot)
  }

  /// What the store knows of a fragment now, as `observe` would tell it: an error that `read` throws is in the
  /// snapshot.
  func snapshot<Fragment>(of fragment: FragmentRef<Fragment>) -> Snapshot<Fragment> {
    Snapshot(read(fragment.target, Fragment.__plan))
  }

  /// What the store knows of a query's data now.
  ///
  /// - Throws: As for a fragment.
  public func read<Query: GraphQLQuery>(
    _ query: Query
  ) throws(Query.__Failure) -> Snapshot<Query.Data> {
    let snapshot = read(query.target, Query.__operation.reader)
    try Query.__Failure.__check(snapshot.failure)
    return Snapshot(snapshot)
  }

  /// The snapshots of a fragment, from now on; see ``Snapshots``.
  public func observe<Fragment>(_ fragment: FragmentRef<Fragment>) -> Snapshots<Fragment> {
    Snapshots { [store] in Self.subscribe(fragment.target, Fragment.__plan, in: store) }
  }

  /// The snapshots of a query's data, as far as the store has it; nothing is fetched.
  public func observe<Query: GraphQLQuery>(_ query: Query) -> Snapshots<Query.Data> {
    let target = query.target
    return Snapshots { [store] in Self.subscribe(target, Query.__operation.reader, in: store) }
  }

  /// Calls a closure whenever the value of a fragment has changed, from now on.
  ///
  ///     let observation = environment.observe(todo.fragments.todoRow_todo) { print($0.data?.text ?? "gone") }
  ///
  /// It is called by the thread whose commit made the change, before that commit returns and while
  /// the store is free: in the order of registration, and at most once for each commit. After the
  /// observation was cancelled that thread does not call it; a call that another thread is making can
  /// still happen. It may commit itself; those not called yet get the newest value, once.
  ///
  /// - Returns: What keeps it going; dropping it ends it, as cancelling does.
  public func observe<Fragment>(
    _ fragment: FragmentRef<Fragment>,
    onChange: @escaping @Sendable (Snapshot<Fragment>) -> Void
  ) -> ObservationHandle {
    observe(fragment.target, Fragment.__plan) { onChange(Snapshot($0)) }
  }

  /// Calls a closure whenever a query's data has changed, from now on; nothing is fetched.
  ///
  /// It is called as one for a fragment is.
  public func observe<Query: GraphQLQuery>(
    _ query: Query, onChange: @escaping @Sendable (Snapshot<Query.Data>) -> Void
  ) -> ObservationHandle {
    observe(query.target, Query.__operation.reader) { onChange(Snapshot($0)) }
  }

  private func observe(
    _ target: SpreadReference, _ plan: SelectionPlan,
    onChange: @escaping @Sendable (RowSnapshot) -> Void
  ) -> ObservationHandle {
    guard case .record(let id, let scope) = target else {
      return ObservationHandle(receiver: ObservationReceiver(onChange)) {}
    }
    return store.observe(id, plan, scope, onChange: onChange)
  }

  /// The snapshots of a fragment as an `AsyncStream`, for code that wants that type.
  ///
  /// The stream has one place from the moment of this call: two consumers of it share the
  /// snapshots. Use ``observe(_:)-(FragmentRef<Fragment>)`` for one each.
  public func snapshots<Fragment>(
    of fragment: FragmentRef<Fragment>
  ) -> AsyncStream<Snapshot<Fragment>> {
    Self.stream(Self.subscribe(fragment.target, Fragment.__plan, in: store))
  }

  /// The snapshots of a query's data as an `AsyncStream`.
  public func snapshots<Query: GraphQLQuery>(
    of query: Query
  ) -> AsyncStream<Snapshot<Query.Data>> {
    Self.stream(Self.subscribe(query.target, Query.__operation.reader, in: store))
  }

  private static func stream<Value: GraphQLView>(
    _ subscription: SnapshotSubscription
  ) -> AsyncStream<Snapshot<Value>> {
    AsyncStream { await subscription.next(isolation: nil).map(Snapshot.init) }
  }

  private func read(_ target: SpreadReference, _ plan: SelectionPlan) -> RowSnapshot {
    switch target {
    case .record(let id, let scope): store.read(id, plan, scope)
    case .value(let row): RowSnapshot(row)
    case .nothing: RowSnapshot()
    }
  }

  private static func subscribe(
    _ target: SpreadReference, _ plan: SelectionPlan, in store: RecordStore
  ) -> SnapshotSubscription {
    guard case .record(let id, let scope) = target else {
      let mailbox = Mailbox<RowSnapshot>(store.deliveries)
      var snapshot = RowSnapshot()
      if case .value(let row) = target { snapshot = RowSnapshot(row) }
      mailbox.deliver(snapshot)
      return SnapshotSubscription(mailbox: mailbox) {}
    }
    return store.subscribe(id, plan, scope)
  }
}

extension RowSnapshot {
  /// Data built by hand.
  fileprivate init(_ row: RowStorage) {
    self.init()
    self.row = row
  }
}

extension GraphQLOperation {
  /// The variables it is stored with.
  var storedVariables: JSONObject { Self.__operation.storedVariables(__variables) }

  /// Its data, as seen from the root of the store.
  var target: SpreadReference { .record(.root, VariableScope(operation: storedVariables)) }
}
