/// The objects that accompany a request while it runs.
struct RunningRequest: Sendable {
  /// The counter of waits that only a test can end.
  let hold: RequestHold
  /// The trace for the timeline and telemetry; `nil` without both.
  let trace: RequestTrace?
}
