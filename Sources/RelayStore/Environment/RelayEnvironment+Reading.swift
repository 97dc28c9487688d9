// MARK: Reading

extension RelayEnvironment {
  /// Reads a fragment from the store.
  ///
  /// - Throws: ``RelayError`` with code `field` if the fragment has no data due to
  ///   `@throwOnFieldError`, or due to a `@required(action: THROW)` that nothing catches. Reading
  ///   any other fragment needs no `try`.
  /// - Complexity: O(*n*) in the fields read.
  @inlinable
  public func read<Fragment>(
    _ fragment: FragmentRef<Fragment>
  ) throws(Fragment.__Failure) -> Snapshot<Fragment> {
    let snapshot = read(fragment.target, Fragment.__plan)
    try Fragment.__Failure.__check(snapshot.failure)
    return Snapshot(snapshot)
  }

  /// Reads the fragment of an optional reference, such as one under a type condition. Without a
  /// reference, the snapshot has no data and no missing fields.
  ///
  ///     let droid = environment.read(hero.asDroid?.fragments.droidDetails).data
  ///
  /// - Throws: As for a reference.
  @_disfavoredOverload
  public func read<Fragment>(
    _ fragment: FragmentRef<Fragment>?
  ) throws(Fragment.__Failure) -> Snapshot<Fragment> {
    try read(fragment ?? FragmentRef(.nothing))
  }

  /// Reads several fragments from the store as one value. An element without data is `nil`, and
  /// each path starts with the index of its element.
  ///
  /// - Throws: As for one fragment, if any of them throws.
  public func read<Fragment>(
    _ fragments: [FragmentRef<Fragment>]
  ) throws(Fragment.__Failure) -> Snapshot<GraphQLList<Fragment?>> {
    let snapshot = store.read(.list(fragments.map(\.target), Fragment.__plan))
    try Fragment.__Failure.__check(snapshot.failure)
    return Snapshot(plural: snapshot)
  }

  /// Reads the data of a query from the store; does not fetch.
  ///
  /// - Throws: As for a fragment.
  public func read<Query: GraphQLQuery>(
    _ query: Query
  ) throws(Query.__Failure) -> Snapshot<Query.Data> {
    let snapshot = read(query.target, Query.__operation.reader)
    try Query.__Failure.__check(snapshot.failure)
    return Snapshot(snapshot)
  }

  /// Reads a fragment as `observe` delivers it: instead of throwing the error of `read`, the
  /// snapshot has it.
  func snapshot<Fragment>(of fragment: FragmentRef<Fragment>) -> Snapshot<Fragment> {
    Snapshot(read(fragment.target, Fragment.__plan))
  }
}

// MARK: Observing

extension RelayEnvironment {
  /// Returns the snapshots of a fragment, from now on; see ``Snapshots``.
  public func observe<Fragment>(_ fragment: FragmentRef<Fragment>) -> Snapshots<Fragment> {
    Snapshots { [store] in store.subscribe(.one(fragment.target, Fragment.__plan)) }
  }

  /// Returns the snapshots of several fragments as one value, from now on.
  ///
  ///     for await snapshot in environment.observe(list.todos.map(\.fragments.todoRow_todo)) {
  ///       show(snapshot.data?.compactMap { $0 } ?? [])
  ///     }
  ///
  /// Each commit delivers one snapshot, however many of the fragments it changed. Only the changed
  /// fragments are read again.
  public func observe<Fragment>(
    _ fragments: [FragmentRef<Fragment>]
  ) -> Snapshots<GraphQLList<Fragment?>> {
    let target = ReadTarget.list(fragments.map(\.target), Fragment.__plan)
    return Snapshots({ Snapshot(plural: $0) }) { [store] in store.subscribe(target) }
  }

  /// Calls a closure for every later change of a fragment's value.
  ///
  ///     let observation = environment.observe(todo.fragments.todoRow_todo) {
  ///       print($0.data?.text ?? "gone")
  ///     }
  ///
  /// The current value is not delivered. The store is unlocked during a call, so the closure may
  /// commit.
  ///
  /// - The thread whose commit made the change calls the closure before that commit returns.
  /// - A commit inside a closure or a ``batch(_:)`` returns first. Its thread calls the closure
  ///   after that closure returns or the outermost batch ends.
  /// - While another thread is calling the closure, the commit may return first; the other thread
  ///   then calls the closure again, with the newest value.
  ///
  /// Closures are called in the order of registration, at most once for each commit. If another
  /// commit happens before a closure is called, it is called once, with the newest value. After a
  /// thread cancels the observation, that thread does not call the closure again; a call that
  /// another thread is making can still happen.
  ///
  /// - Returns: The registration; dropping it ends the calls, as cancelling does.
  public func observe<Fragment>(
    _ fragment: FragmentRef<Fragment>,
    onChange: @escaping @Sendable (Snapshot<Fragment>) -> Void
  ) -> ObservationHandle {
    readAndObserve(fragment, onChange: onChange).observation
  }

