import RelayStore

/// The options of an environment's outbox.
public struct OutboxOptions: Sendable {
  /// The header field that has the key of a mutation; `nil` for none.
  public var keyHeader: String? = "Idempotency-Key"
  /// The variable that has the key, as a path such as `input.clientMutationId`; `nil` for none. It is
  /// set in the mutations whose document declares the variable.
  public var keyVariable: String?
  /// Whether the server executes a mutation once, however often it is sent with the same key. Otherwise
  /// a mutation that was sent and not answered is not sent again, and has an unknown outcome.
  public var honorsKeys: Bool
  /// The maximum number of entries; a commit beyond it throws.
  public var entryLimit = 1_000
  /// The age from which an entry is not sent any more, and has failed; `nil` for no limit.
  public var ageLimit: Duration?
  /// The waits between attempts: from one second to five minutes by default. The number of attempts is
  /// not limited.
  public var backOff = RetryPolicy(
    attempts: .max, delay: .seconds(1), longestDelay: .seconds(300), includesMutations: true)

  /// The directory in which other processes put mutations for this outbox; `nil` for none. They are taken
  /// in when the program begins, by ``Outbox/takeIn()``, and as ``inboxInterval`` says.
  public var inbox: MutationInbox?
  /// The interval, by the store's clock, in which the inbox is looked at while the program runs; `nil` for
  /// never.
  public var inboxInterval: Duration?

  /// Creates options.
  ///
  /// - Parameter honorsKeys: Whether the server executes a mutation once; see ``honorsKeys``.
  public init(honorsKeys: Bool) { self.honorsKeys = honorsKeys }
}

/// Whether a mutation survives the end of the process.
public enum MutationDurability: Sendable {
  /// It is kept in the outbox until the server has answered.
  ///
  /// - after: Entries that have to be answered before it is sent, beside those that share an id with
  ///   it.
  case outbox(after: [OutboxEntry.ID] = [])
}
