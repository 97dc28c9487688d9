import RelayStore
import RelayStoreTesting

/// A wait of the testing kit whose condition is never met.
struct EndlessWait: Sendable, CustomStringConvertible {
  let description: String
  /// The description of the error when the wait is cancelled.
  let message: String
  /// Prepares the condition, and returns the wait.
  let begin: @Sendable () async throws -> Wait

  typealias Wait = @Sendable () async throws -> Void

  static let all = requests + others

  private static let request = GraphQLRequest(
    operationName: "Added", kind: .subscription, text: "subscription Added { added }")

  private static let requests = [
    EndlessWait(
      description: "any request",
      message: "Cancelled while waiting for a request. So far: no request."
    ) {
      let server = MockTransport()
      return { _ = try await server.next() }
    },
    EndlessWait(
      description: "a request by its name",
      message: "Cancelled while waiting for a request of \"Feed\". "
        + "So far: \"Added\" (returned before), \"Added\" (waits)."
    ) {
      let server = MockTransport()
      for _ in 0..<2 { Task { try await server.stream(request) { _ in } } }
      _ = try await server.next()
      try await eventually(2) { server.requests.count }
      return { _ = try await server.next(named: "Feed") }
    },
    EndlessWait(
      description: "a delivery",
      message: "Cancelled while waiting for the delivery to \"Added\". "
        + "So far: 1 event it has not received."
    ) {
      let (server, gate) = (MockTransport(), Gate())
      Task { try await server.stream(request) { _ in try await gate.wait() } }
      let pending = try await server.next()
      for _ in 0..<2 { pending.send(data: [:]) }
      try await gate.arrivals(1)
      return { try await pending.delivered() }
    },
    EndlessWait(
      description: "a cancellation",
      message: "Cancelled while waiting for the cancellation of \"Added\". "
        + "So far: it waits for the test."
    ) {
      let server = MockTransport()
      Task { try await server.stream(request) { _ in } }
      let pending = try await server.next()
      pending.send(data: [:])
      try await pending.delivered()
      return { try await pending.cancelled() }
    },
  ]

  private static let others = [
    EndlessWait(
      description: "sleepers",
      message: "Cancelled while waiting for 2 sleeping tasks. So far: 1 sleeping task, "
        + "the first until 5.0 seconds; the clock is at 0.0 seconds."
    ) {
      let clock = VirtualClock()
      Task { try await clock.sleep(for: .seconds(5)) }
      try await clock.sleepers(1)
      return { try await clock.sleepers(2) }
    },
    EndlessWait(
      description: "arrivals at a gate",
      message: "Cancelled while waiting for 2 arrivals at a gate. So far: 1, 1 of them waiting."
    ) {
      let gate = Gate()
      Task { try await gate.wait() }
      try await gate.arrivals(1)
      return { try await gate.arrivals(2) }
    },
    EndlessWait(
      description: "subscriptions of a source",
      message: "Cancelled while waiting for 1 subscription of a source. So far: 0."
    ) {
      let source = SubscriptionSource()
      return { try await source.arrivals(1) }
    },
    EndlessWait(
      description: "a delivery of a source",
      message: "Cancelled while waiting for the delivery to a subscription. "
        + "So far: 1 event it has not received."
    ) {
      let source = SubscriptionSource()
      _ = source.stream()
      source.send(1)
      return { try await source.delivered() }
    },
    EndlessWait(
      description: "the end of a source's subscriptions",
      message: "Cancelled while waiting for the end of a subscription. "
        + "So far: it waits for the test."
    ) {
      let source = SubscriptionSource()
      _ = source.stream()
      return { try await source.ended() }
    },
  ]
}
