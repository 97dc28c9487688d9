/// The state of a query that is loaded: its data, whether a request is in flight, and the last
/// error. It may have any combination of these.
public struct QueryState<Data: GraphQLView>: Sendable {
  /// The data; `nil` until there is some.
  public var snapshot: Snapshot<Data>?
  /// Whether a request is in flight, or the load waits for the store to be loaded from the disk before
  /// it decides whether to send one.
  public var isLoading: Bool
  /// Whether the data was invalidated, or was received longer ago than the query's age limit allows.
  public var isStale = false
  /// The error of the last request; older data stays available. If there is no data although no
  /// request is in flight, the error has code `field` and the path of the missing field or illegal
  /// null.
  public var error: RelayError?

  /// Creates a state; without arguments, one without data, request and error.
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
  /// Whether the query was not fetched since the last reset.
  var isReset = false
  var responseErrors: [GraphQLError] = []
  var responseExtensions: JSONObject = [:]
  /// The revision of the state within one load, which increases with every state.
  var revision: UInt64 = 0

  /// Returns whether a consumer that has received the other state must receive this one.
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
