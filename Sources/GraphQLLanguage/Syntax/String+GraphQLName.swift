extension String {
  /// Whether the string is a name in GraphQL's grammar: ASCII letters, digits and underscores, not
  /// starting with a digit.
  package var isGraphQLName: Bool { utf8.isGraphQLName }

  /// Whether the string has the form of a Swift type name: ASCII identifiers separated by dots.
  package var isTypeName: Bool {
    utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      .allSatisfy(\.isGraphQLName)
  }
}

extension Sequence<UInt8> {
  /// Whether the bytes are a name in GraphQL's grammar.
  var isGraphQLName: Bool {
    var isFirst = true
    for byte in self {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        break
      case UInt8(ascii: "0")...UInt8(ascii: "9") where !isFirst: break
      default: return false
      }
      isFirst = false
    }
    return !isFirst
  }
}
