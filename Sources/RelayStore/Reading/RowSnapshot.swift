/// What a reader found: a row and how complete it is.
package struct RowSnapshot: Sendable {
  /// `nil` where the data is missing, deleted, or null where it may not be.
  package var row: RowStorage?
  package var missing: [ResponsePath] = []
  package var errors: [FieldError] = []
  package var isDeleted = false
  /// Whether an optimistic update has written anything it saw.
  package var isOptimistic = false
  /// Every record that was looked at.
  package var seen: Set<RecordIndex> = []
  /// The store's revision when it was read.
  package var revision: UInt64 = 0

  package init() {}

  /// Whether a reader of one has to be told of the other.
  package func isDifferent(from other: RowSnapshot) -> Bool {
    row.map(Row.init) != other.row.map(Row.init) || missing != other.missing
      || errors != other.errors || isDeleted != other.isDeleted
  }
}

/// Why a field has no value.
public struct FieldError: Error, Hashable, Sendable {
  /// Where the error comes from; more may come, so a `switch` needs a default.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    public let description: String
    package init(_ description: String) { self.description = description }

    /// The server reported it.
    public static let server = Kind("server")
    /// The value of a custom scalar did not convert to its Swift type.
    public static let scalar = Kind("scalar")
  }

  public var kind: Kind
  public var message: String
  /// The field, from the data it was read with.
  public var path: ResponsePath
}
