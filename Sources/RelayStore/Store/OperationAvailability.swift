import Foundation

/// Whether an operation can be answered from the store; see ``RelayEnvironment/check(_:)``.
public enum OperationAvailability: Hashable, Sendable {
  /// All of it is there and in date.
  ///
  /// `fetchedAt` is when a response to it was last written, where the store knows: it keeps that of
  /// operations that are retained or in the release buffer.
  case available(fetchedAt: Date?)
  /// It was invalidated, or has expired, since a response to it was last written.
  case stale
  /// Something of it is not in the store, or a null or a deleted record leaves it without data.
  case missing
}
