import RelayStore

/// A gate that suspends tasks until the test opens it. It controls, without sleeping, when a server
/// responds.
///
///     let gate = Gate()
///     let server = try SchemaServer(schema: sdl, resolvers: [
///       "Mutation.setComplete": { call in
///         try await gate.wait()
///         return …
///       }
///     ])
///     …                           // the mutation is in flight
///     try await gate.arrivals(1)  // it has reached the resolver
///     gate.open()                 // let it respond
public final class Gate: Sendable {
  private struct State {
    var isOpen: Bool
    var arrived = 0
    var waiting: [HeldTask] = []
  }

  /// The gate, the tasks that it suspends, and the tests that wait for arrivals. Suspended tasks
  /// are resumed after unlocking.
  private let state: Watched<State>

  /// Creates a gate; by default it is closed.
  public init(isOpen: Bool = false) { state = Watched(State(isOpen: isOpen)) }

  /// Whether the gate is open.
  public var isOpen: Bool { state.value.isOpen }

  /// Opens the gate: resumes every waiting task, and lets later ones pass.
  public func open() {
    let waiting = state.change { state in
      state.isOpen = true
      return state.waiting.drain()
    }
    for task in waiting { task.resume() }
  }

  /// Closes the gate: suspends every task that arrives from now on.
  public func close() { state.change { $0.isOpen = false } }

  /// Waits until the gate is open.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits.
  public func wait() async throws {
    let task = state.change { state -> HeldTask? in
      state.arrived += 1
      if state.isOpen { return nil }
      let task = HeldTask()
      state.waiting.append(task)
      return task
    }
    guard let task else { return try Task.checkCancellation() }
    try await task.wait {
      state.change { state in
        state.waiting.firstIndex { $0 === task }.map { state.waiting.remove(at: $0) } != nil
      }
    }
  }

  /// Waits until `count` tasks in total have arrived at the gate, including those that have passed
  /// it.
  ///
  /// - Throws: ``CancelledWaitError`` if the task is cancelled first.
  public func arrivals(_ count: Int) async throws {
    try await state.wait(
      for: "\(count.counted("arrival")) at a gate",
      arrived: { "\($0.arrived), \($0.waiting.count) of them waiting" }
    ) { $0.arrived >= count }
  }
}
