public import Foundation

/// A mutation in the outbox; see `Outbox`.
public struct OutboxEntry: Sendable, Hashable, Identifiable {
  /// The id of an entry, which is also the key by which the server recognizes the mutation.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The key as text.
    public let rawValue: String

    /// Creates the id with a text, such as a stored one.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
  }

  /// The state of an entry.
  ///
  ///     queued   →  sending | blocked
  ///     sending  →  acknowledged | queued | failed | blockedOnAuthentication | unknown
  ///     failed, unknown, blockedOnAuthentication, blocked  →  queued (retried)
  ///
  /// Any state but `acknowledged` ends when the entry is discarded; an acknowledged entry ends when its
  /// response is in the store.
  public enum State: Sendable, Hashable {
    /// The entry waits to be sent: for the network, for its next attempt, or for an entry before it.
    case queued
    /// The entry was sent, and not answered yet.
    case sending
    /// The server has answered. The answer is stored, and is being written to the store.
    case acknowledged
    /// The server has refused it. Its optimistic update is reverted.
    case failed
    /// The server does not accept the credentials.
    case blockedOnAuthentication
    /// An entry that it depends on has failed, or has an unknown outcome.
    case blocked(on: ID)
    /// The entry was sent and not answered, and the server may have executed it: the server cannot
    /// recognize the mutation when it is sent again.
    case unknown
  }

  /// The id, which is also the key by which the server recognizes the mutation.
  public let id: ID
  /// The name of the mutation.
  public let operationName: String
  /// The date at which it was committed.
  public let date: Date
  /// The state.
  public package(set) var state: State
  /// The number of times that it was sent.
  public package(set) var attempts: Int
  /// The message of the last error, in English; `nil` if there was none. That of a network error is a
  /// sentence with its code, such as "The server could not be reached (NSURLErrorDomain -1009)."
  public package(set) var errorMessage: String?
  /// The date before which it is not sent again; `nil` if it need not wait.
  public package(set) var nextAttempt: Date?

  package init(id: ID, operationName: String, date: Date, state: State, attempts: Int) {
    self.id = id
    self.operationName = operationName
    self.date = date
    self.state = state
    self.attempts = attempts
  }
}
