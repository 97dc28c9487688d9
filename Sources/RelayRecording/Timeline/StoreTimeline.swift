public import struct Foundation.Date
import RelayStore

/// The history and the contents of a store: events with their causes, records, optimistic layers,
/// observers and operations. An immutable value to save, send and inspect.
///
///     let data = try JSONEncoder().encode(environment.timeline())
///
/// Ids, types, field names, operation names and documents are always included. Scalars, variables,
/// responses and the arguments in storage keys are included only if ``isRedacted`` is false.
public struct StoreTimeline: Codable, Sendable, Hashable {
  /// The version of the format that this module writes. It reads all versions up to this one.
  public static let currentVersion = 1

  /// The version of the format.
  public let version: Int
  /// The creation date of the store. The times of events are relative to it.
  public var start: Date
  /// The creation time of this value, in seconds since ``start``.
  public var time: Double
  /// Whether all values are redacted.
  public var isRedacted: Bool
  /// Whether the store records events.
  public var isRecording: Bool
  /// The recorded events, oldest first.
  public var events: [Event]
  /// The documents of the operations in the recorded requests, by name.
  public var documents: [String: String]
  /// The number of older events that were dropped because of the limits.
  public var droppedEvents: Int
  /// The records of the base, sorted by id.
  public var records: [Record]
  /// The records that optimistic updates have written, as readers see them, sorted by id.
  public var optimisticRecords: [Record]
  /// The number of base records that exceed the limit of ``records``.
  public var omittedRecords: Int
  /// Whether some operations and observers omit the records that they reach, because the total
  /// exceeds 100,000.
  public var omitsReached: Bool
  /// The live optimistic updates, in order of application.
  public var layers: [Layer]
  /// The live observers, in the order of their registration.
  public var observers: [Observer]
  /// The operations whose records are retained, sorted by name.
  public var operations: [Operation]

  init(start: Date, time: Double, isRedacted: Bool) {
    version = Self.currentVersion
    self.start = start
    self.time = time
    self.isRedacted = isRedacted
    isRecording = false
    (events, records, optimisticRecords, layers) = ([], [], [], [])
    (observers, operations, droppedEvents, omittedRecords) = ([], [], 0, 0)
    omitsReached = false
    documents = [:]
  }

  /// Decodes a timeline.
  ///
  /// - Throws: `DecodingError` if the data is not a timeline, or has a later version.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    version = try container.decode(Int.self, forKey: .version)
    guard 1...Self.currentVersion ~= version else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription:
          "The timeline has version \(version); this program reads versions 1 to \(Self.currentVersion)."
      )
    }
    start = try container.decode(Date.self, forKey: .start)
    time = try container.decode(Double.self, forKey: .time)
    isRedacted = try container.decode(Bool.self, forKey: .isRedacted)
    isRecording = try container.decode(Bool.self, forKey: .isRecording)
    events = try container.decode([Event].self, forKey: .events)
    documents = try container.decode([String: String].self, forKey: .documents)
    droppedEvents = try container.decode(Int.self, forKey: .droppedEvents)
    records = try container.decode([Record].self, forKey: .records)
    optimisticRecords = try container.decode([Record].self, forKey: .optimisticRecords)
    omittedRecords = try container.decode(Int.self, forKey: .omittedRecords)
    omitsReached = try container.decode(Bool.self, forKey: .omitsReached)
    layers = try container.decode([Layer].self, forKey: .layers)
    observers = try container.decode([Observer].self, forKey: .observers)
    operations = try container.decode([Operation].self, forKey: .operations)
  }
}
