/// The listeners for changes of an ``ExecutionTable``.
final class ExecutionListeners: Sendable {
  /// A change that listeners are called for.
  enum Event: Sendable {
    /// An execution was created, has ended or was abandoned.
    case execution
    /// The page of a connection was requested, or its execution has ended or was abandoned.
    indirect case page(PageKey, OperationRequest, Result<FetchedData, any Error>?)
    /// The environment was reset.
    case reset
    /// Operations are stale and must be fetched again.
    case refetch(Set<RequestIdentity>)

    var topic: Topic {
      switch self {
      case .execution: .executions
      case .page: .pages
      case .reset: .resets
      case .refetch: .refetches
      }
    }
  }

  /// The events that a listener is called for.
  enum Topic { case executions, pages, resets, refetches }

  typealias ID = UInt64

  private struct State {
    var listeners: [ID: (topic: Topic, body: @Sendable (Event) -> Void)] = [:]
    var lastID: ID = 0
  }

  private let state = Locked(State(), rank: .executions)

  var count: Int { state.withLock { $0.listeners.count } }

  /// Calls a closure for each event of a topic until ``remove(_:)``. The closure runs on the thread
  /// of the event, possibly inside an updater.
  func listen(to topic: Topic, _ body: @escaping @Sendable (Event) -> Void) -> ID {
    state.withLock { state in
      state.lastID += 1
      state.listeners[state.lastID] = (topic, body)
      return state.lastID
    }
  }

  func remove(_ id: ID) {
    // Returned so that the closure is released after unlocking.
    _ = state.withLock { $0.listeners.removeValue(forKey: id) }
  }

  /// Calls the listeners for an event's topic, in the order of registration.
  func notify(_ event: Event) {
    let listeners = state.withLock { state in
      state.listeners.isEmpty ? [] : state.listeners.sorted(byNumber: \.key).map(\.value)
    }
    let topic = event.topic
    for listener in listeners where listener.topic == topic { listener.body(event) }
  }
}
