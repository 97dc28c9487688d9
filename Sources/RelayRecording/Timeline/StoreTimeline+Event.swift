import RelayStore

extension StoreTimeline {
  /// A recorded event.
  public struct Event: Codable, Sendable, Hashable, Identifiable {
    /// The number of the event: 1 for the first, increasing by one.
    public let id: Int
    /// The time, in seconds since the timeline's ``StoreTimeline/start``.
    public let time: Double
    /// The content of an event.
    public let content: Content

    /// The content of an event. Later versions may add cases, so a `switch` needs a default.
    public enum Content: Sendable, Hashable {
      /// Changes became visible.
      case publish(Publish)
      /// An observer was read again, and its snapshot was delivered or not.
      case delivery(StoreTimeline.Delivery)
      /// A request was sent, received a part of its response, or has ended.
      case request(Request)
      /// A read found missing data.
      case missing(Missing)
      /// An operation was retained or released.
      case retention(RetentionChange)
      /// Garbage was collected.
      case garbageCollection(GarbageCollection)
      /// Another noteworthy event: a problem, the storage, the outbox.
      case note(Note)
      /// An event of a kind unknown to this version.
      case unknown(kind: String)
    }

    init(id: Int, time: Double, content: Content) {
      (self.id, self.time, self.content) = (id, time, content)
    }

    private enum CodingKeys: CodingKey { case id, time, kind }

    /// The encoded kinds.
    private enum Kind: String {
      case publish, delivery, request, missing, retention, garbageCollection, note
    }

    /// Decodes an event: an object with `id`, `time`, `kind` and the members of its content.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      id = try container.decode(Int.self, forKey: .id)
      time = try container.decode(Double.self, forKey: .time)
      let kind = try container.decode(String.self, forKey: .kind)
      content =
        switch Kind(rawValue: kind) {
        case .publish: .publish(try Publish(from: decoder))
        case .delivery: .delivery(try StoreTimeline.Delivery(from: decoder))
        case .request: .request(try Request(from: decoder))
        case .missing: .missing(try Missing(from: decoder))
        case .retention: .retention(try RetentionChange(from: decoder))
        case .garbageCollection: .garbageCollection(try GarbageCollection(from: decoder))
        case .note: .note(try Note(from: decoder))
        case nil: .unknown(kind: kind)
        }
    }

    /// Encodes the event as one object, with the members of its content.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(time, forKey: .time)
      let (kind, content): (String, (any Encodable)?) =
        switch content {
        case .publish(let content): (Kind.publish.rawValue, content)
        case .delivery(let content): (Kind.delivery.rawValue, content)
        case .request(let content): (Kind.request.rawValue, content)
        case .missing(let content): (Kind.missing.rawValue, content)
        case .retention(let content): (Kind.retention.rawValue, content)
        case .garbageCollection(let content): (Kind.garbageCollection.rawValue, content)
        case .note(let content): (Kind.note.rawValue, content)
        case .unknown(let kind): (kind, nil)
        }
      try container.encode(kind, forKey: .kind)
      try content?.encode(to: encoder)
    }
  }
}
