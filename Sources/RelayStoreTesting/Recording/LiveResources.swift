/// The resources of an environment that are still in use; after a test there should be none.
///
///     try await environment.settle()
///     #expect(environment.liveResources.isEmpty)
public struct LiveResources: Sendable, Hashable, CustomStringConvertible {
  /// The number of operations in flight.
  public var operations: Int
  /// The number of observers of the store: iterators, closures, loads of queries, models and
  /// fragment replicas.
  ///
  /// A `Pagination` counts as two: its fragment, and the ends of its list. An observation of a list
  /// of fragments counts each fragment. Observers of invalidation are not counted.
  public var observers: Int
  /// The number of retained operations.
  public var retainedOperations: Int
  /// The number of applied optimistic updates.
  public var optimisticUpdates: Int

  /// Whether no resource is in use.
  public var isEmpty: Bool { self == LiveResources() }

  /// The resources in use, with the count of each.
  public var description: String {
    let counts = [
      (operations, "operations in flight"), (observers, "observers"),
      (retainedOperations, "retained operations"), (optimisticUpdates, "optimistic updates"),
    ]
    let live = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return live.isEmpty ? "nothing" : live.joined(separator: ", ")
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
