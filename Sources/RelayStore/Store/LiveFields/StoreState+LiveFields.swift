/// Live derived fields; see ``LiveDerivations``.
extension StoreState {
  /// Starts the runs that observers have requested, and ends the runs that no observer depends on
  /// any more. Call this after observers were added, read again or removed.
  mutating func updateLiveFields() {
    // Returns early without derived fields.
    if source.observers.memos.cache == nil { return }
    for run in live.takeStarted() {
      if !live.start(run) { continue }
      observers.addLiveField(run.index)
      collector.keepIndex(of: run.index)
    }
    endLiveFields(observers.takeReleased())
  }

  /// Ends the runs of live fields.
  mutating func endLiveFields(_ fields: some Sequence<RecordIndex>) {
    for index in fields {
      live.end(index)
      observers.removeLiveField(index)
    }
  }

  /// The delivery that cancels the tasks of runs that have ended, if there are any.
  var endedLiveFields: [Delivery] {
    source.observers.memos.cache != nil && live.hasEnded ? [.endedLiveFields(live)] : []
  }

  /// Changes the value of a live field, and notifies its observers.
  ///
  /// - Returns: The deliveries; `nil` if the run was replaced or has ended.
  mutating func receive(
    _ event: LiveDerivations.Event, ofRun id: UInt64, at index: RecordIndex
  ) -> [Delivery]? {
    guard let record = live.receive(event, ofRun: id, at: index) else { return nil }
    if case .end = event { return [] }
    return notify(ofLiveFields: [index], of: [record])
  }
}
