import GraphQLLanguage
public import RelayStore

/// An in-process GraphQL server: a schema, and Swift closures that resolve its fields.
///
/// The server is a ``/RelayStore/Transport`` for tests, app previews and demonstrations:
///
///     let server = try SchemaServer(
///       schema: """
///         type Query { todo(id: ID!): Todo }
///         type Todo { id: ID! text: String! isComplete: Boolean! }
///         """,
///       resolvers: [
///         "Query.todo": { call in
///           ["id": .string(try call.argument("id")), "text": "Feed the cat", "isComplete": false]
///         }
///       ])
///     let environment = RelayEnvironment(transport: server)
///
/// A resolver is found by `Type.field`, where `Type` is the object's type or one of its interfaces.
/// A field without a resolver is the member with its name in the parent object; an absent member is
/// null. An object in an interface or union position names its type in `__typename`.
///
/// Operations are executed according to the GraphQL specification: arguments and variables are
/// coerced and receive their defaults, an error that a resolver throws is reported with its path,
/// and a null in a non-null position propagates to the nearest nullable field. Fields are executed
/// serially, in the order of the request.
///
/// A request for a persisted operation has the document's id instead of the document. The server
/// looks the document up in the manifest of `persistedOperations`.
///
/// A file is read when its request is executed. It is an object with `fileName`, `contentType` and
/// `bytes`, a list of numbers. Introspection is rejected. A name in the document that the schema
/// does not define is an error. No request can trap the server.
///
/// A subscription has a ``SubscriptionResolver``, whose source stream produces its events. Every
/// schema defines `@defer` and `@stream`. If the request allows it, a response is delivered in
/// parts, each after `beforePart` has returned:
///
///     let comments = SubscriptionSource()
///     let gate = Gate()
///     let server = try SchemaServer(
///       schema: sdl, resolvers: resolvers,
///       subscriptions: ["Subscription.commentAdded": { _ in comments.stream() }],
///       beforePart: { part in if part.label == "Feed$defer$Ads" { try await gate.wait() } })
public struct SchemaServer: Transport {
  private let workspace: Workspace
  private let schema: Schema
  private let resolvers: [TypeID: [Symbol: FieldResolver]]
  private let subscriptions: [TypeID: [Symbol: SubscriptionResolver]]
  private let beforeExecuting: @Sendable (GraphQLRequest) async throws -> Void
  private let beforePart: @Sendable (IncrementalPart) async throws -> Void
  private let incrementalFormat: IncrementalFormat
  private let valueGeneration: ValueGeneration?
  private let persistedOperations: PersistedOperations?
  /// The cache of parsed and validated documents by their UTF-8 bytes. Parsing runs outside the
  /// lock.
  private let documents = Locked<[[UInt8]: Result<Document, RequestFailure>]>([:])

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - text: The schema in the schema definition language.
  ///   - resolvers: The resolvers by `Type.field`.
  ///   - subscriptions: The resolvers of subscriptions by `Subscription.field`.
  ///   - generating: The values of fields that have no resolver and are absent from their parent
  ///     object; `nil` makes them null.
  ///   - manifest: The documents of persisted operations, as written by `relay-compiler
  ///     operations`, in either format; `nil` if every request includes its document.
  ///   - incrementalFormat: The format in which the parts of a response are delivered.
  ///   - beforeExecuting: Called with each request before its execution: to count requests, to hold
  ///     them at a ``Gate``, or to throw the error of a broken connection.
  ///   - beforePart: Called with each part that `@defer` and `@stream` postpone, after the payload
  ///     that the part belongs to was received. Calls may be concurrent. Use it to hold parts at a
  ///     ``Gate``, or to throw the error of a broken connection.
  /// - Throws: ``SchemaServerFailure`` if the schema is not valid, a resolver's field is not in the
  ///   schema, or the manifest cannot be read. Invalid default values and directives are accepted,
  ///   as by the compiler; a field that would use such a value has an error in the response.
  public init(
    schema text: String, resolvers: [String: FieldResolver] = [:],
    subscriptions: [String: SubscriptionResolver] = [:],
    generating: GeneratedValues? = nil, persistedOperations manifest: String? = nil,
    incrementalFormat: IncrementalFormat = .payloads2023,
    beforeExecuting: @escaping @Sendable (GraphQLRequest) async throws -> Void = { _ in },
    beforePart: @escaping @Sendable (IncrementalPart) async throws -> Void = { _ in }
  ) throws {
    workspace = Workspace()
    let parsed = workspace.parse(Source(path: "schema.graphql", text))
    if parsed.diagnostics.hasErrors {
      throw SchemaServerFailure(parsed.diagnostics, in: workspace)
    }
    let validated = Schema.validated(
      from: [parsed.document] + IncrementalDirectives.missing(from: parsed.document, in: workspace),
      in: workspace, servers: [parsed.document.source])
    if validated.diagnostics.hasErrors {
      let errors = validated.diagnostics.filter { $0.severity == .error }
      throw SchemaServerFailure(errors, in: workspace)
    }
    schema = validated.schema
    self.resolvers = try ResolverTable(schema: schema, resolvers: resolvers).byType
    self.subscriptions = try ResolverTable(
      schema: schema, subscriptions: subscriptions
    ).byType
    self.beforeExecuting = beforeExecuting
    self.beforePart = beforePart
    self.incrementalFormat = incrementalFormat
    persistedOperations = try manifest.map { try PersistedOperations(manifest: $0) }
    valueGeneration = try generating.map { try ValueGeneration($0, schema: validated.schema) }
  }

