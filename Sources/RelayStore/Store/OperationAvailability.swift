import Foundation

/// The availability of an operation's data in the store; see ``RelayEnvironment/check(_:)``.
public enum OperationAvailability: Hashable, Sendable {
  /// All data is in the store, and none of it is stale.
  ///
  /// `fetchedAt` is the time of the last written response. It is `nil` unless the operation is
  /// retained or in the release buffer.
  case available(fetchedAt: Date?)
  /// Data is absent but may be on disk, because the store is still loading.
  case notLoaded
  /// The data was invalidated or has expired since a response was last written.
  case stale
  /// Data is missing, or nothing can be read because of a null or a deleted record.
  ///
  /// The missing data is listed in the order the check found it.
  case missing([MissingData])

  /// Whether all data is in the store, and none of it is stale.
  public var isAvailable: Bool { if case .available = self { true } else { false } }

  /// Whether data is missing.
  public var isMissing: Bool { if case .missing = self { true } else { false } }
}
