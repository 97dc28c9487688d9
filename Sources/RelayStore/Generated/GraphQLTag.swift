/// Marks a GraphQL document in Swift source for relay-compiler; it does nothing at run time.
///
/// A tag needs a binding: `private let row = graphql("""fragment Row_todo on Todo { id }""")`.
/// Interpolation is refused, because the document must be known when the program is built.
public func graphql(_ document: StaticString) -> GraphQLTag { GraphQLTag() }

/// What a ``graphql(_:)`` tag returns: an empty value, so that a tag can be bound to a name.
public struct GraphQLTag: Sendable {}
