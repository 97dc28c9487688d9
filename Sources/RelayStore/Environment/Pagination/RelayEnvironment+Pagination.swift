extension RelayEnvironment {
  /// Returns a list that grows page by page, from a refetchable fragment with a connection.
  ///
  /// The list observes the fragment until it is dropped.
  public func paginate<Fragment>(_ fragment: FragmentRef<Fragment>) -> Pagination<Fragment> {
    paginate(fragment, as: .closure)
  }

  /// Returns a list that grows page by page.
  ///
  /// - Parameter kind: How the list is notified of store changes.
  func paginate<Fragment>(
    _ fragment: FragmentRef<Fragment>, as kind: ObserverKind
  ) -> Pagination<Fragment> {
    // A refetchable fragment has one connection; the compiler rejects others.
    let info = Fragment.__connections.first ?? ConnectionInfo([])
    return Pagination(
      PaginationLoad(
        of: fragment.target, from: RefetchSource(Fragment.self), connection: info, in: self,
        as: kind))
  }

  /// Fetches a fragment again, with the query that `@refetchable` generated for it.
  ///
  ///     let sorted = try await environment.refetch(user.fragments.friends_user) {
  ///       $0.order = .some(.age)
  ///     }
  ///
  /// - Parameters:
  ///   - fragment: A reference to the fragment, from its parent's data.
  ///   - timeout: The maximum wait for the response; `nil` waits without limit.
  ///   - actor: The actor that the call runs on; the caller's by default.
  ///   - change: Overrides variables that the fragment was read with.
  /// - Returns: A reference with the new variables, to read or observe. Its query enters the
  ///   store's release buffer if there is room.
  /// - Throws: As ``fetch(_:policy:timeout:context:)``; ``RelayError`` with code `field` if the
  ///   store does not have the `id` of the fragment's object, and with code `request` for a
  ///   reference that holds its data (`.value(…)`).
  @discardableResult
  public func refetch<Fragment: GraphQLRefetchable>(
    _ fragment: FragmentRef<Fragment>, timeout: Duration? = nil,
    isolation actor: isolated (any Actor)? = #isolation,
    changing change: (inout RefetchVariables<Fragment.RefetchQuery>) -> Void = { _ in }
  ) async throws -> FragmentRef<Fragment> {
    try await refetch(fragment, timeout: timeout, changing: RefetchVariables.changes(change))
  }

  func refetch<Fragment: GraphQLRefetchable>(
    _ fragment: FragmentRef<Fragment>, timeout: Duration? = nil,
    changing changes: [(String, JSONValue?)], delivery: OutcomeDelivery? = nil
  ) async throws -> FragmentRef<Fragment> {
    let source = RefetchSource(Fragment.self)
    let request = try source.request(for: fragment.target, changing: changes, in: store)
    _ = try await fetched(request, timeout: timeout, context: nil, delivery: delivery)
    return FragmentRef(source.target(of: request, in: store))
  }

  /// Returns the records of a connection, one for each set of filter values, for the `connections:`
  /// argument of `@appendEdge` and similar directives.
  ///
  ///     let lists = environment.connections("Followers_list", of: "1")
  ///     let mutation = FollowMutation(connections: lists.map(\.rawValue))
  ///
  /// - Parameters:
  ///   - key: The key of `@connection`.
  ///   - parent: The record whose connections are returned; `nil` returns the connections of all
  ///     records.
  /// - Complexity: O(*n*) in the fields of the record, or of all records.
  public func connections(_ key: String, of parent: DataID? = nil) -> [DataID] {
    store.connections(key, of: parent)
  }
}
