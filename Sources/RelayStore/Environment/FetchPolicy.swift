/// The sources of a query's data.
public enum FetchPolicy: Sendable, Hashable, CaseIterable {
  /// The store alone; nothing is sent.
  case storeOnly
  /// The store when it has all of the data, otherwise the server. A store that is being loaded from the
  /// disk is waited for.
  case storeOrNetwork
  /// The server; data in the store is not delivered before the response.
  case networkOnly
  /// The store at once when it has all of the data, and the server as well.
  case storeAndNetwork
}

/// Options for loading a query.
public struct LoadOptions: Sendable {
  /// Whether data is delivered while some of its fields are missing from the store.
  public var showsPartialData: Bool
  /// Whether stale data is delivered, with ``QueryState/isStale``. If not, it is withheld until a
  /// response has come, and a query whose data becomes stale because of its age is fetched again.
  public var showsStaleData = true
  /// The time from a response, or an error, to the next request, at most 10⁹ seconds; `nil` does
  /// not poll. The timer starts with the load, and again with each outcome.
  public var pollInterval: Duration?
  /// The maximum wait for a response; `nil` waits without limit.
  public var timeout: Duration?
  /// A value for the transports; requests with a context are not shared.
  public var context: RequestContext?

  /// Creates options. By default, data is delivered only when it is complete, nothing is polled,
  /// and the wait for a response has no limit.
  public init(
    showsPartialData: Bool = false, pollInterval: Duration? = nil, timeout: Duration? = nil,
    context: RequestContext? = nil
  ) {
    self.showsPartialData = showsPartialData
    self.pollInterval = pollInterval
    self.timeout = timeout
    self.context = context
  }
}
