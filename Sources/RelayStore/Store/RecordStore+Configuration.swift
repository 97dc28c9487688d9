import Foundation

#if canImport(os)
  public import os
#endif

extension RecordStore {
  /// The options of a store.
  public struct Configuration: Sendable {
    /// The trigger of garbage collection.
    public enum GarbageCollectionMode: Sendable {
      /// Automatically, in slices, soon after a collection becomes due; see ``GarbageCollector``.
      case automatic
      /// On demand only; see ``RecordStore/garbageCollector``.
      case manual
    }

    /// The size of the release buffer: the number of released operations whose records are
    /// retained, so that a user who returns to a screen sees its data immediately.
    public var releaseBufferSize: Int
    /// The maximum age of a fetched query before it is stale; `nil` for no limit.
    ///
    /// It affects ``RelayEnvironment/check(_:)``. A query that is older when it is released, and
    /// stale, does not enter the release buffer. A query that is older but still fresh by another
    /// maximum age (``maxAges``, `relay.config.json` or the server) does, and so does one that is
    /// stale only by another maximum age. The same applies to queries of an earlier run when they
    /// are loaded.
    public var queryExpiration: Duration?
    /// The maximum ages of query data before it is stale. The keys are names of queries, names of
    /// types that a query selects from, or coordinates of fields:
    /// `["FeedQuery": .seconds(60), "Stock": .seconds(5), "Stock.price": .seconds(1)]`.
    ///
    /// A query uses the maximum age given for its name. Otherwise it uses the smallest of those
    /// given for its types and fields, in `relay.config.json`, and by the server; if there are
    /// none, ``queryExpiration``. Types and fields have their names in the document: an interface's
    /// names if the document selects from the interface.
    public var maxAges: [String: Duration] = [:]
    /// The place where the server says how long a response is fresh; `nil` to ignore it.
    public var serverMaxAge: ServerMaxAge?
    /// The clock that measures expiration and intervals. Tests can inject their own.
    public var clock: any Clock<Duration>
    /// Returns the creation date of a store. The dates of fetches are computed from it.
    package var date: @Sendable () -> Date = { Date() }
    /// Whether a field that a response omits counts as null, for servers that omit nulls. Otherwise
    /// the field's value is unchanged or missing.
    public var treatsMissingFieldsAsNull: Bool
    /// The limits of an accepted response.
    public var responseLimits: ResponseLimits
    /// The limits of one read.
    public var readLimits: ReadLimits
    /// The trigger of garbage collection.
    public var garbageCollection: GarbageCollectionMode
    /// The minimum number of records for the store's size to make a collection due.
    public var garbageCollectionThreshold: Int
    /// The time after a collection before a write makes the next one due; `nil` for no limit.
    public var garbageCollectionInterval: Duration?
    /// The handlers of missing fields, called in this order.
    public var missingFieldHandlers: [MissingFieldHandler]
    /// Whether a record deleted on the client, or a record with a missing field, propagates null
    /// from a list of non-null elements, as a server's null would. Otherwise the list omits the
    /// element, and `missing` has its path.
    public var deletedRecordsBubble: Bool
    /// The location on disk where the records are persisted between runs of the program; `nil` to
    /// persist none.
    public var persistence: Persistence?
    /// The limits of the timeline for an inspector; `nil` for no timeline, at no cost. See
    /// `timeline(redactingValues:recordLimit:)` in RelayRecording.
    public var timeline: TimelineOptions?
    /// The consumer of the store's events; `nil` for none, at no cost. The thread that causes an
    /// event calls the closure with the store unlocked. The closure may be called while a response
    /// is written; a ``RelayEnvironment/reset()`` inside it takes effect after that.
    public var log: (@Sendable (StoreEvent) -> Void)?

    /// Whether any query's data may become stale because of its age.
    var mayExpire: Bool {
      serverMaxAge != nil || queryExpiration != nil || persistence != nil || !maxAges.isEmpty
    }

    /// Creates options.
    ///
    /// The defaults are a release buffer of ten operations, data that never expires, and automatic
    /// garbage collection. The store's size can make a collection due from 10,000 records on.
    public init(
      releaseBufferSize: Int = 10, queryExpiration: Duration? = nil,
      clock: any Clock<Duration> = ContinuousClock(), treatsMissingFieldsAsNull: Bool = false,
      responseLimits: ResponseLimits = ResponseLimits(), readLimits: ReadLimits = ReadLimits(),
      garbageCollection: GarbageCollectionMode = .automatic,
      garbageCollectionThreshold: Int = 10_000,
      garbageCollectionInterval: Duration? = nil, missingFieldHandlers: [MissingFieldHandler] = [],
      deletedRecordsBubble: Bool = false, persistence: Persistence? = nil,
      timeline: TimelineOptions? = nil,
      log: (@Sendable (StoreEvent) -> Void)? = nil
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
      self.persistence = persistence
      self.timeline = timeline
      self.log = log
    }
  }
}

extension RecordStore.Configuration {
  /// Returns this configuration with a line on standard error for every event that is a problem;
  /// see ``StoreEvent/isProblem``.
  ///
  ///     RecordStore(configuration: RecordStore.Configuration().logging())
  ///
  /// Replaces ``log``. To see the other events, several for each read and write, set `log` itself:
  /// `log: { print($0) }`.
  public func logging() -> Self {
    logging { if $0.isProblem { $0.writeToStandardError() } }
  }

  #if canImport(os)
    /// Returns this configuration with an entry in the unified log for every event: an error if it
    /// is a problem, otherwise a debug message. Replaces ``log``.
    ///
    /// The messages are public: they contain types, definitions and paths, never values or ids.
    public func logging(to logger: Logger) -> Self {
      logging { $0.log(to: logger) }
    }
  #endif

  private func logging(_ log: @escaping @Sendable (StoreEvent) -> Void) -> Self {
    var result = self
    result.log = log
    return result
  }
}
