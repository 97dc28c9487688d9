public import RelayStore

/// A closure that begins the source stream of a subscription: the stream of values that each become
/// one event.
///
///     subscriptions: [
///       "Subscription.commentAdded": { call in
///         let post: String = try call.argument("post")
///         return SourceStream(comments(on: post))
///       }
///     ]
///
/// An error that it throws is the subscription's only response. A ``/RelayStore/RelayError`` ends
/// the request instead, as a broken connection does.
public typealias SubscriptionResolver = @Sendable (FieldCall) async throws -> SourceStream

/// The source stream of a subscription.
///
/// Each element is the value of the subscription's root field in one event. Where the field has a
/// ``FieldResolver`` as well, the resolver gets the element as its parent and returns the value.
///
/// The subscription ends after the last element. An error that the stream throws becomes a last
/// response without data; a ``/RelayStore/RelayError`` is thrown by the transport, as a broken
/// connection does. When the request is cancelled, so is the task that iterates the stream, which
/// ends an `AsyncStream`.
public struct SourceStream: Sendable {
  /// Iterates the stream. The closure that it is called with gets each element.
  private let iterate: @Sendable (_ body: (JSONValue) async throws -> Void) async throws -> Void

  /// Creates a stream of the elements of a sequence, such as an `AsyncStream`.
  ///
  /// The subscription counts as waiting for the test while it waits for an element. That is not
  /// exact: an element that is on its way is not noticed. A ``SubscriptionSource`` is exact.
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

  /// Creates a stream of values that are there already.
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
  ///   `CancellationError` when the task is cancelled.
  func forEach(_ body: (JSONValue) async throws -> Void) async throws { try await iterate(body) }
}

/// The error that ended a source stream.
struct SourceFailure: Error {
  let error: any Error
}

/// The error of the receiver of a source stream's elements.
