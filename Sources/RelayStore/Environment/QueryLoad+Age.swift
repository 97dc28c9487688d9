/// The age of a load's data.
extension QueryLoad {
  /// Finds out whether the data has expired, and waits until it has.
  func updateAge() {
    guard request.mayExpire else { return }
    let left = environment.store.timeLeft(of: request.identity)
    let timer = left.flatMap { left -> Task<Void, Never>? in
      if left <= .zero { return nil }
      return Task { [weak self, clock = environment.clock] in
        if (try? await clock.wait(for: left)) != nil { self?.expire() }
      }
    }
    let unused = state.withLock { state in
      state.isExpired = left.map { $0 <= .zero } ?? false
      if state.isEnded { return timer }
      defer { state.expiry = timer }
      return state.expiry
    }
    unused?.cancel()
  }

  /// Delivers that the data has expired, unless another load of the query has fetched it meanwhile.
  func expire() {
    updateAge()
    guard state.withLock({ $0.isExpired }) else { return }
    fetchStale()
    deliver()
  }

  /// Fetches the query again if stale data is not shown.
  func fetchStale() {
    if policy != .storeOnly, !options.showsStaleData { fetch() }
  }
}
