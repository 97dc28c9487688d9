/// The sources of a query's data.
public enum FetchPolicy: Sendable, Hashable, CaseIterable {
  /// Only the store; no request is sent.
  case storeOnly
  /// The store if it has all of the data, otherwise the server. If the store is still loading from
  /// the disk, waits for it.
  case storeOrNetwork
  /// The server; data in the store is not delivered before the response.
  case networkOnly
  /// The store at once if it has all of the data, and the server in any case.
  case storeAndNetwork
}

/// Options for loading a query.
public struct LoadOptions: Sendable {
  /// Whether data is delivered while some of its fields are missing from the store.
  public var showsPartialData: Bool
  /// Whether stale data is delivered, marked with ``QueryState/isStale``. If not, stale data is
  /// withheld until a response arrives, and a query whose data expires is fetched again.
  public var showsStaleData = true
  /// The time from a response or an error to the next request, at most 10⁹ seconds; `nil` does not
  /// poll. The timer starts with the load and restarts with each outcome.
  public var pollInterval: Duration?
  /// The maximum wait for a response; `nil` waits without limit.
  public var timeout: Duration?
  /// A value for the transports; requests with a context are not shared.
  public var context: RequestContext?

  /// Creates options. By default, only complete data is delivered, without polling or a time limit.
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
