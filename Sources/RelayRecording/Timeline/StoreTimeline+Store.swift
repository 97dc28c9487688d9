public import RelayStore

extension StoreTimeline {
  /// A record of the store.
  public struct Record: Codable, Sendable, Hashable, Identifiable {
    /// Whether the record exists.
    public enum State: String, Codable, Sendable {
      /// The record exists.
      case present
      /// The record was deleted.
      case deleted
    }

    /// The record's id.
    public var id: DataID
    /// Its type, if it is known.
    public var typeName: String?
    /// Whether it exists.
    public var state: State
    /// Its fields, sorted by name.
    public var fields: [Field]
  }

  /// A field of a record.
  public struct Field: Codable, Sendable, Hashable {
    /// The kind of a value.
    public enum Kind: String, Codable, Sendable {
      /// A JSON value of this kind.
      case null, bool, number, string, list, object
      /// A link to a record, or a list of links.
      case link, links
    }

    /// The name with the arguments, as in a store dump.
    public var key: String
    /// The kind of the value.
    public var kind: Kind
    /// The value as JSON; `nil` for links, and if values are redacted.
    public var value: String?
    /// The records that it links to; `nil` in place of a null in a list.
    public var links: [DataID?]?
    /// Whether the server has reported errors for the field.
    public var hasErrors: Bool
  }

  /// A live optimistic update.
  public struct Layer: Codable, Sendable, Hashable, Identifiable {
    /// The number of the update.
    public var id: Int
    /// The records that it has written, sorted by id.
    public var records: [DataID]
  }

  /// A live observer of a fragment or operation.
  public struct Observer: Codable, Sendable, Hashable, Identifiable {
    /// The number of the observer, which grows with each registration.
    public var id: Int
    /// The fragment or operation that is observed; empty if it has no name.
    public var owner: String
    /// The record that it is read from.
    public var record: DataID
    /// The number of records that it depends on.
    public var seenRecords: Int
    /// The paths of the fields that it lacks.
    public var missing: [ResponsePath]
    /// Why fields are missing, each on one line; of the first hundred observers only. See
    /// ``MissingExplanation``.
    public var explanations: [String]
    /// The records that it keeps, each with the way to it.
    public var reached: [Reached]
  }

  /// A record that an operation or an observer reaches, which garbage collection keeps for it.
  public struct Reached: Codable, Sendable, Hashable {
    /// The record.
    public var record: DataID
    /// The record that links to it on the shortest way; `nil` for the first record.
    public var from: DataID?
    /// The field of that record which links to it.
    public var field: String?
    /// The index in the field's list; `nil` if it is not a list.
    public var index: Int?
  }

  /// An operation whose records are kept.
  public struct Operation: Codable, Sendable, Hashable {
    /// The operation's name.
    public var name: String
    /// The variables as JSON; `nil` if values are redacted.
    public var variables: String?
    /// The number of its retentions; 0 in the release buffer.
    public var retentions: Int
    /// Whether it is kept until it is unpinned.
    public var isPinned: Bool
    /// Whether it was marked as stale.
    public var isStale: Bool
    /// The time of the last response, in seconds since the timeline's start; `nil` for none.
    public var fetched: Double?
    /// The seconds until its data is stale; `nil` if it does not expire.
    public var timeLeft: Double?
    /// The records that it keeps, each with the way to it.
    public var reached: [Reached]
  }
}
