/// One consumer's subscription to a store; dropping it unsubscribes.
///
/// The store retains the mailbox, but not the consumer.
package final class SnapshotSubscription: Sendable {
  private let mailbox: Mailbox<RowSnapshot>
  private let end: @Sendable () -> Void

  /// Creates a subscription.
  ///
  /// - Parameter end: Unsubscribes; called at least once.
  package init(mailbox: Mailbox<RowSnapshot>, end: @escaping @Sendable () -> Void) {
    self.mailbox = mailbox
    self.end = end
  }

  deinit {
    mailbox.close()
    end()
  }

  /// Returns the newest snapshot not yet returned, waiting for one if necessary; `nil` after
  /// cancellation, which unsubscribes.
  package func next(isolation: isolated (any Actor)?) async -> RowSnapshot? {
    let snapshot = await mailbox.next(isolation: isolation)
    if snapshot == nil { end() }
    return snapshot
  }
}
