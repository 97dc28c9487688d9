/// A token of a source text.
struct Token: Hashable, Sendable {
  enum Kind: UInt8, Hashable, Sendable {
    case endOfText
    /// A character that does not belong to a token; ``Lexer/failure`` has the reason.
    case invalid
    case exclamationMark, dollar, ampersand, parenLeft, parenRight, spread, colon, equals, at
    case bracketLeft, bracketRight, braceLeft, pipe, braceRight
    case name, int, float, string, blockString
  }

  var kind: Kind
  /// Whether the token is the first of its line.
  var isFirstOnLine: Bool
  var start: UInt32
  var end: UInt32
  /// The interned text of a name or number; ``Symbol/empty`` for the other kinds.
  var symbol: Symbol

  /// Whether the token is a punctuator, invalid or the end of the text. Only the other kinds need
  /// white space between one another.
  var isPunctuator: Bool { kind.rawValue <= Kind.braceRight.rawValue }
}

extension Token.Kind {
  /// The kind as messages show it: a punctuator in quotes, or words such as `a name`.
  var description: String {
    switch self {
    case .endOfText: "the end of the text"
    case .invalid: "an invalid character"
    case .exclamationMark: "\"!\""
    case .dollar: "\"$\""
    case .ampersand: "\"&\""
    case .parenLeft: "\"(\""
    case .parenRight: "\")\""
    case .spread: "\"...\""
    case .colon: "\":\""
    case .equals: "\"=\""
    case .at: "\"@\""
    case .bracketLeft: "\"[\""
    case .bracketRight: "\"]\""
    case .braceLeft: "\"{\""
    case .pipe: "\"|\""
    case .braceRight: "\"}\""
    case .name: "a name"
    case .int: "an integer"
    case .float: "a number"
    case .string: "a string"
    case .blockString: "a block string"
    }
  }
}
