/// Marks a GraphQL document in Swift source for relay-compiler; a no-op at run time.
///
/// A tag needs a binding: `private let row = graphql("""fragment Row_todo on Todo { id }""")`. The
/// compiler rejects interpolation, because the document must be known at build time.
public func graphql(_ document: StaticString) -> GraphQLTag { GraphQLTag() }

/// The empty value returned by ``graphql(_:)``, so that a tag can be bound to a name.
public struct GraphQLTag: Sendable {}
