import RelayStore

/// A gate that suspends tasks until the test opens it. It decides when a server answers, without
/// sleeping.
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
///     gate.open()                 // let it answer
public final class Gate: Sendable {
  private struct Waiting {
    let continuation: CheckedContinuation<Void, any Error>
    /// The hold of the request that waits at this gate.
    let hold = RequestHold.current

    func resume(with result: Result<Void, any Error>) {
      hold?.end()
      continuation.resume(with: result)
    }
  }

  private struct State {
    var isOpen: Bool
    var arrived = 0
    var nextID = 0
    var waiting: [Int: Waiting] = [:]
  }

  /// The gate, the tasks that it suspends, and the tests that wait for arrivals. The continuations
  /// of suspended tasks are resumed after the lock is released.
  private let state: Watched<State>

  /// Creates a gate; by default it is closed.
  public init(isOpen: Bool = false) { state = Watched(State(isOpen: isOpen)) }

  /// Whether the gate is open.
  public var isOpen: Bool { state.value.isOpen }

  /// Opens the gate: resumes every waiting task, and lets later ones pass.
  public func open() {
    let waiting = state.change { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    for id in waiting.keys.sorted() { waiting[id]?.resume(with: .success(())) }
  }

  /// Closes the gate: suspends every task that arrives from now on.
  public func close() { state.change { $0.isOpen = false } }

  /// Waits until the gate is open.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits.
  public func wait() async throws {
    let id = state.change { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { arrive(id, $0) }
    } onCancel: {
      state.change { $0.waiting.removeValue(forKey: id) }?
        .resume(with: .failure(CancellationError()))
    }
  }

  /// Waits until `count` tasks in total have arrived at the gate, whether they have passed or still
  /// wait.
  ///
  /// - Throws: ``CancelledWaitError`` when the task is cancelled before.
  public func arrivals(_ count: Int) async throws {
    try await state.wait(
      for: "\(counted(count, "arrival")) at a gate",
      arrived: { "\($0.arrived), of which \($0.waiting.count) wait" }
    ) { $0.arrived >= count }
  }

  private func arrive(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    let passes = state.change { state in
      state.arrived += 1
      // The cancellation handler runs before or after this critical section, and finds the
      // continuation only after.
      let passes = state.isOpen || Task.isCancelled
      if !passes {
        let waiting = Waiting(continuation: continuation)
        waiting.hold?.begin()
        state.waiting[id] = waiting
      }
      return passes
    }
    guard passes else { return }
    if Task.isCancelled {
      continuation.resume(throwing: CancellationError())
    } else {
      continuation.resume()
    }
  }
}
