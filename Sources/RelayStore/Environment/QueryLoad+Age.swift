/// The age of a load's data.
extension QueryLoad {
  /// Finds out whether the data has expired, and waits until it has.
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
      // Another call has examined the age later.
      if state.isEnded || !state.ages.isLatest(age) { return timer }
      state.isExpired = left.map { $0 <= .zero } ?? false
      defer { state.expiry = timer }
      return state.expiry
    }
    unused?.cancel()
  }

  /// Delivers that the data has expired, unless another load of the query has fetched it meanwhile.
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

  /// Finds out whether the data has expired that was stored in an earlier run.
  func learnAge() {
    updateAge()
    deliver()
  }

  /// Fetches the query again if stale data is not shown.
  func fetchStale() {
    if policy != .storeOnly, !options.showsStaleData { fetch() }
  }
}
