/// What is known of a query that is being loaded: its data, whether more is coming, and what went
/// wrong; any of them beside the others.
public struct QueryState<Data: GraphQLView>: Sendable {
  /// What there is to show; `nil` until there is something.
  public var snapshot: Snapshot<Data>?
  /// Whether a request is on its way.
  public var isLoading: Bool
  /// Why the last request failed; the data from before is still there. Or why there is no data although no request is
  /// in flight: with the code `field` and the path of what is missing, or null where it may not be.
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

/// The same without the type of the data.
struct LoadState: MailboxItem {
  /// What is shown; `nil` while that is withheld.
  var row: RowSnapshot?
  var isLoading = false
  var error: RelayError?
  /// Whether a reset has ended it, and nothing was asked for since.
  var isReset = false
  var responseErrors: [GraphQLError] = []
  var responseExtensions: JSONObject = [:]
  /// Counts the states of one load.
  var revision: UInt64 = 0

  /// Whether someone who knows the other has to be told of this.
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
