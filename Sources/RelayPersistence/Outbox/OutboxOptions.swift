import RelayStore

/// The options of an environment's outbox.
public struct OutboxOptions: Sendable {
  /// The header field for the key of a mutation; `nil` for none.
  public var keyHeader: String? = "Idempotency-Key"
  /// The variable for the key, as a path such as `input.clientMutationId`; `nil` for none. It is
  /// set only in mutations whose document declares the variable.
  public var keyVariable: String?
  /// Whether the server executes a mutation only once, even if it is sent several times with the
  /// same key. Otherwise a mutation that was sent without a response is not sent again; its outcome
  /// is unknown.
  public var serverHonorsIdempotencyKeys: Bool
  /// The maximum number of entries; another commit throws.
  public var entryLimit = 1_000
  /// The maximum number of bytes of the files of all entries, 100 MiB by default; another commit
  /// throws.
  public var fileByteLimit = 100 << 20
  /// The age above which an entry fails instead of being sent; `nil` for no limit.
  public var ageLimit: Duration?
  /// The waits between attempts: from one second to five minutes by default. The number of attempts
  /// is unlimited.
  public var backOff = RetryPolicy(
    attempts: .max, delay: .seconds(1), longestDelay: .seconds(300), includesMutations: true)

  /// The longest wait that a server may ask for with `Retry-After`: an hour. A stored date further
  /// ahead than this and ``backOff``'s longest delay counts as now.
  public static let longestRetryAfter = Duration.seconds(3_600)

  /// The directory where other processes put mutations for this outbox; `nil` for none. They are
  /// imported when the program starts, by ``Outbox/importFiles()``, and every ``inboxInterval``.
  public var inbox: MutationInbox?
  /// The interval between imports of the inbox while the program runs, by the store's clock; `nil`
  /// for none.
  public var inboxInterval: Duration?

  /// Creates options.
  ///
  /// - Parameter serverHonorsIdempotencyKeys: Whether the server executes a mutation only once; see
  ///   ``serverHonorsIdempotencyKeys``.
  public init(serverHonorsIdempotencyKeys: Bool) {
    self.serverHonorsIdempotencyKeys = serverHonorsIdempotencyKeys
  }
}

/// The durability of a mutation beyond the end of the process.
public enum MutationDurability: Sendable {
  /// The mutation remains in the outbox until the server has responded.
  ///
  /// - after: Entries that must complete before this one is sent, in addition to entries that share
  ///   an id with it.
  case outbox(after: [OutboxEntry.ID] = [])
}
