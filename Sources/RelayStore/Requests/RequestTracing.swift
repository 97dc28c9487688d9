/// The receivers of an environment's traces: the timeline of its store, telemetry, or both.
package struct RequestTracing: Sendable {
  let recorder: TimelineRecorder?
  let telemetry: Telemetry?
  let store: RecordStore

  /// - Returns: `nil` without a receiver.
  init?(_ store: RecordStore, _ telemetry: Telemetry?) {
    if store.recorder == nil, telemetry == nil { return nil }
    recorder = store.recorder
    self.telemetry = telemetry
    self.store = store
  }

  /// Starts the trace of a request that is yet to be sent.
  package func trace(_ request: OperationRequest, _ kind: OperationKind) -> RequestTrace {
    RequestTrace(request, kind, for: self)
  }

  /// Traces a query whose data was in the store.
  ///
  /// - Parameter begin: The time of the call.
  func servedByStore(_ request: OperationRequest, since begin: Duration) {
    RequestTrace(request, .query, for: self, begin: begin).servedByStore()
  }
}
