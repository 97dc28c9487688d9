public import struct Foundation.Date

/// A hook for the app's telemetry, called with a span for each operation; adds no dependency.
///
///     let environment = RelayEnvironment(
///       transport: transport,
///       telemetry: Telemetry { span in
///         metrics.record(span.name, span.timings.total, span.outcome.rawValue)
///       })
///
/// Each request is sent with its span's `traceparent` header field, so that the server's spans
/// belong to the same trace. The parent is the ``TraceContext/current`` of the task that makes the
/// first call for the operation, or the result of the closure ``parent``.
public struct Telemetry: Sendable {
  /// Whether requests have the header fields `traceparent` and `tracestate`.
  public var propagatesTraceContext: Bool
  /// A closure that returns the context of a new span's parent; without a parent, the span starts a
  /// trace. Called by the task that sends the request, with the task-local values of the first
  /// call.
  public var parent: @Sendable () -> TraceContext?
  /// A closure that is called on any thread, with the store unlocked, at the end of each operation
  /// that was sent or whose data the store had.
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
  /// The durations of the phases.
  public var timings: OperationTimings
  /// Whether it succeeded. A response with data and errors is a success.
  public var outcome: OperationOutcome
  /// The error of a failed operation.
  public var error: RelayError?
  /// Whether the store had the data, so that no request was sent. Only counts for policies that
  /// require complete data, such as ``FetchPolicy/storeOrNetwork``.
  public var isCacheHit: Bool
  /// The number of responses: the parts of one, or the events of a subscription.
  public var responses: Int
  /// The number of bytes in the responses.
  public var bytes: Int
  /// The context of the span, which was sent to the server.
  public var context: TraceContext
  /// The context of its parent; `nil` if the span starts the trace.
  public var parent: TraceContext?
}
