public import RelayStore

/// Answers one field: with a value, or with nothing for null.
///
/// Throw a ``GraphQLError`` to choose the message and the extensions of the error the client sees;
/// of any other error it sees the description.
public typealias FieldResolver = @Sendable (FieldCall) async throws -> JSONValue?
