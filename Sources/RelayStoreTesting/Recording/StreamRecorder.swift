import RelayStore

/// A recorder of the elements that a stream delivers.
///
///     let rows = StreamRecorder(environment.observe(todo.fragments.todoRow_todo))
///     try environment.commitUpdate { try $0[DataID(todo.id)]?.setValue("b", for: "text") }
///     let texts = await rows.elements(2).map(\.data?.text)        // "a", "b"
///
/// A recorder subscribes to the stream when it is created, and unsubscribes when it is released. A
/// stream that buffers only the newest element may skip some: call
/// ``RelayStore/RelayEnvironment/settle(limit:)`` between changes to see each.
public final class StreamRecorder<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isEnded = false
    var waiters: [(id: Int, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var lastID = 0
  }

  /// The part of a recorder that its task retains. The task must not retain the recorder, whose
  /// `deinit` cancels it.
  private final class Recording: Sendable {
    /// Guards the elements and their waiters. Continuations are resumed after the lock is released.
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

  private let recording = Recording()
  private let task: Task<Void, Never>

  /// Starts to record a stream.
  public init<Stream: AsyncSequence & Sendable>(_ stream: Stream)
  where Stream.Element == Element {
    let iterator = stream.makeAsyncIterator()
    task = begin { [recording] in
      var iterator = iterator
      await PendingDeliveries.$isRecording.withValue(true) {
        while let element = try? await iterator.next() { recording.add(element) }
      }
      recording.end()
    }
  }

  deinit { task.cancel() }

  /// The elements delivered so far.
  public var elements: [Element] { recording.state.withLock { $0.elements } }

  /// Whether the stream has ended.
  public var isEnded: Bool { recording.state.withLock { $0.isEnded } }

  /// Returns the first `count` elements, waiting for them if necessary; fewer when the stream ends
  /// before or the task is cancelled.
  public func elements(_ count: Int) async -> [Element] {
    await wait(for: count)
    return Array(elements.prefix(count))
  }

  /// Returns the first element that satisfies a predicate, waiting for it if necessary; `nil` when
  /// the stream ends before or the task is cancelled.
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

  /// Stops recording.
  public func cancel() { task.cancel() }

  private func wait(for count: Int) async {
    let id = recording.state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isSatisfied = recording.state.withLock { state in
          let isSatisfied = state.elements.count >= count || state.isEnded || Task.isCancelled
          if !isSatisfied { state.waiters.append((id, count, continuation)) }
          return isSatisfied
        }
        if isSatisfied { continuation.resume() }
      }
    } onCancel: { [recording] in
      let waiter = recording.state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume()
    }
  }
}

/// Starts a task that runs on the calling thread until it first suspends, where the system supports
/// that. The recorder has then received the first element, or waits for it.
private func begin(_ body: sending @escaping () async -> Void) -> Task<Void, Never> {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    return Task.immediate { await body() }
  }
  return Task { await body() }
}
