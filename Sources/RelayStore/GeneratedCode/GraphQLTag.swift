/// Marks a GraphQL document in Swift source for relay-compiler; does nothing at run time.
///
/// A tag needs a binding: `private let row = graphql("""fragment Row_todo on Todo { id }""")`. The
/// compiler rejects interpolation, because the document must be known at build time.
public func graphql(_ document: StaticString) -> GraphQLTag { GraphQLTag() }

/// The empty value that ``graphql(_:)`` returns, so that a tag can be bound to a name.
public struct GraphQLTag: Sendable {}
