/// What went wrong in an operation; nothing was written to the store where one is thrown, unless
/// the code says otherwise.
///
/// Messages name operations, paths and types, never values from the response.
public struct RelayError: Error, Sendable {
  /// The kind of failure; more may come, so a `switch` needs a default.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    package init(_ description: String) { self.description = description }

    /// No response: no connection, a time-out, an HTTP status that is not a success.
    public static let transport = Code("transport")
    /// A response that is not one: not JSON, not an object, without data and errors, or of another
    /// shape than the schema that the program was compiled against says.
    public static let response = Code("response")
    /// The server answered with errors and without data, or without the page of a list that was asked for.
    public static let graphQL = Code("graphQL")
    /// A request that cannot be made: for what has no record, or for a page of no elements.
    public static let request = Code("request")
    /// The caller was cancelled before the operation ended.
    public static let cancelled = Code("cancelled")
    /// A field error in data that was read with `@throwOnFieldError`, or a null that is
    /// `@required(action: THROW)`; a response was written all the same.
    public static let field = Code("field")
    /// A store update that is not possible, thrown to the updater that tried it.
    public static let update = Code("update")
    /// A dump that a store cannot be restored from; the path is the record's id and the field.
    public static let dump = Code("dump")
  }

  /// What kind of failure it is.
  public var code: Code
  /// What happened and what to do about it, in one or two sentences.
  public var message: String
  /// The operation concerned.
  public var operationName: String?
  /// Where in the response.
  public var path: ResponsePath
  /// The server's errors, whatever the code, the status and the media type of its answer are.
  public var errors: [GraphQLError]
  /// The error underneath, if there is one.
  public var underlying: (any Error)?
  /// The HTTP status of the answer, where there was one: of an answer that is no response, and of one without data,
  /// or without the page of a list or the object that was asked for.
  public var status: Int?
  /// How an answer that is no response begins, as text of one line: words alone, without what may be a value, an
  /// address, a number or a key.
  public var excerpt: String?
  /// Whether the same request may succeed when it is sent again.
  public var isRetryable = false
  /// How long the server asks to wait before that.
  public var retryAfter: Duration?

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

/// An error as a server reports it in `errors`.
///
/// Source: GraphQL specification, September 2025, section 7.1.7.
public struct GraphQLError: Error, Hashable, Sendable {
  /// The server's description of the error, for developers.
  public var message: String
  /// The response field that has the error; empty when the server does not say.
  public var path: ResponsePath
  /// Whatever else the server adds.
  public var extensions: JSONObject

  public init(message: String, path: ResponsePath = [], extensions: JSONObject = [:]) {
    self.message = message
    self.path = path
    self.extensions = extensions
  }
}
