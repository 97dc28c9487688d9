import RelayStore

extension StoreTimeline {
  /// The cause of a publish.
  public struct Cause: Codable, Sendable, Hashable {
    /// The kind of a cause.
    public enum Kind: String, Codable, Sendable {
      /// The response to a request, a part of one, or the event of a subscription.
      case response
      /// A payload that the app committed.
      case payload
      /// A local update.
      case update
      /// An optimistic update was applied or replaced.
      case optimisticUpdate
      /// An optimistic update was reverted.
      case revert
      /// The records of an earlier run of the app were loaded.
      case load
      /// All data was removed.
      case reset
      /// A live derived field has a new value.
      case liveField
      /// Any other cause, including one unknown to this version.
      case other

      /// Decodes a kind. A kind of a later version becomes ``other``.
      public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = Kind(rawValue: text) ?? .other
      }
    }

    /// The kind of the cause.
    public let kind: Kind
    /// The name of the operation whose response or payload was written, or whose optimistic update
    /// was applied or reverted.
    public let operation: String?
    /// The number of the request in the timeline; see ``Request/number``.
    public let request: Int?

    package init(_ kind: Kind, operation: String? = nil, request: Int? = nil) {
      (self.kind, self.operation, self.request) = (kind, operation, request)
    }
  }
}

extension StoreTimeline.Cause: CustomStringConvertible {
  /// The cause in words, as in `response to FeedQuery`.
  public var description: String {
    let name = operation.map { " \($0)" } ?? ""
    return switch kind {
    case .response: "response to\(name)"
    case .payload: "payload of\(name)"
    case .update: "local update"
    case .optimisticUpdate: "optimistic update" + (operation.map { " of \($0)" } ?? "")
    case .revert: "revert of an optimistic update" + (operation.map { " of \($0)" } ?? "")
    case .load: "load of persisted records"
    case .reset: "reset"
    case .liveField: "live field"
    case .other: "other cause"
    }
  }
}
