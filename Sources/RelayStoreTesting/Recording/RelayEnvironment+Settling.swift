public import RelayStore

extension RelayEnvironment {
  /// Returns when no operation is in flight any more, and streams, closures and models have got what came of it.
  ///
  /// Answer what waits in a ``MockTransport`` before, open gates and let clocks go on: what nobody but the test can end
  /// is not waited for. A task that was begun just before and has not called the environment yet is not known here.
  ///
  /// - Parameter limit: The longest wait for transports that are not of this module.
  /// - Throws: ``UnsettledError`` as soon as everything left waits in a mock transport, a gate or a ``VirtualClock``, or when
  ///   the limit has passed; `CancellationError`.
  public func settle(limit: Duration = .seconds(600)) async throws {
    let end = ContinuousClock.now + limit.asWait
    var quietTurns = 0
    while quietTurns < Self.turns {
      try Task.checkCancellation()
      let operations = operationsInFlight
      if !operations.isEmpty || !store.deliveries.isEmpty {
        quietTurns = 0
        let isHeld = !operations.isEmpty && operations.allSatisfy(\.isHeld)
        if isHeld, store.deliveries.isEmpty {
          throw UnsettledError(operations: operations.map(\.operation), isHeld: true)
        }
        if ContinuousClock.now > end {
          throw UnsettledError(operations: operations.map(\.operation), isHeld: false)
        }
      } else {
        quietTurns += 1
      }
      // Each turn lets every task that was ready go on, on the main actor too.
      await Task.yield()
      await MainActor.run {}
    }
  }

  /// From one task to the next, to the main actor and back, with some to spare.
  private static var turns: Int { 16 }

  /// What is held and under way.
  public var leaks: Leaks {
    let statistics = store.statistics
    return Leaks(
      operations: operationCount, observers: statistics.observers,
      retainedOperations: statistics.retainedOperations,
      optimisticUpdates: statistics.optimisticUpdates)
  }
}

/// What is left of an environment's use; after a test it should be nothing.
///
///     try await environment.settle()
///     #expect(environment.leaks.isEmpty)
public struct Leaks: Sendable, Hashable, CustomStringConvertible {
  /// Operations in flight.
  public var operations: Int
  /// Observers of the store: iterators, closures, models, mirrors.
  public var observers: Int
  /// Operations whose records are kept.
  public var retainedOperations: Int
  /// Optimistic updates that are shown.
  public var optimisticUpdates: Int

  /// Whether nothing is left.
  public var isEmpty: Bool { self == Leaks() }

  /// What is left, with numbers.
  public var description: String {
    let all = [
      (operations, "operations on their way"), (observers, "observers"),
      (retainedOperations, "retained operations"), (optimisticUpdates, "optimistic updates"),
    ]
    let left = all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return left.isEmpty ? "nothing" : left.joined(separator: ", ")
  }

  public init(
    operations: Int = 0, observers: Int = 0, retainedOperations: Int = 0,
    optimisticUpdates: Int = 0
  ) {
    self.operations = operations
    self.observers = observers
    self.retainedOperations = retainedOperations
    self.optimisticUpdates = optimisticUpdates
  }
}
