/// The label of a deferred or streamed part, as it is sent: `Owner$defer$name`.
///
/// An operation must not have a label twice. Where the same part is sent several times, an addition
/// follows the owner's name: `.2` for a part that a definition has twice, and `:hash` for one in a
/// copy of a fragment, so that a label may be `Owner.2:hash$defer$name`. The runtime drops additions:
/// an app sees the same owner and name for all of them.
struct PartLabel: Hashable, Sendable {
  /// The definition that has the directive.
  var owner: String
  /// What distinguishes the label from others with the same owner, kind and name; mostly empty.
  var addition = ""
  /// The name of the directive.
  let kind: String
  /// The part's name: the argument `label` of the directive, by default the fragment's name or the
  /// field's response key.
  let name: String

  init(owner: String, kind: String, name: String) {
    self.owner = owner
    self.kind = kind
    self.name = name
  }

  /// Creates a label from its text; `nil` if the text is not qualified with an owner.
  init?(_ text: String) {
    let components = text.split(separator: "$", maxSplits: 2, omittingEmptySubsequences: false)
    guard components.count == 3, components[1] == "defer" || components[1] == "stream" else {
      return nil
    }
    // The names of definitions have neither character.
    let owner = components[0].prefix { $0 != "." && $0 != ":" }
    self.init(owner: String(owner), kind: String(components[1]), name: String(components[2]))
    addition = String(components[0].dropFirst(owner.count))
  }

  /// The label as it is sent.
  var text: String { "\(owner)\(addition)$\(kind)$\(name)" }

  /// The name of the definition that has the directive in a text that is sent: that of the copy, if
  /// the label is in one.
  var sentOwner: String {
    let copy = addition.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last
    return copy.map { "\(owner)_\($0)" } ?? owner
  }
}
