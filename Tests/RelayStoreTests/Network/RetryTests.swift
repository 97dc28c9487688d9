import RelayStoreTesting
import Testing

@testable import RelayStore

@Suite("Requests that are sent again", .timeLimit(.minutes(10)))
struct RetryTests {
  private let clock = VirtualClock()

  @Test("a request is sent again after waits that grow, until it succeeds")
  func grows() async throws {
    let server = StubTransport { _, count in
      if count < 3 { throw RelayError.status(503) }
      return .empty
    }
    let transport = server.retrying(
      RetryPolicy(attempts: 4, delay: .seconds(1)), clock: clock, chance: { 1 })
    let task = Task { try await transport.execute(.query) }
    for (attempt, seconds) in [(1, 1), (2, 2), (3, 4)] {
      await clock.sleepers(1)
      #expect(server.requests.count == attempt)
      clock.advance(by: .seconds(seconds) - .milliseconds(1))
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .milliseconds(1))
    }
    _ = try await task.value
    #expect(server.requests.count == 4)
  }

  @Test("the last failure is thrown when the attempts are used up")
  func givesUp() async throws {
    let server = StubTransport { _, _ in throw RelayError.status(502) }
    let transport = server.retrying(RetryPolicy(attempts: 2), clock: clock)
    let task = Task { try await transport.execute(.query) }
    await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: RelayError.self) { try await task.value }
    #expect(error?.status == 502 && server.requests.count == 2)
  }

  @Test("what would fail again, and what changes something, is sent once")
  func once() async throws {
    let server = StubTransport { request, _ in
      throw request.kind == .query ? RelayError.status(404) : RelayError.status(503)
    }
    let transport = server.retrying(clock: clock)
    await #expect(throws: RelayError.self) { try await transport.execute(.query) }
    await #expect(throws: RelayError.self) { try await transport.execute(.mutation) }
    #expect(server.requests.count == 2)
    let daring = server.retrying(RetryPolicy(includesMutations: true), clock: clock)
    let task = Task { try await daring.execute(.mutation) }
    await clock.sleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.count == 3)
  }

  @Test("the server's own wait counts when it is longer")
  func retryAfter() async throws {
    let server = StubTransport { _, count in
      if count == 0 { throw RelayError.status(429, retryAfter: "60") }
      return .empty
    }
    let task = Task { [clock] in try await server.retrying(clock: clock).execute(.query) }
    await clock.sleepers(1)
    clock.advance(by: .seconds(59))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    _ = try await task.value
  }

  @Test("waits double up to the limit, and chance shortens them by the jitter at most")
  func waits() {
    let policy = RetryPolicy(
      delay: .seconds(1), longestDelay: .seconds(10), jitter: 0.5)
    let longest = (1...6).map { policy.wait(afterAttempt: $0, chance: 1) }
    #expect(longest == [1, 2, 4, 8, 10, 10].map { Duration.seconds($0) })
    #expect(policy.wait(afterAttempt: 2, chance: 0) == .seconds(1))
    #expect(policy.wait(afterAttempt: 10_000, chance: 0.5) == .seconds(7.5))
  }
}
