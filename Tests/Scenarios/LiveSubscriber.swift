import RelayStore
import RelayStoreTesting

/// A consumer of a subscription that logs its events and its end.
final class LiveSubscriber: Sendable {
  typealias Event = SubscriptionEvent<TaskChangedSubscription.Data>

  private let recorder: StreamRecorder<Result<Event, RelayError>>

  /// Subscribes to the changes of all tasks.
  init(_ environment: RelayEnvironment, refetching queries: [any GraphQLQuery] = []) {
    let events = environment.subscribe(to: TaskChangedSubscription(), refetching: queries)
    recorder = StreamRecorder(ResultSequence(base: events))
  }

  /// Returns the snapshots of the first `count` events of the server.
  func snapshots(_ count: Int) async -> [Snapshot<TaskChangedSubscription.Data>] {
    var found = 0
    // The predicate sees each element once, in order.
    let counter = Locked(0)
    _ = await recorder.first { result in
      guard case .success(.data) = result else { return false }
      return counter.withLock { seen in
        seen += 1
        return seen == count
      }
    }
    return recorder.elements.compactMap { result in
      guard found < count, let snapshot = try? result.get().snapshot else { return nil }
      found += 1
      return snapshot
    }
  }

  /// Waits for the end, and returns the error that ended the subscription.
  func end() async -> RelayError? {
    _ = await recorder.first { _ in false }
    if case .failure(let error) = recorder.elements.last { return error }
    return nil
  }

  /// Waits for the first gap.
  func gap() async -> Bool {
    await recorder.first { if case .success(.gap) = $0 { true } else { false } } != nil
  }

  /// Waits until the connection has been established once. A connection lost earlier does not cause
  /// a gap.
  func connection() async -> Bool {
    await recorder.first {
      if case .success(.connection(.connected)) = $0 { true } else { false }
    } != nil
  }

  /// Unsubscribes.
  func cancel() { recorder.cancel() }

  /// The number of gaps.
  var gaps: Int {
    recorder.elements.filter { if case .success(.gap) = $0 { true } else { false } }.count
  }
}

/// The elements of a sequence, with its error as the last one.
private struct ResultSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Failure == RelayError, Base.Element: Sendable {
  typealias Element = Result<Base.Element, RelayError>
  let base: Base

  func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator

    mutating func next() async -> Element? {
      do {
        return try await base.next(isolation: nil).map { .success($0) }
      } catch {
        return .failure(error)
      }
    }
  }
}
