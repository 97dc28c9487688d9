/// The variables declared by the head of an operation: `query Feed($first: Int, $after: String)`.
enum DeclaredVariables {
  /// Returns the variable names in order; `nil` if `text` does not start with an operation.
  static func names(in text: String) -> [String]? {
    var rest = text.utf8[...]
    while let byte = rest.first, !isName(byte), byte != UInt8(ascii: "{") {
      if byte == UInt8(ascii: "#") { skipComment(&rest) } else { rest = rest.dropFirst() }
    }
    if rest.first == UInt8(ascii: "{") { return [] }
    let keyword = rest.prefix(while: isName)
    guard OperationKind.allCases.contains(where: { $0.rawValue.utf8.elementsEqual(keyword) })
    else { return nil }
    return names(inHead: rest.dropFirst(keyword.count))
  }

  /// Returns the variable names in the parentheses before the directives and selections; an empty
  /// list without such parentheses.
  private static func names(inHead head: Substring.UTF8View) -> [String] {
    var rest = head
    var names: [String] = []
    var depth = 0
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "@"), UInt8(ascii: "{"): if depth == 0 { return names }
      default: break
      }
      switch byte {
      case UInt8(ascii: "#"):
        skipComment(&rest)
        continue
      case UInt8(ascii: "\""):
        skipString(&rest)
        continue
      case UInt8(ascii: "$"):
        names.append(String(Substring(rest.dropFirst().prefix(while: isName))))
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth == 0 { return names }
      default: break
      }
      rest = rest.dropFirst()
    }
    return names
  }

  private static func skipComment(_ rest: inout Substring.UTF8View) {
    rest = rest.drop { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  }

  /// Skips a string; an unterminated string extends to the end of the document.
  private static func skipString(_ rest: inout Substring.UTF8View) {
    let isBlock = rest.starts(with: "\"\"\"".utf8)
    let quotes = isBlock ? "\"\"\"".utf8 : "\"".utf8
    rest = rest.dropFirst(quotes.count)
    while !rest.isEmpty {
      if rest.starts(with: quotes) {
        rest = rest.dropFirst(quotes.count)
        return
      }
      // The only escape in a block string is a backslash before three quotes.
      let isEscape = rest.starts(with: isBlock ? "\\\"\"\"".utf8 : "\\".utf8)
      rest = rest.dropFirst(isEscape ? quotes.count + 1 : 1)
    }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
  }
}
