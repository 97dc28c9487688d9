/// What a caller hands to the transports with one request, and what they hand back.
///
///     enum TraceID: RequestContextKey { typealias Value = String }
///
///     let context = RequestContext()
///     context[TraceID.self] = "a1"
///     try await environment.fetch(FeedQuery(), context: context)
///
/// Transports find it in ``GraphQLRequest/context``. A call with a context of its own has a request of its own: it is
/// not shared with others who fetch the same.
public final class RequestContext: Sendable {
  private let values = Locked<[ObjectIdentifier: any Sendable]>([:], rank: .leaf)

  public init() {}

  /// The value that a key has.
  public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value? {
    get { values.withLock { $0[ObjectIdentifier(key)] } as? Key.Value }
    set { values.withLock { $0[ObjectIdentifier(key)] = newValue } }
  }
}

/// A name for a value in a ``RequestContext``.
public protocol RequestContextKey {
  associatedtype Value: Sendable
}
