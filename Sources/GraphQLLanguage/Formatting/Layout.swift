/// A document as a sequence of tokens, separators and groups, from which the line breaks follow.
///
/// A group is written on one line if it fits, and otherwise with a line break at each of its own
/// separators. Nested groups decide for themselves.
struct Layout {
  enum Element {
    /// The token at an index, without the comments before it.
    case token(Int)
    /// The comments before the token at an index.
    case comments(Int)
    case space
    /// A separator of the innermost group: a line break if the group is broken. A separator outside
    /// of groups always breaks.
    case line(Separator, keepsBlankLine: Bool)
    /// A line break, which also breaks the groups around it.
    case hardLine(keepsBlankLine: Bool)
    case beginGroup, endGroup
    case indent, dedent
  }

  /// The text of a separator in a group that is written on one line. Of consecutive separators the
  /// greatest counts.
  enum Separator: Int {
    case none, space, comma

    /// The number of characters.
    var width: Int { rawValue }
  }

  var elements: [Element] = []
}
