public import RelayStore

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

  // MARK: Models

  /// Returns a model of a local query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - onChange: Called after each later change of the rows.
  /// - Complexity: O(*n*) in the records of the store, and O(*n* log *n*) in the rows.
  @MainActor
  public func model<Fragment>(
    _ query: LocalQuery<Fragment>, onChange: LocalQueryModel<Fragment>.ChangeHandler? = nil
  ) -> LocalQueryModel<Fragment> {
    LocalQueryModel(query, in: self, onChange: onChange)
  }

  /// Returns a model of a local query in sections.
  ///
  /// - Parameters:
  ///   - query: The query; its order is the order of the rows in each section.
  ///   - key: Returns the key of a row's section, for example through a key path.
  ///   - direction: The order of the sections.
  ///   - onChange: Called after each later change of the rows.
  /// - Complexity: O(*n*) in the records of the store, and O(*n* log *n*) in the rows.
  @MainActor
  public func model<Fragment, Key>(
    _ query: LocalQuery<Fragment>, sectionedBy key: @escaping @Sendable (Fragment) -> Key,
    _ direction: LocalQuery<Fragment>.Direction = .ascending,
    onChange: SectionedQueryModel<Fragment, Key>.ChangeHandler? = nil
  ) -> SectionedQueryModel<Fragment, Key> {
    SectionedQueryModel(query, sectionedBy: key, direction, in: self, onChange: onChange)
  }
}
