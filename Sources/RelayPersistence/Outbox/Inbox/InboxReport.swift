import RelayStore

/// The entries imported from an inbox since the previous report, including imports at startup and
/// at intervals.
public struct InboxReport: Sendable, Hashable {
  /// A rejected file.
  public struct Rejected: Sendable, Hashable {
    /// The new path of the file, in the inbox's `rejected` directory.
    public let path: String
    /// The reason, in English.
    public let reason: String
  }

  /// The added entries in order; the last 1,000.
  public private(set) var entries: [OutboxEntry] = []
  /// The rejected files: not mutations, damaged, too large, of a different version or user, or with
  /// the id of a different mutation; the last 1,000.
  public private(set) var rejected: [Rejected] = []
  /// The number of files that remain in the inbox until the outbox has room or they become
  /// readable.
  public internal(set) var waitingCount = 0

  /// Bounds a report that is never requested.
  private static let limit = 1_000

  mutating func add(_ new: [OutboxEntry]) { entries = (entries + new).suffix(Self.limit) }

  mutating func add(_ new: Rejected) { rejected = (rejected + [new]).suffix(Self.limit) }
}
