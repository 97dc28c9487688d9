public import RelayStore

/// A part of a response that a server delivers later: a deferred fragment, or an item of a list.
public struct IncrementalPart: Sendable, Hashable {
  /// The `label` argument of the directive, or `nil`.
  public let label: String?
  /// The path of the fragment's object, or of the item.
  public let path: ResponsePath
  /// Whether the part is an item of a list with `@stream`; otherwise it is a deferred fragment.
  public let isStreamItem: Bool
}
