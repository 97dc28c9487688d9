/// The result of taking an inbox in.
public struct InboxReport: Sendable, Hashable {
  /// A file that was set aside.
  public struct SetAside: Sendable, Hashable {
    /// The new path of the file, in the directory `rejected` of the inbox.
    public let path: String
    /// The reason, in English.
    public let reason: String
  }

  /// The entries that were added, in their order.
  public internal(set) var entries: [OutboxEntry] = []
  /// The files that were set aside, because they are not mutations, are damaged, too large, of another
  /// version or of another user.
  public internal(set) var setAside: [SetAside] = []
  /// The number of files that stay in the inbox until the outbox has room, or they can be read.
  public internal(set) var waitingCount = 0
}
