/// A selection with connections that can be paged.
public protocol GraphQLPaginated: GraphQLView {
  /// The connections of the selection that are not inside lists.
  static var __connections: [ConnectionInfo] { get }
}

/// The path of a connection in a selection, and the variables that select the page.
public struct ConnectionInfo: Sendable, Hashable {
  /// The response keys on the path to the connection.
  public let path: [String]
  /// The variable with the number of edges, if the connection is paged forward.
  public let first: String?
  /// The variable with the cursor that a page starts after.
  public let after: String?
  /// The variable with the number of edges, if the connection is paged backward.
  public let last: String?
  /// The variable with the cursor that a page ends before.
  public let before: String?

  /// Creates the description of a connection, for generated code.
  public init(
    _ path: [String], first: String? = nil, after: String? = nil, last: String? = nil,
    before: String? = nil
  ) {
    self.path = path
    self.first = first
    self.after = after
    self.last = last
    self.before = before
  }
}

/// A fragment with a generated query that fetches it again: `@refetchable`.
public protocol GraphQLRefetchable: GraphQLFragment {
  /// The generated query. Its variables are the fragment's, and `id` if ``RefetchInfo/id`` is set.
  associatedtype RefetchQuery: GraphQLRefetchQuery
  /// The location of the fragment's object in the query.
  static var __refetch: RefetchInfo { get }
}

/// The location of a fragment's object in its refetch query.
public struct RefetchInfo: Sendable, Hashable {
  /// The field of the query that links to the object; `nil` if the fragment is on the query type.
  public let field: String?
  /// The field of the object whose value is the query's variable `id`.
  public let id: String?

  /// Creates a location, for generated code; without arguments, for a fragment on the query type.
  public init(field: String? = nil, id: String? = nil) {
    self.field = field
    self.id = id
  }
}
