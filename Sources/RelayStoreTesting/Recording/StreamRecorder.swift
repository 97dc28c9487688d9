import RelayStore

/// Takes down what a stream delivers, for tests that look at it afterwards.
///
///     let rows = StreamRecorder(environment.observe(todo.fragments.todoRow_todo))
///     try environment.commitUpdate { try $0[todo.id]?.setValue("b", for: "text") }
///     let texts = await rows.elements(2).map(\.data?.text)        // "a", "b"
///
/// It has its place in the stream when it is made, and leaves it when it is dropped. A stream that keeps the newest only may have
/// skipped some: let ``RelayStore/RelayEnvironment/settle()`` pass between changes to see each.
public final class StreamRecorder<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isEnded = false
    var waiters: [(id: Int, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var lastID = 0
  }

  private final class Tape: Sendable {
    let state = Locked(State())

    func add(_ element: Element) {
      resume { $0.elements.append(element) }
    }

    func end() { resume { $0.isEnded = true } }

    private func resume(_ change: (inout State) -> Void) {
      let done = state.withLock { state -> [CheckedContinuation<Void, Never>] in
        change(&state)
        let (count, isEnded) = (state.elements.count, state.isEnded)
        defer { state.waiters.removeAll { $0.count <= count || isEnded } }
        return state.waiters.filter { $0.count <= count || isEnded }.map(\.continuation)
      }
      for continuation in done { continuation.resume() }
    }
  }

  private let tape = Tape()
  private let task: Task<Void, Never>

  /// Begins to take down a stream.
  public init<Stream: AsyncSequence & Sendable>(_ stream: Stream)
  where Stream.Element == Element {
    let iterator = stream.makeAsyncIterator()
    task = begin { [tape] in
      var iterator = iterator
      await PendingDeliveries.$isRecording.withValue(true) {
        while let element = try? await iterator.next() { tape.add(element) }
      }
      tape.end()
    }
  }

  deinit { task.cancel() }

  /// What was delivered so far.
  public var elements: [Element] { tape.state.withLock { $0.elements } }

  /// Whether the stream has ended.
  public var isEnded: Bool { tape.state.withLock { $0.isEnded } }

  /// The first so many elements, as soon as they are there; fewer where the stream ends before or the task is
  /// cancelled.
  public func elements(_ count: Int) async -> [Element] {
    await wait(for: count)
    return Array(elements.prefix(count))
  }

  /// The first element for which something holds, as soon as it is there; `nil` where the stream ends before.
  public func first(where isWanted: @Sendable (Element) -> Bool) async -> Element? {
    var seen = 0
    while true {
      let elements = elements
      if let found = elements.dropFirst(seen).first(where: isWanted) { return found }
      if isEnded || Task.isCancelled { return nil }
      seen = elements.count
      await wait(for: seen + 1)
    }
  }

  /// Leaves the stream.
  public func cancel() { task.cancel() }

  private func wait(for count: Int) async {
    let id = tape.state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = tape.state.withLock { state in
          let isThere = state.elements.count >= count || state.isEnded || Task.isCancelled
          if !isThere { state.waiters.append((id, count, continuation)) }
          return isThere
        }
        if isThere { continuation.resume() }
      }
    } onCancel: { [tape] in
      let waiter = tape.state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume()
    }
  }
}

/// Begins a task, up to its first suspension on this thread, where the system can: a recorder has taken the first element
/// then, or waits for it.
private func begin(_ body: sending @escaping () async -> Void) -> Task<Void, Never> {
  #if compiler(>=6.2)
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return Task.immediate { await body() }
    }
  #endif
  return Task { await body() }
}
