/// The state of a paged list: its data, whether the server has more, the requests in flight, and
/// the last error.
public struct PaginationState<Fragment: GraphQLFragment>: Sendable {
  /// The fragment with all loaded edges.
  public var snapshot: Snapshot<Fragment>
  /// Whether the server has more edges after the list's end.
  public var hasNext: Bool
  /// Whether the server has more edges before the list's start.
  public var hasPrevious: Bool
  /// Whether a page is being loaded at the end of the list.
  public var isLoadingNext: Bool
  /// Whether a page is being loaded at the start of the list.
  public var isLoadingPrevious: Bool
  /// Whether the list is being refetched.
  public var isRefetching: Bool
  /// The error of the last page or refetch; the previous list is still available.
  public var error: RelayError?

  init(_ state: PageState) {
    snapshot = Snapshot(state.row)
    hasNext = state.hasNext
    hasPrevious = state.hasPrevious
    isLoadingNext = state.isLoadingNext
    isLoadingPrevious = state.isLoadingPrevious
    isRefetching = state.isRefetching
    error = state.error
  }

  /// The fragment's data.
  public var data: Fragment? { snapshot.data }
}

/// A ``PaginationState`` without the type of its fragment.
struct PageState: MailboxItem {
  var target = SpreadReference.nothing
  var row = RowSnapshot()
  var hasNext = false
  var hasPrevious = false
  var isLoadingNext = false
  var isLoadingPrevious = false
  var isRefetching = false
  var error: RelayError?
  /// The revision of the state within one list; it increases with every state.
  var revision: UInt64 = 0

  func isDifferent(from other: PageState) -> Bool {
    target != other.target || hasNext != other.hasNext || hasPrevious != other.hasPrevious
      || isLoadingNext != other.isLoadingNext || isLoadingPrevious != other.isLoadingPrevious
      || isRefetching != other.isRefetching || error?.message != other.error?.message
      || error?.code != other.error?.code || row.isDifferent(from: other.row)
  }
}

/// The states of a paged list: the current one first, then one for each change.
///
/// Each iterator buffers one state. A slow consumer receives the newest state and skips the earlier
/// ones.
public struct PaginationStates<Fragment: GraphQLFragment>: AsyncSequence, Sendable {
  public typealias Element = PaginationState<Fragment>
  public typealias Failure = Never

  let load: PaginationLoad

  public func makeAsyncIterator() -> Iterator { Iterator(subscription: StateSubscription(load)) }

  /// The subscription of one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private var subscription: StateSubscription<PageState>?

    fileprivate init(subscription: StateSubscription<PageState>) {
      self.subscription = subscription
    }

    /// Returns the next element, for code that is generic over iterators. All other calls of
    /// `next()` resolve to ``next(isolation:)``.
    @_disfavoredOverload
    public mutating func next() async -> PaginationState<Fragment>? { await next(isolation: nil) }

    /// Returns the next state. The call does not leave the caller's actor, and does not suspend if
    /// a state is already available.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
      -> PaginationState<Fragment>?
    {
      let state = await subscription?.mailbox.next(isolation: actor)
      if state == nil { subscription = nil }
      return state.map(PaginationState.init)
    }
  }
}