  /// Calls a closure whenever one of several fragments has changed, once for each commit; otherwise
  /// like the call for one fragment.
  public func observe<Fragment>(
    _ fragments: [FragmentRef<Fragment>],
    onChange: @escaping @Sendable (Snapshot<GraphQLList<Fragment?>>) -> Void
  ) -> ObservationHandle {
    readAndObserve(fragments, onChange: onChange).observation
  }

  /// Reads a fragment, and calls a closure whenever its value has changed since that read.
  ///
  ///     let (snapshot, observation) = environment.readAndObserve(todo.fragments.todoRow_todo) {
  ///       show($0)
  ///     }
  ///     show(snapshot)
  ///
  /// No change is lost between the read and the observation, as could happen between separate calls
  /// of `read` and `observe`. The fragment is read only once.
  ///
  /// - Returns: The current snapshot, including the error that `read` would throw, and the
  ///   registration as ``observe(_:onChange:)-(FragmentRef<Fragment>,_)`` returns it.
  @inlinable
  public func readAndObserve<Fragment>(
    _ fragment: FragmentRef<Fragment>,
    onChange: @escaping @Sendable (Snapshot<Fragment>) -> Void
  ) -> (snapshot: Snapshot<Fragment>, observation: ObservationHandle) {
    let (row, observation) = readAndObserve(fragment.target, Fragment.__plan) {
      onChange(Snapshot($0))
    }
    return (Snapshot(row), observation)
  }

  /// Reads several fragments as one value, and calls a closure whenever one of them has changed
  /// since that read; otherwise like the call for one fragment.
  public func readAndObserve<Fragment>(
    _ fragments: [FragmentRef<Fragment>],
    onChange: @escaping @Sendable (Snapshot<GraphQLList<Fragment?>>) -> Void
  ) -> (snapshot: Snapshot<GraphQLList<Fragment?>>, observation: ObservationHandle) {
    let target = ReadTarget.list(fragments.map(\.target), Fragment.__plan)
    let (row, observation) = store.readAndObserve(target) { onChange(Snapshot(plural: $0)) }
    return (Snapshot(plural: row), observation)
  }

  /// Reads a query's data from the store, and calls a closure whenever it has changed since that
  /// read, like the call for a fragment; does not fetch.
  public func readAndObserve<Query: GraphQLQuery>(
    _ query: Query, onChange: @escaping @Sendable (Snapshot<Query.Data>) -> Void
  ) -> (snapshot: Snapshot<Query.Data>, observation: ObservationHandle) {
    let (row, observation) = readAndObserve(query.target, Query.__operation.reader) {
      onChange(Snapshot($0))
    }
    return (Snapshot(row), observation)
  }

  /// Returns the snapshots of a fragment as an `AsyncStream`, for code that requires that type.
  ///
  /// The stream has a single buffer, created by this call, so two consumers share its snapshots.
  /// ``observe(_:)-(FragmentRef<Fragment>)`` has a buffer for each consumer.
  public func snapshots<Fragment>(
    of fragment: FragmentRef<Fragment>
  ) -> AsyncStream<Snapshot<Fragment>> {
    Self.stream(store.subscribe(.one(fragment.target, Fragment.__plan)))
  }

  /// Returns the snapshots of a query's data in the store as an `AsyncStream`; does not fetch. To
  /// fetch as well, use ``observe(_:policy:options:)``.
  public func snapshots<Query: GraphQLQuery>(
    of query: Query
  ) -> AsyncStream<Snapshot<Query.Data>> {
    Self.stream(store.subscribe(.one(query.target, Query.__operation.reader)))
  }
}

// MARK: Reading without types

extension RelayEnvironment {
  @usableFromInline
  func readAndObserve(
    _ target: SpreadReference, _ plan: SelectionPlan,
    onChange: @escaping @Sendable (RowSnapshot) -> Void
  ) -> (snapshot: RowSnapshot, observation: ObservationHandle) {
    store.readAndObserve(.one(target, plan), onChange: onChange)
  }

  private static func stream<Value: GraphQLView>(
    _ subscription: SnapshotSubscription
  ) -> AsyncStream<Snapshot<Value>> {
    AsyncStream { await subscription.next(isolation: nil).map(Snapshot.init) }
  }

  @usableFromInline
  func read(_ target: SpreadReference, _ plan: SelectionPlan) -> RowSnapshot {
    store.read(.one(target, plan))
  }
}

extension GraphQLOperation {
  /// The variables that the operation is stored with, including default values.
  var storedVariables: JSONObject { Self.__operation.storedVariables(__variables) }

  /// A reference to the operation's data at the root of the store.
  var target: SpreadReference { .record(.root, VariableScope(operation: storedVariables)) }
}
