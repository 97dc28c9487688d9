public import RelayStore

/// The rows of a local query at one moment: an immutable value.
public struct LocalSnapshot<Fragment: GraphQLFragment>: Sendable {
  private let query: LocalQuery<Fragment>
  private let list: RowList
  /// A previous state of the rows, and the edits since then.
  private let previous: (list: RowList, edits: [RowEdit])?

  /// Whether more rows may still be on the disk, because the store is loading its records. Another
  /// snapshot follows when they are loaded.
  public let isNotLoaded: Bool

  /// Creates the snapshot of a result: the first one, or the one after edits of a previous list.
  init(
    _ result: LocalResult<Fragment>, isNotLoaded: Bool,
    after previous: (list: RowList, edits: [RowEdit])? = nil
  ) {
    (query, list) = (result.query, result.list)
    self.previous = previous
    self.isNotLoaded = isNotLoaded
  }

  /// The rows, in the query's order.
  public var rows: LocalRows<Fragment> { LocalRows(list) }

  /// The difference from the previous snapshot of the same iterator; `nil` for the first snapshot
  /// and for one returned by `read`.
  ///
  /// - Complexity: O(*m* log *n*) for *m* changes of *n* rows, at each access.
  public var changes: ListChanges? {
    previous.map { ListChanges($0.edits, from: $0.list, to: list, by: query.areInOrder) }
  }
}

extension LocalSnapshot: CustomStringConvertible, CustomReflectable {
  /// The rows, followed by `isNotLoaded` if more may be on the disk.
  public var description: String { "rows: \(rows)" + (isNotLoaded ? ", isNotLoaded" : "") }

  /// A mirror of the public properties.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["rows": rows, "changes": changes as Any, "isNotLoaded": isNotLoaded],
      displayStyle: .struct)
  }
}

/// The snapshots of a local query: the current one first, then one for each change of its rows.
///
/// Iterators are independent of each other. A slow consumer receives the newest snapshot and skips
/// the earlier ones; its ``LocalSnapshot/changes`` start from the last snapshot that it received.
/// Ending the loop, cancelling its task or dropping the iterator unsubscribes. The sequence never
/// ends by itself.
///
///     for await snapshot in environment.observe(query) {
///       show(snapshot.rows)
///     }
public struct LocalSnapshots<Fragment: GraphQLFragment>: AsyncSequence, Sendable {
  public typealias Element = LocalSnapshot<Fragment>
  public typealias Failure = Never

  let query: LocalQuery<Fragment>
  let store: RecordStore

  /// Subscribes; the iterator's first snapshot is the current one.
  public func makeAsyncIterator() -> Iterator { Iterator(LocalSubscription(query, in: store)) }

  /// The subscription of one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscription: LocalSubscription<Fragment>

    fileprivate init(_ subscription: LocalSubscription<Fragment>) {
      self.subscription = subscription
    }

    /// Returns the next element, for code that is generic over iterators. All other calls of
    /// `next()` resolve to ``next(isolation:)``.
    @_disfavoredOverload
    public mutating func next() async -> LocalSnapshot<Fragment>? { await next(isolation: nil) }

    /// Returns the next snapshot. The call does not leave the caller's actor; the query's closures
    /// run there.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
      -> LocalSnapshot<Fragment>?
    {
      await subscription.next(isolation: actor)
    }
  }
}

/// One consumer of a local query. Its iterator is not `Sendable`, which confines it to one
/// isolation domain.
private final class LocalSubscription<Fragment: GraphQLFragment> {
  /// A notification that the queue has changes.
  private struct Notification: MailboxItem {
    let revision: UInt64

    func isDifferent(from other: Notification) -> Bool { true }
  }

  private let queue: ReplicaQueue
  private let mailbox: Mailbox<Notification>
  private let observation: ObservationHandle
  private var result: LocalResult<Fragment>
  /// The changes that were in the store initially, until the first snapshot is created.
  private var first: ReplicaChanges?
  private var isNotLoaded = false

  init(_ query: LocalQuery<Fragment>, in store: RecordStore) {
    let mailbox = Mailbox<Notification>(store.deliveries)
    queue = ReplicaQueue(
      .notification { ordinal in mailbox.deliver(Notification(revision: ordinal)) })
    self.mailbox = mailbox
    result = LocalResult(query)
    (first, observation) = store.replicateExactly(Fragment.__plan, in: query.scope, into: queue)
    queue.deliver()
  }

  deinit { mailbox.close() }

  func next(isolation: isolated (any Actor)?) async -> LocalSnapshot<Fragment>? {
    while await mailbox.next(isolation: isolation) != nil {
      var changes = queue.take()
      if var all = first {
        first = nil
        all.formUnion(changes)
        isNotLoaded = all.isNotLoaded
        _ = result.apply(all)
        return LocalSnapshot(result, isNotLoaded: isNotLoaded)
      }
      let previous = result.list
      let edits = result.apply(changes)
      let wasNotLoaded = isNotLoaded
      isNotLoaded = changes.isNotLoaded
      changes = ReplicaChanges()
      if !edits.isEmpty || isNotLoaded != wasNotLoaded {
        return LocalSnapshot(result, isNotLoaded: isNotLoaded, after: (previous, edits))
      }
    }
    observation.cancel()
    return nil
  }
}
