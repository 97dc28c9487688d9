/// The state of a query that is loaded: its data, whether a request is in flight, and the last
/// error. Any of them may be there beside the others.
public struct QueryState<Data: GraphQLView>: Sendable {
  /// The data to show; `nil` until there is some.
  public var snapshot: Snapshot<Data>?
  /// Whether a request is in flight.
  public var isLoading: Bool
  /// The error of the last request, while older data stays. Or, with code `field`, the path of the
  /// missing field or illegal null because of which there is no data although no request is in
  /// flight.
  public var error: RelayError?

  public init(snapshot: Snapshot<Data>? = nil, isLoading: Bool = false, error: RelayError? = nil) {
    self.snapshot = snapshot
    self.isLoading = isLoading
    self.error = error
  }

  /// The data to show.
  public var data: Data? { snapshot?.data }
}

extension QueryState {
  init(_ state: LoadState) {
    isLoading = state.isLoading
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
  /// The row to show; `nil` while it is withheld.
  var row: RowSnapshot?
  var isLoading = false
  var error: RelayError?
  /// Whether a reset has ended the load, and it was not fetched since.
  var isReset = false
  var responseErrors: [GraphQLError] = []
  var responseExtensions: JSONObject = [:]
  /// The number of the state among those of one load.
  var revision: UInt64 = 0

  /// Whether a consumer that has the other state is delivered this one.
  func isDifferent(from other: LoadState) -> Bool {
    if isLoading != other.isLoading || error?.message != other.error?.message
      || error?.code != other.error?.code || responseErrors != other.responseErrors
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
