import RelayNetwork
import RelayStore
import RelayStoreTesting
import Testing

/// Durations beyond the range of any clock: each is either the longest possible wait or none.
@Suite("Durations of any length", .timeLimit(.minutes(1)))
struct ExtremeDurationTests {
  static let durations: [Duration] = [
    .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(Int64.max), .seconds(1e20),
    .seconds(-1e20), .seconds(1e12), .zero,
  ]

  private static func clocks() -> [any Clock<Duration>] {
    [ContinuousClock(), SuspendingClock(), VirtualClock()]
  }

  @Test("a retry waits for any positive duration, and can be cancelled", arguments: durations)
  func retry(_ duration: Duration) async throws {
    for clock in Self.clocks() {
      for isServers in [true, false] {
        let server = StubTransport { _, _ in
          var error = RelayError.status(503)
          if isServers { error.retryAfter = duration }
          throw error
        }
        let policy = RetryPolicy(
          attempts: 3, delay: isServers ? .zero : duration, longestDelay: duration, jitter: .nan)
        let request = Task {
          try await server.retrying(policy, clock: clock, random: { .nan }).execute(.query)
        }
        if duration <= .zero {
          await #expect(throws: RelayError.self) { try await request.value }
          #expect(server.requests.count == 3)
        } else {
          request.cancel()
          await #expect(throws: CancellationError.self) { try await request.value }
        }
      }
    }
  }

  @Test(
    "a positive timeout waits for the response, and any other fails at once", arguments: durations)
  func timeout(_ duration: Duration) async throws {
    for clock in Self.clocks() {
      let server = MockTransport()
      let environment = RelayEnvironment(
        store: RecordStore(configuration: .init(queryExpiration: duration, clock: clock)),
        transport: server)
      let fetch = Task { try await environment.fetch(TodoListQuery(), timeout: duration) }
      let load = environment.load(
        TodoListQuery(), options: LoadOptions(timeout: duration, context: RequestContext()))
      if duration > .zero {
        for _ in 0..<2 { try await server.next().resolve(data: TodoListQuery.oneTodo("a")) }
        #expect(try await fetch.value.data?.todos.count == 1)
        try await environment.settle(limit: duration)
        #expect(load.state.error == nil && load.state.data?.todos.count == 1)
        if case .available = environment.check(TodoListQuery()) {} else { Issue.record("expired") }
      } else {
        let error = await #expect(throws: RelayError.self) { try await fetch.value }
        #expect(error?.code == .transport && error?.isRetryable == true)
      }
    }
  }

  @Test("a poll interval is due at once or never", arguments: durations)
  func poll(_ duration: Duration) async throws {
    for clock in Self.clocks() {
      let server = MockTransport()
      let environment = RelayEnvironment(
        store: RecordStore(configuration: .init(clock: clock)), transport: server)
      let load = environment.load(TodoListQuery(), options: LoadOptions(pollInterval: duration))
      try await server.next().resolve(data: TodoListQuery.oneTodo("a"))
      if duration <= .zero { try await server.next().resolve(data: TodoListQuery.oneTodo("b")) }
      if duration > .zero { try await environment.settle(limit: duration) }
      #expect(server.requests.count == 1 || duration <= .zero)
      withExtendedLifetime(load) {}
    }
  }

  @Test("a virtual clock advances to the end of its range, and never goes back")
  func virtualClock() async throws {
    let clock = VirtualClock()
    for _ in 0..<40 {
      for duration in Self.durations {
        let before = clock.now
        clock.advance(by: duration)
        #expect(clock.now >= before && before.duration(to: clock.now) >= .zero)
        let sleep = Task { try await clock.sleep(for: duration) }
        sleep.cancel()
        _ = await sleep.result
      }
    }
    #expect(clock.now.offset == .seconds(Int64.max))
    #expect(clock.now.duration(to: .init(offset: .seconds(-1e20))) < .zero)
  }
}
