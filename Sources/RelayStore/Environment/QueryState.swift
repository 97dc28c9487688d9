/// The state of a loaded query: its data, whether a request is in flight, and the last error, in
/// any combination.
public struct QueryState<Data: GraphQLView>: Sendable {
  /// The data; `nil` until there is some.
  public var snapshot: Snapshot<Data>?
  /// Whether a request is in flight, or the load waits for the store to be loaded from the disk
  /// before it decides whether to send one.
  public var isLoading: Bool
  /// Whether the data was invalidated or is older than the query's age limit allows.
  public var isStale = false
  /// The error of the last request; older data is still available. Without data and without a
  /// request in flight, the error has code `field` and the path of the missing field or illegal
  /// null.
  public var error: RelayError?

  /// Creates a state; without arguments, it has no data, request or error.
  public init(snapshot: Snapshot<Data>? = nil, isLoading: Bool = false, error: RelayError? = nil) {
    self.snapshot = snapshot
    self.isLoading = isLoading
    self.error = error
  }

  /// The data, if there is some.
  public var data: Data? { snapshot?.data }
}

extension QueryState {
  init(_ state: LoadState) {
    isLoading = state.isLoading
    isStale = state.isStale
    error = state.error
    snapshot = state.row.map { row in
      var snapshot = Snapshot<Data>(row)
      snapshot.responseErrors = state.responseErrors
      snapshot.responseExtensions = state.responseExtensions
      return snapshot
    }
  }
}

/// A ``QueryState`` without the type of its data.
struct LoadState: MailboxItem {
  /// The row; `nil` while it is withheld.
  var row: RowSnapshot?
  var isLoading = false
  /// Whether the data was invalidated or has expired.
  var isStale = false
  var error: RelayError?
  /// Whether the query has not been fetched since the last reset.
  var isReset = false
  var responseErrors: [GraphQLError] = []
  var responseExtensions: JSONObject = [:]
  /// The revision of the state within one load; it increases with every state.
  var revision: UInt64 = 0

  /// Returns whether a consumer that received `other` must also receive this state.
  func isDifferent(from other: LoadState) -> Bool {
    if isLoading != other.isLoading || isStale != other.isStale
      || error?.message != other.error?.message || error?.code != other.error?.code
      || responseErrors != other.responseErrors
    {
      return true
    }
    switch (row, other.row) {
    case (nil, nil): return false
    case (let row?, let other?): return row.isDifferent(from: other)
    default: return true
    }
  }
}
