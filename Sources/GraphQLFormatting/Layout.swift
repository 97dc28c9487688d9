/// A document as a sequence of tokens, separators and groups. ``LayoutPrinter`` derives the line
/// breaks from it.
///
/// A group goes on one line if it fits; otherwise each of its own separators becomes a line break.
/// Nested groups are decided separately.
struct Layout {
  enum Element {
    /// The token at an index, without its comments.
    case token(Int)
    /// The comments before the token at an index.
    case comments(Int)
    case space
    /// A separator of the innermost group. It is a line break if the group is broken or if there is
    /// no group.
    case line(Separator, keepsBlankLine: Bool)
    /// A line break that also breaks the enclosing groups.
    case hardLine(keepsBlankLine: Bool)
    case beginGroup, endGroup
    case indent, dedent
  }

  /// The separator within a group that fits on one line. The widest of several consecutive
  /// separators wins.
  enum Separator: Int {
    case none, space, comma

    /// The width in characters.
    var width: Int { rawValue }
  }

  var elements: [Element] = []
}