  /// Executes a request.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, any error of `beforeExecuting`, and
  ///   the error of a file that cannot be read.
  public func execute(_ request: GraphQLRequest) async throws -> GraphQLResponse {
    try await beforeExecuting(request)
    let text: String
    do { text = try self.text(of: request) } catch {
      return GraphQLResponse(json: error.response(in: workspace))
    }
    return GraphQLResponse(
      json: try await respond(
        to: text, operationName: request.operationName, variables: request.variablesWithFiles()))
  }

  /// Returns the document of a request: from the request itself, or by its id from the manifest.
  ///
  /// - Throws: ``RequestFailure`` without a document.
  private func text(of request: GraphQLRequest) throws(RequestFailure) -> String {
    guard request.text.isEmpty, let id = request.id else { return request.text }
    if let text = persistedOperations?[id] { return text }
    throw RequestFailure(
      persistedOperations == nil
        ? "The request has the id \"\(id)\" of a persisted operation instead of its document. Pass "
          + "the manifest of \"relay-compiler operations\" to "
          + "SchemaServer(schema:persistedOperations:)."
        : "The manifest has no operation with the id \"\(id)\". Run \"relay-compiler operations\".")
  }

  /// Executes an operation without an environment and returns the entire response: `data`, `errors`
  /// or both.
  ///
  /// - Parameters:
  ///   - text: The document.
  ///   - operationName: The name of the operation in the document; `nil` if there is only one. A
  ///     subscription is rejected.
  ///   - variables: The values of the operation's variables.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func respond(
    to text: String, operationName: String? = nil, variables: JSONObject = [:]
  ) async throws -> JSONValue {
    do {
      let context = try context(text, operationName: operationName, variables: variables)
      let operation = context.request.operation
      guard operation.operation != .subscription else {
        throw RequestFailure(
          "The schema server executes a subscription only as a stream of responses.",
          at: operation.span)
      }
      let execution = Execution(context)
      return execution.response(data: try await execution.run(), in: workspace)
    } catch let failure as RequestFailure {
      return failure.response(in: workspace)
    }
  }

  /// Executes a request and passes on each of its responses: the events of a subscription, or the
  /// payloads of a query or mutation that allows incremental delivery.
  ///
  /// Ignores `@defer` and `@stream` in a subscription, and in a request that does not allow
  /// incremental delivery.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, any error of `beforeExecuting` and
  ///   `beforePart`, the error of a file that cannot be read, and a ``/RelayStore/RelayError`` that
  ///   a subscription's source stream throws.
  public func stream(
    _ request: GraphQLRequest, _ receive: @escaping TransportReceiver
  ) async throws {
    try await beforeExecuting(request)
    let send: @Sendable (JSONValue) async throws -> Void = {
      try await receive(.response(GraphQLResponse(json: $0)))
    }
    var context: ExecutionContext
    do {
      context = try self.context(
        try text(of: request), operationName: request.operationName,
        variables: try await request.variablesWithFiles())
    } catch let failure as RequestFailure {
      return try await send(failure.response(in: workspace))
    }
    if context.request.operation.operation == .subscription {
      try await receive(.connection(.connected))
      return try await SubscriptionExecution(
        context: context, resolvers: subscriptions, workspace: workspace, send: send
      ).run()
    }
    if request.allowsIncrementalDelivery { context.strategy = incrementalFormat.strategy }
    try await IncrementalDelivery(
      context: context, format: incrementalFormat, workspace: workspace, beforePart: beforePart,
      send: send
    ).run()
  }

  /// Returns the input of an execution.
  ///
  /// - Throws: ``RequestFailure`` if the request cannot be executed.
  private func context(
    _ text: String, operationName: String?, variables: JSONObject
  ) throws -> ExecutionContext {
    let request = try PreparedRequest(
      try document(of: text), operationName: operationName, schema: schema)
    let variables = try InputCoercion(schema: schema).variables(
      request.operation.variables, given: variables)
    return ExecutionContext(
      request: request, variables: variables, resolvers: resolvers,
      valueGeneration: valueGeneration)
  }

  /// Parses and validates a document on first use, and caches it for the server's lifetime.
  ///
  /// - Throws: ``RequestFailure`` with the errors in the document.
  private func document(of text: String) throws -> Document {
    // The cache is keyed by bytes, because strings compare equal under canonical equivalence.
    let key = Array(text.utf8)
    if let cached = documents.withLock({ $0[key] }) { return try cached.get() }
    let result = check(workspace.parse(Source(text)))
    documents.withLock { $0[key] = result }
    return try result.get()
  }

  private func check(_ parsed: Parsed) -> Result<Document, RequestFailure> {
    if parsed.diagnostics.hasErrors {
      let errors = parsed.diagnostics.map {
        ExecutionError(message: "Syntax Error: \($0.message)", span: $0.primarySpan)
      }
      return .failure(RequestFailure(errors))
    }
    let diagnostics = schema.validate([parsed.document], mode: .specification)
    guard diagnostics.hasErrors else { return .success(parsed.document) }
    return .failure(
      RequestFailure(diagnostics.map { ExecutionError(message: $0.message, span: $0.primarySpan) }))
  }
}

extension GraphQLRequest {
  /// Returns the variables, with each file replacing the null that represents it.
  ///
  /// - Throws: ``/RelayStore/RelayError`` if a file cannot be read.
  fileprivate func variablesWithFiles() async throws -> JSONObject {
    var result = variables
    for sent in try sentFiles() {
      let bytes = try await sent.file.contents()
      let file: JSONValue = [
        "fileName": .string(sent.file.fileName),
        "contentType": .string(sent.file.contentType),
        "bytes": .array(bytes.map { .number(JSONNumber(Int($0))) }),
      ]
      for path in sent.paths {
        result = Self.putting(file, at: path[...], in: .object(result)).object ?? result
      }
    }
    return result
  }

  private static func putting(
    _ file: JSONValue, at path: ArraySlice<String>, in value: JSONValue
  ) -> JSONValue {
    guard let step = path.first else { return file }
    if var object = value.object {
      object[step] = putting(file, at: path.dropFirst(), in: object[step] ?? .null)
      return .object(object)
    }
    guard var array = value.array, let index = Int(step), array.indices.contains(index) else {
      return value
    }
    array[index] = putting(file, at: path.dropFirst(), in: array[index])
    return .array(array)
  }
}
