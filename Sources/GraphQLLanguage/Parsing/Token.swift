/// What the lexer makes of a text, one piece at a time.
struct Token: Hashable, Sendable {
  enum Kind: UInt8, Hashable, Sendable {
    case endOfText
    /// What is not a token; ``Lexer/failure`` says why.
    case invalid
    case exclamationMark, dollar, ampersand, parenLeft, parenRight, spread, colon, equals, at
    case bracketLeft, bracketRight, braceLeft, pipe, braceRight
    case name, int, float, string, blockString
  }

  var kind: Kind
  /// True when the token is the first of its line.
  var isFirstOnLine: Bool
  var start: UInt32
  var end: UInt32
  /// The text of a name or number; otherwise ``Symbol/empty``.
  var symbol: Symbol

  /// True for the kinds that must be set apart by white space from one another.
  var isPunctuator: Bool { kind.rawValue <= Kind.braceRight.rawValue }
}

extension Token.Kind {
  /// The token as it is named in messages: `"{"`, or what it is.
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
