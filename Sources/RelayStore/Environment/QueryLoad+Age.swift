/// Expiry of the load's data.
extension QueryLoad {
  /// Checks whether the data has expired; if not, starts a timer for when it will.
  func updateAge() {
    guard request.mayExpire else { return }
    let age = state.withLock { $0.ages.begin() }
    let left = environment.store.timeLeft(of: request.identity)
    let timer = left.flatMap { left -> Task<Void, Never>? in
      if left <= .zero { return nil }
      return Task { [weak self, clock = environment.clock] in
        if (try? await clock.wait(for: left)) != nil { self?.expire() }
      }
    }
    let unused = state.withLock { state in
      // A later call has already checked the age.
      if state.isEnded || !state.ages.isLatest(age) { return timer }
      state.isExpired = left.map { $0 <= .zero } ?? false
      defer { state.expiry = timer }
      return state.expiry
    }
    unused?.cancel()
  }

  /// Delivers the expiry of the data, unless another load of the query has fetched it in the
  /// meantime.
  func expire() {
    updateAge()
    let isExpired = state.withLock { state in
      if state.isExpired { state.isNew = false }
      return state.isExpired
    }
    guard isExpired else { return }
    fetchStale()
    deliver()
  }

  /// Checks whether data persisted by an earlier run has expired.
  func learnAge() {
    updateAge()
    deliver()
  }

  /// Fetches the query again if stale data is not shown.
  func fetchStale() {
    if policy != .storeOnly, !options.showsStaleData { fetch() }
  }
}
