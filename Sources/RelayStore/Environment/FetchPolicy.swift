/// Where a query's data comes from.
public enum FetchPolicy: Sendable, Hashable, CaseIterable {
  /// From the store alone; nothing is sent.
  case storeOnly
  /// From the store where it has everything, else from the server.
  case storeOrNetwork
  /// From the server; what the store has is not shown before its answer.
  case networkOnly
  /// From the store at once where it has everything, and from the server as well.
  case storeAndNetwork
}

/// How a query is loaded.
public struct LoadOptions: Sendable {
  /// Whether data is shown although fields of it are not in the store yet.
  public var showsPartialData: Bool
  /// How long to wait between one answer and the next request, 10⁹ seconds at most; `nil` asks once.
  public var pollInterval: Duration?
  /// The longest wait for an answer; `nil` waits without limit.
  public var timeout: Duration?
  /// What the transports are handed; with it the requests are not shared with others.
  public var context: RequestContext?

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
