/// A token of a source.
package struct Token: Hashable, Sendable {
  /// The kind of a token. A single-character punctuator has that character as its raw value.
  package enum Kind: UInt8, Hashable, Sendable {
    case endOfText
    /// A character outside any token; the lexer's `failure` has the reason.
    case invalid
    case name, int, float, string, blockString, spread
    case exclamationMark = 0x21
    case dollar = 0x24
    case ampersand = 0x26
    case parenLeft = 0x28
    case parenRight = 0x29
    case colon = 0x3A
    case equals = 0x3D
    case at = 0x40
    case bracketLeft = 0x5B
    case bracketRight = 0x5D
    case braceLeft = 0x7B
    case pipe = 0x7C
    case braceRight = 0x7D
  }

  package var kind: Kind
  /// Whether the token is the first on its line.
  package var isFirstOnLine: Bool
  package var start: UInt32
  package var end: UInt32
  /// The interned spelling of a name or number; ``Symbol/empty`` for other kinds.
  package var symbol: Symbol

  /// Whether the token is a punctuator, invalid, or the end of the source. Only the other kinds
  /// need white space between them.
  var isPunctuator: Bool {
    switch kind {
    case .name, .int, .float, .string, .blockString: false
    default: true
    }
  }
}

extension Token.Kind {
  /// The kind as it appears in messages: a punctuator in quotes, or words such as `a name`.
  var description: String {
    switch self {
    case .endOfText: "the end of the document"
    case .invalid: "an invalid character"
    case .name: "a name"
    case .int: "an integer"
    case .float: "a number"
    case .string: "a string"
    case .blockString: "a block string"
    case .spread: "\"...\""
    default: "\"\(Character(Unicode.Scalar(rawValue)))\""
    }
  }
}
