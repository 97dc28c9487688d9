extension RelayEnvironment {
  /// What the store knows of several fragments now, as one value: `nil` stands for one without data, and
  /// paths begin with the position.
  ///
  /// - Throws: As for one fragment, where one of them throws.
  public func read<Fragment>(
    _ fragments: [FragmentRef<Fragment>]
  ) throws(Fragment.__Failure) -> Snapshot<GraphQLList<Fragment?>> {
    let snapshot = store.read(fragments.map(\.part), Fragment.__plan)
    try Fragment.__Failure.__check(snapshot.failure)
    return Snapshot(plural: snapshot)
  }

  /// The snapshots of several fragments as one value, from now on.
  ///
  ///     for await snapshot in environment.observe(list.todos.map(\.fragments.todoRow_todo)) {
  ///       show(snapshot.data?.compactMap { $0 } ?? [])
  ///     }
  ///
  /// There is one snapshot for each commit, however many of them it has changed; only those are read again.
  public func observe<Fragment>(
    _ fragments: [FragmentRef<Fragment>]
  ) -> Snapshots<GraphQLList<Fragment?>> {
    let parts = fragments.map(\.part)
    return Snapshots({ Snapshot(plural: $0) }) { [store] in
      store.subscribe(parts, Fragment.__plan)
    }
  }

  /// Calls a closure whenever one of several fragments has changed, once for each commit.
  ///
  /// It is called as one for a single fragment is.
  public func observe<Fragment>(
    _ fragments: [FragmentRef<Fragment>],
    onChange: @escaping @Sendable (Snapshot<GraphQLList<Fragment?>>) -> Void
  ) -> ObservationHandle {
    store.observe(fragments.map(\.part), Fragment.__plan) { onChange(Snapshot(plural: $0)) }
  }
}

extension FragmentRef {
  fileprivate var part: StoreState.PluralPart {
    switch target {
    case .record(let id, let scope): return .record(id, scope)
    case .value(let row):
      var snapshot = RowSnapshot()
      snapshot.row = row
      return .constant(snapshot)
    case .nothing: return .constant(RowSnapshot())
    }
  }
}
