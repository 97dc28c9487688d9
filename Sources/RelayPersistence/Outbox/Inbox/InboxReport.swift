import RelayStore

/// The entries taken in of an inbox since the report before, also when the program began and in intervals.
public struct InboxReport: Sendable, Hashable {
  /// A file that was set aside.
  public struct SetAside: Sendable, Hashable {
    /// The new path of the file, in the directory `rejected` of the inbox.
    public let path: String
    /// The reason, in English.
    public let reason: String
  }

  /// The entries that were added, in their order; the last 1,000.
  public private(set) var entries: [OutboxEntry] = []
  /// The files that were set aside, because they are not mutations, are damaged, too large, of another
  /// version or of another user, or have the id of another entry; the last 1,000.
  public private(set) var setAside: [SetAside] = []
  /// The number of files that stay in the inbox until the outbox has room, or they can be read.
  public internal(set) var waitingCount = 0

  /// A report that nobody asks for grows no further.
  private static let limit = 1_000

  mutating func add(_ new: [OutboxEntry]) { entries = (entries + new).suffix(Self.limit) }

  mutating func add(_ new: SetAside) { setAside = (setAside + [new]).suffix(Self.limit) }
}
