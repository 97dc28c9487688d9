public import Foundation

/// A mutation in the outbox; see `Outbox`.
public struct OutboxEntry: Sendable, Hashable, Identifiable {
  /// The id of an entry, which is also the key by which the server recognizes the mutation.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The key as a string.
    public let rawValue: String

    /// Creates the id with a string, such as a persisted one.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
  }

  /// The state of an entry.
  ///
  ///     queued   →  sending | blocked
  ///     sending  →  acknowledged | queued | failed | blockedOnAuthentication | unknown
  ///     failed, unknown, blockedOnAuthentication, blocked  →  queued (retried)
  ///
  /// In any other state than `acknowledged`, the entry ends when it is discarded. An acknowledged
  /// entry ends when its response is in the store.
  public enum State: Sendable, Hashable {
    /// The entry waits to be sent: for the network, for its next attempt, or for an earlier entry.
    case queued
    /// The entry was sent, and no response has arrived.
    case sending
    /// The server has responded. The response is persisted, and is being written to the store.
    case acknowledged
    /// The server has rejected it. Its optimistic update is reverted.
    case failed
    /// The server does not accept the credentials.
    case blockedOnAuthentication
    /// An entry that it depends on has failed or has an unknown outcome.
    case blocked(on: ID)
    /// The entry was sent without a response, and the server may have executed it. The server could
    /// not recognize the mutation if it were sent again.
    case unknown
  }

  /// The id, which is also the key by which the server recognizes the mutation.
  public let id: ID
  /// The name of the mutation.
  public let operationName: String
  /// The date at which it was committed.
  public let date: Date
  /// The current state.
  public package(set) var state: State
  /// The number of times that it was sent.
  public package(set) var attempts: Int
  /// The message of the last error, in English, or `nil`. For a network error, a sentence with its
  /// code, such as "The server could not be reached (NSURLErrorDomain -1009)."
  public package(set) var errorMessage: String?
  /// The date before which it is not sent again; `nil` if it need not wait.
  public package(set) var nextAttempt: Date?
  /// The app's words for the change, for a list of what waits.
  public package(set) var label: String?
  /// The app's values.
  package var userInfo: JSONValue?
  /// The error of the last attempt, as it is persisted.
  package var failure: JSONValue?

  package init(id: ID, operationName: String, date: Date, state: State, attempts: Int) {
    self.id = id
    self.operationName = operationName
    self.date = date
    self.state = state
    self.attempts = attempts
  }
}
