extension RelayEnvironment {
  /// Forgets everything, as after a logout: the store is as it was when it was new.
  ///
  /// Every operation on its way is cancelled, and what its server answers all the same is not written. Optimistic updates,
  /// what is retained and all records are gone. Observers stay: they get one snapshot, without data. Queries that are
  /// being loaded and models stay too, without data or errors of before, with the error `cancelled` where a request was in flight;
  /// queries are retained again with their next request. Called on the main actor, it returns when the models are empty.
  ///
  /// An updater of this store may call it, and so may its log; it is done as soon as the updater has ended, or the
  /// response is written of which the log was told.
  ///
  /// - Complexity: O(*n*) in the records of the store.
  public func reset() {
    store.afterUpdater { [executions] store in
      store.reset { executions.reset() }
      store.collectGarbage()
    }
  }
}
