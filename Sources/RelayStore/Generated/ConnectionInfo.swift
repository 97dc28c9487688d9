/// A selection with connections that can be paged.
public protocol GraphQLPaginated: GraphQLView {
  /// Its connections, those in lists aside.
  static var __connections: [ConnectionInfo] { get }
}

/// Where a connection is in a selection, and the variables that say which page is meant.
public struct ConnectionInfo: Sendable, Hashable {
  /// The response keys that lead to it.
  public let path: [String]
  /// The variable with the number of edges, where the connection is paged forward.
  public let first: String?
  /// The variable with the cursor behind which a page starts.
  public let after: String?
  /// The variable with the number of edges, where the connection is paged backward.
  public let last: String?
  /// The variable with the cursor before which a page ends.
  public let before: String?

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

/// A fragment that a query made for it fetches again: `@refetchable`.
public protocol GraphQLRefetchable: GraphQLFragment {
  /// The query; its variables are those of the fragment, and `id` where `__refetch` has one.
  associatedtype RefetchQuery: GraphQLQuery
  /// Where the query has the fragment's object.
  static var __refetch: RefetchInfo { get }
}

/// Where a refetch query has its fragment's object.
public struct RefetchInfo: Sendable, Hashable {
  /// The field of the query that leads to the object; `nil` where the fragment is on the query.
  public let field: String?
  /// The field of the object whose value is the query's variable `id`.
  public let id: String?

  public init(field: String? = nil, id: String? = nil) {
    self.field = field
    self.id = id
  }
}
