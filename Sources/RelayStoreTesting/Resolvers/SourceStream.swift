public import RelayStore

/// A closure that starts the source stream of a subscription. Each value of the stream becomes one
/// event.
///
///     subscriptions: [
///       "Subscription.commentAdded": { call in
///         let post: String = try call.argument("post")
///         return SourceStream(comments(on: post))
///       }
///     ]
///
/// If it throws an error, that error is the subscription's only response. A
/// ``/RelayStore/RelayError`` instead ends the request, like a broken connection.
public typealias SubscriptionResolver = @Sendable (FieldCall) async throws -> SourceStream

/// The source stream of a subscription.
///
/// Each element is the value of the subscription's root field in one event. If the field also has a
/// ``FieldResolver``, the resolver receives the element as its parent and returns the value.
///
/// The subscription ends after the last element. An error thrown by the stream becomes a last
/// response without data. A ``/RelayStore/RelayError`` is instead thrown by the transport, like a
/// broken connection. Cancelling the request cancels the task that iterates the stream; that ends
/// an `AsyncStream`.
public struct SourceStream: Sendable {
  /// A closure that iterates the stream and passes each element on.
  private let iterate: @Sendable (_ body: (JSONValue) async throws -> Void) async throws -> Void

  /// Creates a stream from the elements of a sequence, such as an `AsyncStream`.
  ///
  /// While the subscription waits for an element, it counts as waiting for the test. This is only
  /// approximate, because an element that is in flight is not noticed. A ``SubscriptionSource`` is
  /// exact.
  public init<Elements: AsyncSequence & Sendable>(_ elements: Elements)
  where Elements.Element == JSONValue {
    iterate = { body in
      let hold = RequestHold.current
      var iterator = elements.makeAsyncIterator()
      while true {
        let element: JSONValue?
        do {
          hold?.begin()
          defer { hold?.end() }
          element = try await iterator.next()
        } catch {
          try Task.checkCancellation()
          throw SourceFailure(error: error)
        }
        // A sequence may end without an error when the task is cancelled.
        try Task.checkCancellation()
        guard let element else { return }
        try await body(element)
      }
    }
  }

  /// Creates a stream of the events that a test sends.
  init(_ inbox: EventInbox<JSONValue>) {
    iterate = { body in
      do {
        try await inbox.forEach { value in
          do { try await body(value) } catch { throw ReceiverFailure(error: error) }
        }
      } catch let failure as ReceiverFailure {
        throw failure.error
      } catch {
        try Task.checkCancellation()
        throw SourceFailure(error: error)
      }
    }
  }

  /// Creates a stream of existing values.
  public init(_ values: [JSONValue]) {
    iterate = { body in
      for value in values {
        try Task.checkCancellation()
        try await body(value)
      }
    }
  }

  /// Calls a closure with each element.
  ///
  /// - Throws: ``SourceFailure`` with the error of the sequence; the error of `body`;
  ///   `CancellationError` if the task is cancelled.
  func forEach(_ body: (JSONValue) async throws -> Void) async throws { try await iterate(body) }
}

/// The error that ended a source stream.
struct SourceFailure: Error {
  let error: any Error
}
