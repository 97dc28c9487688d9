extension RelayEnvironment {
  /// Whether a query can be answered from the store, as it is visible now.
  ///
  ///     if case .available = environment.check(query) { show(environment.read(query)) }
  ///
  /// In this order: `stale` where the whole store was invalidated since the query was last written;
  /// `stale` where a record that it reaches was; `missing` where a field is not there and no
  /// ``MissingFieldHandler`` knows it, or where nothing can be read, for a null or a deleted record; `stale` where it was fetched longer ago than the store's
  /// `queryExpiration`; else `available`. Only of queries that are retained or in the release buffer
  /// is it known when they were written; others are older than any invalidation, and never expire.
  ///
  /// What handlers say of missing fields is written to the store.
  ///
  /// - Complexity: O(*n*) in the fields of the query.
  public func check<Query: GraphQLQuery>(_ query: Query) -> OperationAvailability {
    OperationRequest(query, store: store, root: .root).availability(in: store)
  }

  /// Calls a closure when one of the records, or the whole store, is invalidated, from now on.
  ///
  /// It is called by the thread whose commit did that, after the observers of data, at most once for
  /// each commit or batch; not for a record that the same updater has deleted.
  ///
  /// - Returns: What keeps it going; dropping it ends it, as cancelling does.
  public func onInvalidation(
    of ids: some Sequence<DataID>, _ body: @escaping @Sendable () -> Void
  ) -> ObservationHandle {
    store.onInvalidation(of: Set(ids), body)
  }

  /// Calls a closure when a record that the query reaches then, or the whole store, is invalidated.
  ///
  /// It is called as one for records is.
  public func onInvalidation<Query: GraphQLQuery>(
    of query: Query, _ body: @escaping @Sendable () -> Void
  ) -> ObservationHandle {
    store.onInvalidation(of: OperationRequest(query, store: store, root: .root).written, body)
  }
}
