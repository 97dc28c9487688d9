import RelayStore

extension RelayEnvironment {
  /// The operations in flight.
  private var knownInFlight: [KnownOperation] { executions.executions.map(KnownOperation.init) }

  /// Explains the missing fields of the first hundred observers with any, at most ten fields each.
  func explainMissing(in timeline: inout StoreTimeline, _ redaction: StoreTimeline.Redaction) {
    let lacking = timeline.observers.indices.filter { !timeline.observers[$0].missing.isEmpty }
      .prefix(100)
    if lacking.isEmpty { return }
    let inFlight = knownInFlight
    let wanted = Set(lacking.map { timeline.observers[$0].id })
    let explanations = store.state.withLock { state in
      state.explanations(ofObservers: wanted, inFlight: inFlight, redaction)
    }
    for position in lacking {
      timeline.observers[position].explanations =
        explanations[timeline.observers[position].id] ?? []
    }
  }

  /// Explains the missing fields of a plan.
  ///
  /// - Parameters:
  ///   - asked: The operation that the question is about, or `nil`.
  ///   - target: Returns the record and the plan.
  func explainMissing(
    _ asked: KnownOperation? = nil, _ target: (inout StoreState) -> (RecordIndex, BoundPlan)
  ) -> [MissingExplanation] {
    let inFlight = knownInFlight
    return store.state.withLock { state in
      let (index, plan) = target(&state)
      let history = state.dataHistory(adding: asked)
      return state.explanations(of: index, plan, listing: 100, history, inFlight: inFlight)
    }
  }
}
