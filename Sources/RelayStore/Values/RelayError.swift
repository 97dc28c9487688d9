/// An error of an operation. Unless its code says otherwise, the operation has not written to the
/// store.
///
/// Messages name operations, paths, types and ids. They may end with the server's first message, or
/// with the description of an underlying error.
public struct RelayError: Error, Sendable {
  /// The kind of failure. New codes may be added, so a `switch` needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    package init(_ description: String) { self.description = description }

    /// No response was received: no connection, a time-out, or an HTTP status that is not a
    /// success.
    public static let transport = Code("transport")
    /// The response is not valid: not JSON, not an object, with neither data nor errors, or of
    /// another shape than the schema that the program was compiled against.
    public static let response = Code("response")
    /// The server responded with errors and no data, or without the requested page of a list.
    public static let graphQL = Code("graphQL")
    /// The response ended before all of its parts had arrived, or before they could be read. The
    /// parts that arrived are in the store.
    public static let incomplete = Code("incomplete")
    /// A subscription has more events than its consumer's buffer can hold.
    public static let overflow = Code("overflow")
    /// The request cannot be made: its object has no record, it requests a page of no elements, or
    /// its optimistic response has too many rows.
    public static let request = Code("request")
    /// The operation was ended by a reset of the environment, by the handle that loads it, or by
    /// its transport. A call whose own task was cancelled throws `CancellationError` instead.
    public static let cancelled = Code("cancelled")
    /// Data read with `@throwOnFieldError` has a field error, or a field with `@required(action:
    /// THROW)` is null. The response was written nevertheless.
    public static let field = Code("field")
    /// An updater attempted an impossible store update. The error is thrown to that updater.
    public static let update = Code("update")
    /// The store's storage has failed, or is suspended.
    public static let persistence = Code("persistence")
    /// A store cannot be restored from the dump. The path is the record's id and the field.
    public static let dump = Code("dump")
  }

  /// The kind of failure.
  public var code: Code
  /// A description of the failure and how to resolve it, in one or two sentences.
  public var message: String
  /// The name of the operation that failed.
  public var operationName: String?
  /// The path of the failure in the response.
  public var path: ResponsePath
  /// The errors that the server reported, regardless of the code, and of the response's status and
  /// media type.
  public var errors: [GraphQLError]
  /// The underlying error, if there is one.
  public var underlying: (any Error)?
  /// The HTTP status of a response that is not valid, or does not contain the data, or the
  /// requested page or object; `nil` otherwise.
  public var status: Int?
  /// The start of a response that is not valid, as one line. Contains only words: anything that may
  /// be a value, an address, a number or a key is removed.
  public var excerpt: String?
  /// Whether the same request may succeed if it is sent again.
  public var isRetryable = false
  /// Whether no response was received in time: within the transport's time-out, or the call's.
  public var isTimeout = false
  /// Whether the server has rejected the credentials and there are no new ones: an
  /// `authenticated` transport's `refresh` has thrown.
  public var isUnauthenticated = false
  /// How long the server asks to wait before a retry.
  public var retryAfter: Duration?

  /// Creates an error without an HTTP status.
  ///
  /// An app's own transport sets ``isRetryable`` if the same request may succeed later.
  public init(
    _ code: Code, _ message: String, operationName: String? = nil, path: ResponsePath = [],
    errors: [GraphQLError] = [], underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.operationName = operationName
    self.path = path
    self.errors = errors
    self.underlying = underlying
  }
}

extension RelayError: CustomStringConvertible {
  public var description: String { "\(code): \(message)" }
}

/// An error that a server reports in `errors`.
///
/// Source: GraphQL specification, September 2025, section 7.1.7.
public struct GraphQLError: Error, Hashable, Sendable {
  /// The server's description of the error, for developers.
  public var message: String
  /// The path of the response field that has the error; empty if the server does not say.
  public var path: ResponsePath
  /// The extensions that the server added.
  public var extensions: JSONObject

  /// Creates an error, for resolvers and for transports that run inside this process.
  public init(message: String, path: ResponsePath = [], extensions: JSONObject = [:]) {
    self.message = message
    self.path = path
    self.extensions = extensions
  }
}
