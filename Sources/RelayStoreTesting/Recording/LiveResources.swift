/// The resources of an environment that are still in use; none should remain after a test.
///
///     try await environment.settle()
///     #expect(environment.liveResources.isEmpty, "\(environment.liveResources)")
public struct LiveResources: Sendable, Hashable, CustomStringConvertible {
  /// The operations in flight with their variables, oldest first: `mutation Rename {"id":"1"}`.
  public var operationNames: [String] = []
  /// The fragment or operation of each observer of the store, oldest first; see ``observers``.
  public var observerNames: [String] = []
  /// The retained operations with their variables, sorted: `FeedQuery {"first":10}`.
  public var retainedOperationNames: [String] = []
  /// The mutation and variables of each applied optimistic update, or `applyUpdate`, in the order
  /// of their layers.
  public var optimisticUpdateNames: [String] = []
  /// The live derived fields whose sequences are being iterated, each with its record, oldest
  /// first: `User.isOnline of 4`.
  public var liveFieldNames: [String] = []
  /// The entries of the outbox with their states, including failed ones, in commit order: `AddTodo
  /// (failed)`.
  public var outboxEntryNames: [String] = []

  /// The number of operations in flight.
  public var operations: Int { operationNames.count }
  /// The number of observers of the store: iterators, closures, loads of queries, models and
  /// fragment replicas.
  ///
  /// A `Pagination` counts as two: its fragment, and the ends of its list. An observation of a list
  /// of fragments counts each fragment. Observers of invalidation are not counted.
  public var observers: Int { observerNames.count }
  /// The number of retained operations.
  public var retainedOperations: Int { retainedOperationNames.count }
  /// The number of applied optimistic updates.
  public var optimisticUpdates: Int { optimisticUpdateNames.count }
  /// The number of live derived fields' sequences that are being iterated.
  public var liveFields: Int { liveFieldNames.count }
  /// The number of entries in the outbox.
  public var outboxEntries: Int { outboxEntryNames.count }

  /// Whether no resource is in use.
  public var isEmpty: Bool { self == LiveResources() }

  /// The names of the resources in use, with counts of equal names: `observers: FeedQuery, 3 ×
  /// TodoRow_todo; retained operations: FeedQuery {"first":10}`.
  public var description: String {
    let groups = [
      ("operations in flight", operationNames), ("observers", observerNames),
      ("retained operations", retainedOperationNames),
      ("optimistic updates", optimisticUpdateNames), ("live fields", liveFieldNames),
      ("outbox entries", outboxEntryNames),
    ]
    let live = groups.filter { !$0.1.isEmpty }.map { "\($0.0): \(Self.list($0.1))" }
    return live.isEmpty ? "nothing" : live.joined(separator: "; ")
  }

  /// Returns the names in the order of first occurrence, with a count for each that occurs more
  /// than once.
  private static func list(_ names: [String]) -> String {
    var counts: [String: Int] = [:]
    for name in names { counts[name, default: 0] += 1 }
    return names.compactMap { name in
      guard let count = counts.removeValue(forKey: name) else { return nil }
      return count > 1 ? "\(count) × \(name)" : name
    }.joined(separator: ", ")
  }
}
