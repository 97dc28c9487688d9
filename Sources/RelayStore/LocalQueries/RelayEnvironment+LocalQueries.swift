extension RelayEnvironment {
  /// Reads the rows of a local query from the store; nothing is fetched.
  ///
  /// The rows are not retained: garbage collection removes those that no retained operation needs.
  ///
  /// - Complexity: O(*n*) in the records of the store, and O(*n* log *n*) in the rows.
  public func read<Fragment>(_ query: LocalQuery<Fragment>) -> LocalSnapshot<Fragment> {
    let changes = store.readAll(Fragment.__plan, in: query.scope)
    var result = LocalResult(query)
    _ = result.apply(changes)
    return LocalSnapshot(result, isNotLoaded: changes.isNotLoaded)
  }

  /// Returns the snapshots of a local query, from now on; see ``LocalSnapshots``.
  ///
  ///     for await snapshot in environment.observe(query) {
  ///       show(snapshot.rows)
  ///     }
  ///
  /// A commit that changes no row delivers nothing. Optimistic changes are delivered, and delivered
  /// again when they are reverted. Observing does not retain the rows: a row that garbage collection
  /// removes leaves the result.
  ///
  /// - Complexity: An iterator's first snapshot is read as by ``read(_:)-(LocalQuery<Fragment>)``;
  ///   after that each costs O(*m* log *n*) for *m* changed records.
  public func observe<Fragment>(_ query: LocalQuery<Fragment>) -> LocalSnapshots<Fragment> {
    LocalSnapshots(query: query, store: store)
  }
}
