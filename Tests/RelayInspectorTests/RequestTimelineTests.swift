import RelayRecording
import RelayStore
import RelayStoreTesting
import Testing

@Suite("Requests are recorded and reported as spans", .timeLimit(.minutes(1)))
struct RequestTimelineTests {
  private let spans = Locked<[OperationSpan]>([])

  private func recorded(
    _ clock: any Clock<Duration> = ContinuousClock(), propagates: Bool = true,
    timeline: TimelineOptions? = .init()
  ) -> RecordedStore {
    RecordedStore(
      timeline, clock: clock,
      telemetry: Telemetry(propagatesTraceContext: propagates) { [spans] span in
        spans.withLock { $0.append(span) }
      })
  }

  @Test("a fetch is sent and ended, and its publish names it")
  func fetch() async throws {
    let recorded = recorded()
    async let fetched = recorded.environment.fetch(FeedQuery())
    try await recorded.server.next().resolve(data: FeedQuery.data(("1", "a")))
    _ = try await fetched
    let requests = recorded.requests
    #expect(requests.map(\.phase) == [.sent, .ended])
    #expect(requests.map(\.number) == [1, 1])
    #expect(requests.map(\.outcome) == [nil, .success])
    #expect(requests[1].variables == #"{"first":10}"# && requests[1].responses == 1)
    #expect(requests[1].bytes > 10)
    #expect(
      recorded.publishes.map(\.cause) == [.init(.response, operation: "FeedQuery", request: 1)])
    let span = try #require(spans.withLock { $0.first })
    #expect(span.name == "FeedQuery" && span.kind == .query && span.outcome == .success)
    #expect(!span.isCacheHit && span.responses == 1 && span.parent == nil && span.error == nil)
    #expect(requests[1].traceParent == span.context.traceParent)
  }

  @Test("the time in the transport is that of the phase network")
  func timings() async throws {
    let clock = VirtualClock()
    let recorded = recorded(clock)
    async let fetched = recorded.environment.fetch(FeedQuery())
    let request = try await recorded.server.next()
    clock.advance(by: .milliseconds(250))
    request.resolve(data: FeedQuery.data(("1", "a")))
    _ = try await fetched
    let timings = try #require(recorded.requests.last?.timings)
    #expect(timings.network == 0.25 && timings.total == 0.25)
    #expect(timings.queued == 0 && timings.parsing == 0 && timings.publishing == 0)
    #expect(spans.withLock { $0.map(\.timings) } == [timings])
  }

  @Test("a failure has its error, and a redacted timeline only the code")
  func failure() async throws {
    let recorded = recorded()
    let fetch = Task { try await recorded.environment.fetch(FeedQuery()) }
    try await recorded.server.next().reject(RelayError(.transport, "no way"))
    await #expect(throws: RelayError.self) { try await fetch.value }
    let request = try #require(recorded.requests.last)
    #expect(request.outcome == .failure && request.errorCode == "transport")
    #expect(request.errorMessage == "no way")
    #expect(spans.withLock { $0.map(\.error?.message) } == ["no way"])
    guard case .request(let redacted)? = recorded.environment.timeline().events.last?.content
    else { return #expect(Bool(false), "The last event is not that of the request.") }
    #expect(redacted.errorCode == "transport" && redacted.errorMessage == nil)
    #expect(redacted.variables == nil)
  }

  @Test("the errors of a response with data are counted, with their messages unless redacted")
  func responseErrors() async throws {
    let recorded = recorded()
    async let committed = recorded.environment.commit(SetTextMutation(id: "1", text: "b"))
    try await recorded.server.next().resolve(
      data: ["setText": nil], errors: [["message": "not yours"], ["message": "too late"]])
    _ = try await committed
    let request = try #require(recorded.requests.last)
    #expect(request.outcome == .success && request.responseErrorCount == 2)
    #expect(request.responseErrors.map(\.message) == ["not yours", "too late"])
    let refused = Task { try await recorded.environment.fetch(FeedQuery()) }
    try await recorded.server.next().resolve(data: nil, errors: [["message": "no"]])
    await #expect(throws: RelayError.self) { try await refused.value }
    #expect(recorded.requests.last?.responseErrors.map(\.message) == ["no"])
    guard case .request(let redacted)? = recorded.environment.timeline().events.last?.content
    else { return #expect(Bool(false), "The last event is not that of the request.") }
    #expect(redacted.responseErrorCount == 1 && redacted.responseErrors.map(\.message) == [nil])
  }

  @Test("a cancelled fetch has the outcome cancelled, once")
  func cancellation() async throws {
    let recorded = recorded()
    let task = Task { try await recorded.environment.fetch(FeedQuery()) }
    let request = try await recorded.server.next()
    task.cancel()
    _ = try await request.cancelled()
    _ = await task.result
    #expect(recorded.requests.map(\.outcome) == [nil, .cancelled])
    #expect(spans.withLock { $0.map(\.outcome) } == [.cancelled])
  }

  @Test("an answer of the store is a cache hit, without a request")
  func cacheHit() async throws {
    let recorded = recorded()
    try recorded.fill(("1", "a"))
    _ = try await recorded.environment.fetch(FeedQuery(), policy: .storeOrNetwork)
    try await recorded.environment.prefetch(FeedQuery())
    let loaded = recorded.environment.load(FeedQuery())
    #expect(recorded.requests.map(\.phase) == Array(repeating: .servedByStore, count: 3))
    #expect(spans.withLock { $0.map(\.isCacheHit) } == [true, true, true])
    #expect(recorded.server.requests.isEmpty)
    _ = try await recorded.environment.fetch(FeedQuery(), policy: .storeOnly)
    #expect(spans.withLock { $0.count } == 3)
    loaded.release()
  }

  @Test("a mutation names its request in the optimistic update, the response and the revert")
  func mutation() async throws {
    let recorded = recorded()
    try recorded.fill(("1", "a"))
    let mutation = SetTextMutation(id: "1", text: "b")
    async let committed = recorded.environment.commit(
      mutation, optimisticUpdater: { try $0["1"]?.setValue("b", for: "text") })
    try await recorded.server.next().resolve(data: ["setText": ["id": "1", "text": "b"]])
    _ = try await committed
    let refused = Task {
      try await recorded.environment.commit(
        mutation, optimisticUpdater: { try $0["1"]?.setValue("c", for: "text") })
    }
    try await recorded.server.next().reject(RelayError(.transport, "no"))
    await #expect(throws: RelayError.self) { try await refused.value }
    let causes = recorded.publishes.dropFirst().map { "\($0.cause) \($0.cause.request ?? 0)" }
    #expect(
      causes == [
        "optimistic update of SetTextMutation 1", "response to SetTextMutation 1",
        "optimistic update of SetTextMutation 2",
        "revert of an optimistic update of SetTextMutation 2",
      ])
    #expect(spans.withLock { $0.map(\.outcome) } == [.success, .failure])
  }

  @Test("each event of a subscription is received, and its end is recorded")
  func subscription() async throws {
    let recorded = recorded()
    var events = recorded.environment.subscribe(to: TodoSubscription()).makeAsyncIterator()
    let request = try await recorded.server.next()
    request.send(data: ["todo": ["id": "1", "text": "a"]])
    _ = try await events.next()
    request.send(data: ["todo": ["id": "1", "text": "b"]])
    _ = try await events.next()
    request.finish()
    _ = try await events.next()
    #expect(recorded.requests.map(\.phase) == [.sent, .received, .received, .ended])
    #expect(spans.withLock { $0.map(\.responses) } == [2])
  }

  @Test("the errors of a subscription's events are counted, with their messages")
  func subscriptionErrors() async throws {
    let recorded = recorded()
    var events = recorded.environment.subscribe(to: TodoSubscription()).makeAsyncIterator()
    let request = try await recorded.server.next()
    request.send(data: ["todo": nil], errors: [["message": "not yours"]])
    _ = try await events.next()
    request.send(data: nil, errors: [["message": "gone"]])
    _ = try await events.next()
    request.finish()
    _ = try await events.next()
    let end = try #require(recorded.requests.last)
    #expect(end.responseErrorCount == 2)
    #expect(end.responseErrors.map(\.message) == ["not yours", "gone"])
  }

  // MARK: Trace contexts

  @Test("a request has the traceparent of a span whose parent is the task's context")
  func propagation() async throws {
    let recorded = recorded()
    let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    let parent = try #require(TraceContext(traceParent: text, traceState: "vendor=1"))
    try await TraceContext.withCurrent(parent) {
      async let fetched = recorded.environment.fetch(FeedQuery())
      let request = try await recorded.server.next()
      let sent = try #require(request.request.headers["traceparent"])
      #expect(sent.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") && sent.hasSuffix("-01"))
      #expect(sent != text)
      #expect(request.request.headers["tracestate"] == "vendor=1")
      request.resolve(data: FeedQuery.data(("1", "a")))
      _ = try await fetched
      let span = try #require(spans.withLock { $0.first })
      #expect(span.context.traceParent == sent && span.parent == parent)
    }
  }

  @Test("without propagation, and without telemetry, there is no header field")
  func noPropagation() async throws {
    for recorded in [recorded(propagates: false), RecordedStore()] {
      async let fetched = recorded.environment.fetch(FeedQuery())
      let request = try await recorded.server.next()
      #expect(request.request.headers.isEmpty)
      request.resolve(data: FeedQuery.data(("1", "a")))
      _ = try await fetched
    }
    #expect(spans.withLock { $0.count } == 1)
  }

  @Test("telemetry works without a timeline")
  func telemetryOnly() async throws {
    let recorded = recorded(timeline: nil)
    async let fetched = recorded.environment.fetch(FeedQuery())
    try await recorded.server.next().resolve(data: FeedQuery.data(("1", "a")))
    _ = try await fetched
    #expect(spans.withLock { $0.map(\.name) } == ["FeedQuery"])
    #expect(recorded.events.isEmpty)
  }

  @Test(
    "a traceparent that is not valid is refused",
    arguments: [
      "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
      "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
      "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
    ])
  func invalid(_ text: String) { #expect(TraceContext(traceParent: text) == nil) }

  @Test("a valid traceparent is read and written, a later version by the known rules")
  func valid() throws {
    let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"
    let context = try #require(TraceContext(traceParent: text))
    #expect(context.traceParent == text && !context.isSampled)
    #expect(context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
    #expect(context.spanID == "00f067aa0ba902b7")
    let later = "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff-what-ever"
    #expect(TraceContext(traceParent: later)?.isSampled == true)
    let child = context.child()
    #expect(child.traceID == context.traceID && child.spanID != context.spanID)
    let own = TraceContext()
    #expect(TraceContext(traceParent: own.traceParent) == own)
  }
}
