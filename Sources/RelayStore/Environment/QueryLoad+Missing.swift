/// Data that other requests left out.
extension QueryLoad {
  /// Returns the row to show for a response. If the response is missing data, this is the row that
  /// the load's observer still shows, unless that row is older.
  func shownRow(_ fetched: FetchedData) -> RowSnapshot {
    guard fetched.row.lacksData, let shown = state.withLock({ $0.observation })?.snapshot,
      shown.revision >= fetched.row.revision
    else { return fetched.row }
    return shown
  }

  /// Fetches the query again if other requests left out some of its data.
  func fetchMissing() {
    let epoch = environment.executions.epoch
    let isDue = state.withLock { state in
      let isIdle =
        policy != .storeOnly && !state.isEnded && !state.isStopped && !state.awaitsPersistence
        && state.execution == nil && state.retainedIn == epoch
      return state.missing.isDue(for: state.row, isIdle: isIdle)
    }
    if isDue { fetch() }
  }
}
