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
///     await gate.arrivals(1)      // it has reached the resolver
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
    var countWaiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  /// Guards the gate and its waiters. Continuations are resumed after the lock is released.
  private let state: Locked<State>

  /// Creates a gate; by default it is closed.
  public init(isOpen: Bool = false) { state = Locked(State(isOpen: isOpen)) }

  /// Whether the gate is open.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Opens the gate: resumes every waiting task, and lets later ones pass.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting
    }
    for id in waiting.keys.sorted() { waiting[id]?.resume(with: .success(())) }
  }

  /// Closes the gate: suspends every task that arrives from now on.
  public func close() { state.withLock { $0.isOpen = false } }

  /// Waits until the gate is open.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits.
  public func wait() async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { arrive(id, $0) }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?
        .resume(with: .failure(CancellationError()))
    }
  }

  /// Waits until `count` tasks in total have arrived at the gate, whether they have passed or still
  /// wait.
  public func arrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.arrived < count { state.countWaiters.append((count, continuation)) }
        return state.arrived >= count
      }
      if isReached { continuation.resume() }
    }
  }

  private func arrive(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    let (passes, waiters) = state.withLock { state in
      state.arrived += 1
      let arrived = state.arrived
      let waiters = state.countWaiters.filter { $0.count <= arrived }
      state.countWaiters.removeAll { $0.count <= arrived }
      // The cancellation handler runs before or after this critical section, and finds the
      // continuation only after.
      let passes = state.isOpen || Task.isCancelled
      if !passes {
        let waiting = Waiting(continuation: continuation)
        waiting.hold?.begin()
        state.waiting[id] = waiting
      }
      return (passes, waiters)
    }
    for waiter in waiters { waiter.continuation.resume() }
    guard passes else { return }
    if Task.isCancelled {
      continuation.resume(throwing: CancellationError())
    } else {
      continuation.resume()
    }
  }
}
