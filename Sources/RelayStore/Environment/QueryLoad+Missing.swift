/// Data that other requests have left out.
extension QueryLoad {
  /// Returns the row of a response as the load shows it. Where it lacks data, the load's observer may have
  /// kept what was shown before.
  func shownRow(_ fetched: FetchedData) -> RowSnapshot {
    guard fetched.row.lacksData, let shown = state.withLock({ $0.observation })?.snapshot,
      shown.revision >= fetched.row.revision
    else { return fetched.row }
    return shown
  }

  /// Fetches the query again if other requests have left out some of its data.
  func fetchMissing() {
    let epoch = environment.executions.epoch
    let isDue = state.withLock { state in
      let isIdle =
        policy != .storeOnly && !state.isEnded && !state.isStopped && !state.awaitsStorage
        && state.execution == nil && state.retainedIn == epoch
      return state.missing.isDue(for: state.row, isIdle: isIdle)
    }
    if isDue { fetch() }
  }
}
