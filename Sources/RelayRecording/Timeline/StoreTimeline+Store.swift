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
    /// The record's type, if it is known.
    public var typeName: String?
    /// Whether the record exists.
    public var state: State
    /// The record's fields, sorted by name.
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
    /// The records that the field links to; a null in a list is `nil`.
    public var links: [DataID?]?
    /// Whether the server reported errors for the field.
    public var hasErrors: Bool
  }

  /// A live optimistic update.
  public struct Layer: Codable, Sendable, Hashable, Identifiable {
    /// The number of the update.
    public var id: Int
    /// The records that the update has written, sorted by id.
    public var records: [DataID]
  }

  /// A live observer of a fragment or operation.
  public struct Observer: Codable, Sendable, Hashable, Identifiable {
    /// The number of the observer; it increases with each registration.
    public var id: Int
    /// The observed fragment or operation; empty if it has no name.
    public var owner: String
    /// The record that the data is read from.
    public var record: DataID
    /// The number of records that the data depends on.
    public var seenRecords: Int
    /// The paths of missing fields.
    public var missing: [ResponsePath]
    /// Why fields are missing, one line each; only for the first hundred observers. See
    /// ``MissingExplanation``.
    public var explanations: [String]
    /// The records that the observer retains, each with the link to it.
    public var reached: [Reached]
  }

  /// A record that an operation or an observer reaches, and so retains.
  public struct Reached: Codable, Sendable, Hashable {
    /// The record.
    public var record: DataID
    /// The record that links to it on the shortest path; `nil` for the first record.
    public var from: DataID?
    /// The field of that record with the link.
    public var field: String?
    /// The index in the field's list; `nil` if the field is not a list.
    public var index: Int?
  }

  /// An operation whose records are retained.
  public struct Operation: Codable, Sendable, Hashable {
    /// The operation's name.
    public var name: String
    /// The variables as JSON; `nil` if values are redacted.
    public var variables: String?
    /// The number of its retentions; 0 in the release buffer.
    public var retentions: Int
    /// Whether it is retained until it is unpinned.
    public var isPinned: Bool
    /// Whether it was marked as stale.
    public var isStale: Bool
    /// The time of the last response, in seconds since the timeline's start; `nil` without one.
    public var fetched: Double?
    /// The seconds until its data expires; `nil` if it does not expire.
    public var timeLeft: Double?
    /// The records that the operation retains, each with the link to it.
    public var reached: [Reached]
  }
}
