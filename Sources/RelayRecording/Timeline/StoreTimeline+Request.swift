public import RelayStore

extension StoreTimeline {
  /// A request: one event when it is sent, one for each response but the last, and one at its end
  /// with all details.
  public struct Request: Codable, Sendable, Hashable {
    /// The moment that an event of a request reports.
    public enum Phase: String, Codable, Sendable {
      /// The request was sent.
      case sent
      /// A response was written, and more follow.
      case received
      /// The request has ended.
      case ended
      /// No request was sent, because the store has the data.
      case servedByStore
    }

    /// The number of the request, shared by all its events.
    public var number: Int
    /// The moment that this event reports.
    public var phase: Phase
    /// The operation's name.
    public var operation: String
    /// The kind of the operation.
    public var operationKind: OperationKind
    /// The variables as JSON; `nil` if values are redacted.
    public var variables: String?
    /// The durations until now.
    public var timings: OperationTimings
    /// The number of responses until now. Each part of a response, and each event of a
    /// subscription, counts as one.
    public var responses: Int
    /// The number of bytes in the responses until now.
    public var bytes: Int
    /// The number of GraphQL errors in the responses until now. If there is data, they do not make
    /// the request fail.
    public var responseErrorCount: Int
    /// The first 100 of these errors.
    public var responseErrors: [ResponseError]
    /// The response that the event reports; `nil` if there is none, or values are redacted.
    public var response: Response?
    /// The outcome; `nil` until the end.
    public var outcome: OperationOutcome?
    /// The code of the error, if the request has failed.
    public var errorCode: String?
    /// The message of the error, if the request has failed; `nil` if values are redacted.
    public var errorMessage: String?
    /// The `traceparent` that was sent with the request.
    public var traceParent: String?
  }

  /// A GraphQL error of a response.
  public struct ResponseError: Codable, Sendable, Hashable {
    /// The message; `nil` if values are redacted.
    public var message: String?
    /// The path of the field that has the error; empty if the server does not say.
    public var path: ResponsePath
    /// The extensions as JSON; `nil` without any, or if values are redacted.
    public var extensions: String?
  }

  /// The bytes of a response.
  public struct Response: Codable, Sendable, Hashable {
    /// The recorded bytes as a string, without redacted values: JSON, cut off if the response
    /// exceeds ``/RelayStore/TimelineOptions/responseByteLimit``.
    public var text: String
    /// The number of recorded bytes.
    public var recordedBytes: Int
    /// The number of bytes in the response.
    public var bytes: Int
  }
}
