public import RelayStore

/// A closure that resolves one field to a value, or to `nil` for null.
///
/// Throw a ``/RelayStore/GraphQLError`` to choose the message and the extensions of the error in
/// the response. For any other error, the message is the error's description.
public typealias FieldResolver = @Sendable (FieldCall) async throws -> JSONValue?
