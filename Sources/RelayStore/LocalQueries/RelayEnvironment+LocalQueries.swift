extension RelayEnvironment {
  /// Reads the rows of a local query from the store; does not fetch.
  ///
  /// The rows are not retained: garbage collection removes them unless a retained operation needs
  /// them.
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
  /// A commit that changes no row delivers no snapshot. Optimistic changes are delivered, and so is
  /// their reversal. Observing does not retain the rows: a row that garbage collection removes
  /// leaves the result.
  ///
  /// - Complexity: An iterator reads its first snapshot like ``read(_:)-(LocalQuery<Fragment>)``;
  ///   each later one costs O(*m* log *n*) for *m* changed records.
  public func observe<Fragment>(_ query: LocalQuery<Fragment>) -> LocalSnapshots<Fragment> {
    LocalSnapshots(query: query, store: store)
  }
}
