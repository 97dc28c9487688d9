/// The scanner's current declaration of a constant or variable at file scope.
///
/// The scanner passes every word, and the first byte of every other token. The transitions are
///
///     none ─ let, var ─▶ keyword ─ a word ─▶ name ─ "=" ─▶ value
///
/// and any token that cannot continue `let name: Type = graphql(…)` leads back to `none`.
struct FileScopeBinding {
  private enum State {
    case none, keyword
    case name(Range<Int>)
    case value(Range<Int>)
  }

  private var state = State.none
  /// The number of open braces; 0 at file scope.
  private var depth = 0

  /// The range of the name initialized by a tag at the scanner's position; `nil` if the tag is not
  /// the complete value of a declaration at file scope.
  var initializedName: Range<Int>? {
    if case .value(let name) = state { name } else { nil }
  }

  /// Continues after a tag.
  mutating func readTag() { state = .none }

  /// Continues with an identifier or keyword.
  mutating func read(word: Range<Int>, in cursor: SwiftCursor) {
    guard depth == 0 else { return }
    switch state {
    case .none:
      if cursor.text(word, equals: "let") || cursor.text(word, equals: "var") { state = .keyword }
    case .keyword: state = .name(word)
    case .name: break
    case .value: if !cursor.text(word, equals: "RelayStore") { state = .none }
    }
  }

  /// Continues with another token.
  mutating func read(token byte: UInt8) {
    switch (byte, state) {
    case (UInt8(ascii: "{"), _):
      depth += 1
      state = .none
    case (UInt8(ascii: "}"), _):
      depth = max(0, depth - 1)
      state = .none
    // White space, a comment, the backticks of a name, or the components of a type.
    case (0...0x20, _), (UInt8(ascii: "/"), _), (UInt8(ascii: "`"), _), (UInt8(ascii: "."), _),
      (UInt8(ascii: ":"), .name):
      break
    case (UInt8(ascii: "="), .name(let name)): state = .value(name)
    default: state = .none
    }
  }
}
