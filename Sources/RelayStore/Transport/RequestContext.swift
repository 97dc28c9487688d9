/// Values that the caller and the transports exchange for one request.
///
///     enum TraceID: RequestContextKey { typealias Value = String }
///
///     let context = RequestContext()
///     context[TraceID.self] = "a1"
///     try await environment.fetch(FeedQuery(), context: context)
///
/// Transports find the context in ``GraphQLRequest/context``. A call with a context sends its own
/// request, which is not shared with other callers that fetch the same operation.
public final class RequestContext: Sendable {
  private let values = Locked<[ObjectIdentifier: any Sendable]>([:], rank: .leaf)

  /// Creates a context without values.
  public init() {}

  /// Creates a context that observes the progress of its request.
  ///
  /// - Parameter progress: The progress. It ends with the request, or when the context is released.
  ///   Use it for one request only; if a load sends several, it shows the first.
  public convenience init(progress: TransferProgress) {
    self.init()
    self.progress = progress
  }

  deinit { progress?.end() }

  /// Accesses the value for a key; `nil` without one.
  public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value? {
    get { values.withLock { $0[ObjectIdentifier(key)] } as? Key.Value }
    set {
      // Released after unlocking, because the old value's `deinit` may use this context.
      let old = values.withLock { values in
        defer { values[ObjectIdentifier(key)] = newValue }
        return values[ObjectIdentifier(key)]
      }
      withExtendedLifetime(old) {}
    }
  }
}

extension RequestContext {
  private enum ProgressKey: RequestContextKey { typealias Value = TransferProgress }

  /// The progress of the request, for the transport to report to; `nil` if no one observes it.
  public var progress: TransferProgress? {
    get { self[ProgressKey.self] }
    set { self[ProgressKey.self] = newValue }
  }
}

/// The key for a value in a ``RequestContext``.
public protocol RequestContextKey {
  /// The type of the value.
  associatedtype Value: Sendable
}
