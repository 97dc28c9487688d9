import GraphQLLanguage

/// The text of a configuration file, in which diagnostics point at what they are about.
package struct ConfigurationText {
  /// A string of the file's JSON, without its quotation marks.
  private struct Token {
    let text: String
    let start: Int
    /// The member of the root object that it belongs to, or is the name of.
    let member: String
  }

  private let source: SourceID
  private let tokens: [Token]

  /// Adds a configuration to a workspace.
  ///
  /// - Parameter configuration: A text that was read as JSON before.
  init(_ configuration: Source, in workspace: Workspace) {
    source = workspace.add(configuration)
    tokens = Self.tokens(of: configuration.bytes)
  }

  /// Returns the location of a name in a member of the root object: that of the member where the
  /// name is written with escapes, and the beginning of the file where the member is, too.
  ///
  /// - Parameter owner: A name that precedes it in the member.
  package func location(of name: String, in member: String, after owner: String? = nil) -> Span {
    let all = tokens.filter { $0.member == member }
    var rest = all.dropFirst()
    if let owner { rest = rest.drop { $0.text != owner }.dropFirst() }
    guard let found = rest.first(where: { $0.text == name }) ?? all.first else {
      return Span(start: 0, end: 0, source: source)
    }
    let start = UInt32(truncatingIfNeeded: found.start)
    return Span(start: start, end: start + UInt32(found.text.utf8.count), source: source)
  }

  private static func tokens(of bytes: ContiguousArray<UInt8>) -> [Token] {
    var tokens: [Token] = []
    var (member, depth, isName) = ("", 0, false)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        isName = depth == 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ","): isName = depth == 1
      case UInt8(ascii: ":"): isName = false
      case UInt8(ascii: "\""):
        let start = index + 1
        let end = end(ofStringAt: start, in: bytes)
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        if isName { member = text }
        tokens.append(Token(text: text, start: start, member: member))
        index = end
      default: break
      }
      index += 1
    }
    return tokens
  }

  /// Returns the index of the quotation mark that ends a string.
  private static func end(ofStringAt start: Int, in bytes: ContiguousArray<UInt8>) -> Int {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, bytes.count)
  }
}
