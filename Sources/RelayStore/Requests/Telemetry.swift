public import struct Foundation.Date

/// A hook for the app's telemetry: called with a span for each operation, without a dependency.
///
///     let environment = RelayEnvironment(
///       transport: transport,
///       telemetry: Telemetry { span in
///         metrics.record(span.name, span.timings.total, span.outcome.rawValue)
///       })
///
/// Each request is sent with the header field `traceparent` of its span, so that the spans of the
/// server belong to the same trace. The parent is the ``TraceContext/current`` of the task that makes
/// the first call for the operation, or what the closure ``parent`` returns.
public struct Telemetry: Sendable {
  /// Whether requests have the header fields `traceparent` and `tracestate`.
  public var propagatesTraceContext: Bool
  /// Returns the context that is the parent of a new span; without one, the span begins a trace.
  /// Called by the task that sends the request, which has the task-local values of the first call.
  public var parent: @Sendable () -> TraceContext?
  /// Called once for each operation that was sent or answered by the store, at its end, with the store
  /// unlocked. The thread is any.
  public var onEnd: @Sendable (OperationSpan) -> Void

  /// Creates a hook.
  ///
  /// - Parameters:
  ///   - propagatesTraceContext: Whether requests have the header fields of the trace.
  ///   - parent: Returns the parent of a new span.
  ///   - onEnd: Called with each span.
  public init(
    propagatesTraceContext: Bool = true,
    parent: @escaping @Sendable () -> TraceContext? = { TraceContext.current },
    onEnd: @escaping @Sendable (OperationSpan) -> Void
  ) {
    self.propagatesTraceContext = propagatesTraceContext
    self.parent = parent
    self.onEnd = onEnd
  }
}

/// One execution of an operation, for telemetry. Callers that share an execution share its span.
public struct OperationSpan: Sendable {
  /// The operation's name.
  public var name: String
  /// The kind of the operation.
  public var kind: OperationKind
  /// The date of the call.
  public var start: Date
  /// The durations.
  public var timings: OperationTimings
  /// Whether it has succeeded. A response with data and errors is a success.
  public var outcome: OperationOutcome
  /// The error of a failure.
  public var error: RelayError?
  /// Whether the store had the data, so that no request was sent. Only a policy that asks for a
  /// complete answer, such as ``FetchPolicy/storeOrNetwork``, counts.
  public var isCacheHit: Bool
  /// The number of responses: the parts of one, or the events of a subscription.
  public var responses: Int
  /// The number of bytes of the responses.
  public var bytes: Int
  /// The context of the span, which was sent to the server.
  public var context: TraceContext
  /// The context of its parent; `nil` if the span begins the trace.
  public var parent: TraceContext?
}
