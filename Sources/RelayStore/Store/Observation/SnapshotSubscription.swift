/// One consumer's connection to a store; dropping it ends the connection.
///
/// The store knows the mailbox only, so it keeps no consumer alive.
package final class SnapshotSubscription: Sendable {
  private let mailbox: Mailbox<RowSnapshot>
  private let end: @Sendable () -> Void

  /// - Parameter end: Ends the connection; called at least once.
  package init(mailbox: Mailbox<RowSnapshot>, end: @escaping @Sendable () -> Void) {
    self.mailbox = mailbox
    self.end = end
  }

  deinit {
    mailbox.close()
    end()
  }

  /// The newest snapshot not taken yet, as soon as there is one; `nil` after cancellation, which
  /// ends the connection.
  package func next(isolation: isolated (any Actor)?) async -> RowSnapshot? {
    let snapshot = await mailbox.take(isolation: isolation)
    if snapshot == nil { end() }
    return snapshot
  }
}
