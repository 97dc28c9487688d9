extension RecordStore {
  /// How a store behaves.
  public struct Configuration: Sendable {
    /// When garbage is collected.
    public enum GarbageCollectionMode: Sendable {
      /// By itself, in slices, soon after it became due; see ``GarbageCollector``.
      case automatic
      /// Only when the program says so; see ``RecordStore/garbageCollector``.
      case manual
    }

    /// How many released operations keep their records for a while, so that going back shows them
    /// at once.
    public var releaseBufferSize: Int
    /// How long after it was fetched a query is out of date; `nil` for never.
    ///
    /// It matters to ``RelayEnvironment/check(_:)``, and a query that is out of date when it is released
    /// takes no place in the release buffer.
    public var queryExpiration: Duration?
    /// What measures time; another one lets tests choose the time.
    public var clock: any Clock<Duration>
    /// Whether a field that a response leaves out counts as null, for servers that leave out nulls.
    /// Otherwise it stays as it was, or is missing.
    public var treatsMissingFieldsAsNull: Bool
    /// How much of a response is taken.
    public var responseLimits: ResponseLimits
    /// How much of what the store has one read gives.
    public var readLimits: ReadLimits
    /// When garbage is collected.
    public var garbageCollection: GarbageCollectionMode
    /// Up to how many records a store may grow without becoming due for a collection by its size.
    public var garbageCollectionThreshold: Int
    /// How long after a collection the next write makes another one due; `nil` for no such rule.
    public var garbageCollectionInterval: Duration?
    /// What knows of fields that no response has told; asked in this order.
    public var missingFieldHandlers: [MissingFieldHandler]
    /// Whether a record that was deleted on the client takes a list of non-null elements with it, as a server's null
    /// does. Otherwise the list is read without it, and `missing` has its path.
    public var deletedRecordsBubble: Bool
    /// Is told what the store does, by the thread that does it and while the store is free; `nil` costs
    /// nothing. It may be called while a response is written: a ``RelayEnvironment/reset()`` that it asks for is done
    /// after that.
    public var log: (@Sendable (StoreEvent) -> Void)?

    public init(
      releaseBufferSize: Int = 10, queryExpiration: Duration? = nil,
      clock: any Clock<Duration> = ContinuousClock(), treatsMissingFieldsAsNull: Bool = false,
      responseLimits: ResponseLimits = ResponseLimits(), readLimits: ReadLimits = ReadLimits(),
      garbageCollection: GarbageCollectionMode = .automatic,
      garbageCollectionThreshold: Int = 10_000,
      garbageCollectionInterval: Duration? = nil, missingFieldHandlers: [MissingFieldHandler] = [],
      deletedRecordsBubble: Bool = false, log: (@Sendable (StoreEvent) -> Void)? = nil
    ) {
      self.releaseBufferSize = releaseBufferSize
      self.queryExpiration = queryExpiration
      self.clock = clock
      self.treatsMissingFieldsAsNull = treatsMissingFieldsAsNull
      self.responseLimits = responseLimits
      self.readLimits = readLimits
      self.garbageCollection = garbageCollection
      self.garbageCollectionThreshold = garbageCollectionThreshold
      self.garbageCollectionInterval = garbageCollectionInterval
      self.missingFieldHandlers = missingFieldHandlers
      self.deletedRecordsBubble = deletedRecordsBubble
      self.log = log
    }
  }
}
