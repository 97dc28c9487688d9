import RelayStore

/// A recorder of the elements that a stream delivers.
///
///     let rows = StreamRecorder(environment.observe(todo.fragments.todoRow_todo))
///     try environment.commitUpdate { try $0[DataID(todo.id)]?.setValue("b", for: "text") }
///     let texts = await rows.elements(2).map(\.data?.text)        // "a", "b"
///
/// A recorder subscribes to the stream when it is created, and unsubscribes when it is released. A
/// stream that buffers only the newest element may skip some: to see each change, call
/// ``RelayStore/RelayEnvironment/settle(limit:)`` after it.
public final class StreamRecorder<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isEnded = false
  }

  /// The elements, and the tests that wait for them. The task retains this instead of the recorder,
  /// whose `deinit` cancels the task.
  private let state = Watched(State())
  private let task: Task<Void, Never>

  /// Starts to record a stream.
  public init<Stream: AsyncSequence & Sendable>(_ stream: Stream)
  where Stream.Element == Element {
    let iterator = stream.makeAsyncIterator()
    task = begin { [state] in
      var iterator = iterator
      await PendingDeliveries.$isRecording.withValue(true) {
        while let element = try? await iterator.next() {
          state.change { $0.elements.append(element) }
        }
      }
      state.change { $0.isEnded = true }
    }
  }

  deinit { task.cancel() }

  /// The elements delivered until now.
  public var elements: [Element] { state.value.elements }

  /// Whether the stream has ended.
  public var isEnded: Bool { state.value.isEnded }

  /// Returns the first `count` elements, waiting for them if necessary. Returns fewer if the stream
  /// ends first or the task is cancelled.
  public func elements(_ count: Int) async -> [Element] {
    await wait(for: count)
    return Array(elements.prefix(count))
  }

  /// Returns the first element that satisfies a predicate, waiting for it if necessary; `nil` if
  /// the stream ends first or the task is cancelled.
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
    try? await state.wait(for: count.counted("element"), arrived: { "\($0.elements.count)" }) {
      $0.elements.count >= count || $0.isEnded
    }
  }
}

/// Starts a task that runs on the calling thread until it first suspends, if the system supports
/// that. The recorder has then received the first element, or waits for it.
private func begin(_ body: sending @escaping () async -> Void) -> Task<Void, Never> {
  if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
    return Task.immediate { await body() }
  }
  return Task { await body() }
}
