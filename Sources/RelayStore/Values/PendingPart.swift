/// A part of a response that has not arrived: a fragment spread with `@defer`, or the rest of a
/// list with `@stream`.
public struct PendingPart: Hashable, Sendable, CustomStringConvertible {
  /// The name of the fragment or operation with the directive.
  public let owner: String
  /// The label of the directive; by default the name of the fragment, or the response key of the
  /// list.
  public let label: String

  /// Creates a part, for comparison in tests.
  public init(owner: String, label: String) {
    self.owner = owner
    self.label = label
  }

  /// Creates a part from the label sent to the server: `Profile$defer$Photos_person`.
  ///
  /// A suffix of the owner's name, as in `Profile:hash$defer$Photos_person`, distinguishes the
  /// labels of one operation and is dropped.
  package init(qualifiedLabel: String) {
    let parts = qualifiedLabel.split(
      separator: "$", maxSplits: 2, omittingEmptySubsequences: false)
    let isQualified = parts.count == 3
    owner = isQualified ? String(parts[0].prefix { $0 != ":" && $0 != "." }) : ""
    label = isQualified ? String(parts[2]) : qualifiedLabel
  }

  /// The owner and the label: `Profile.Photos_person`.
  public var description: String { owner.isEmpty ? label : "\(owner).\(label)" }
}
