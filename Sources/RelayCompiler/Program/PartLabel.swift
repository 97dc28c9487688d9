/// The label of a deferred or streamed part, as it is sent: `Owner$defer$name`.
///
/// Labels must be unique within an operation. If the same part is sent several times, an addition
/// follows the owner's name: `.2` for a part that occurs twice in a definition, and `:hash` for a
/// part in a copy of a fragment. A label may be `Owner.2:hash$defer$name`. The runtime drops
/// additions, so an app sees the same owner and name for all of these parts.
struct PartLabel: Hashable, Sendable {
  /// The definition that contains the directive.
  var owner: String
  /// The suffix that distinguishes labels with the same owner, kind and name; usually empty.
  var addition = ""
  /// The name of the directive.
  let kind: String
  /// The part's name: the directive's `label` argument, by default the fragment's name or the
  /// field's response key.
  let name: String

  init(owner: String, kind: String, name: String) {
    self.owner = owner
    self.kind = kind
    self.name = name
  }

  /// Parses a label; returns `nil` if it is not qualified with an owner.
  init?(_ text: String) {
    let components = text.split(separator: "$", maxSplits: 2, omittingEmptySubsequences: false)
    guard components.count == 3, components[1] == "defer" || components[1] == "stream" else {
      return nil
    }
    // Names of definitions contain neither character.
    let owner = components[0].prefix { $0 != "." && $0 != ":" }
    self.init(owner: String(owner), kind: String(components[1]), name: String(components[2]))
    addition = String(components[0].dropFirst(owner.count))
  }

  /// The label as it is sent.
  var text: String { "\(owner)\(addition)$\(kind)$\(name)" }

  /// The name of the definition that contains the directive in an operation text: the copy of the
  /// fragment, if the label is in one.
  var sentOwner: String {
    let copy = addition.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last
    return copy.map { "\(owner)_\($0)" } ?? owner
  }
}
