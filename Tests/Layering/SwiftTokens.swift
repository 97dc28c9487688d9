/// The words and punctuation of a Swift source, without comments and string literals.
///
/// String interpolations are omitted too: types named only there do not justify a parser.
struct SwiftTokens {
  private(set) var tokens: [Substring] = []
  private var rest: Substring

  init(_ source: String) {
    rest = source[...]
    while let first = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        skipBlockComment()
      } else if first == "\"" || first == "#", let hashes = openingHashes {
        skipString(hashes: hashes)
      } else if first == "_" || first.isLetter {
        scanWord()
      } else {
        if !first.isWhitespace { tokens.append(rest.prefix(1)) }
        rest.removeFirst()
      }
    }
  }

  /// The number of `#` before the quote of a string literal that starts here; `nil` if none does.
  private var openingHashes: Int? {
    let hashes = rest.prefix { $0 == "#" }.count
    return rest.dropFirst(hashes).first == "\"" ? hashes : nil
  }

  private mutating func scanWord() {
    let word = rest.prefix { $0 == "_" || $0.isLetter || $0.isNumber }
    tokens.append(word)
    rest = rest.dropFirst(word.count)
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if rest.hasPrefix("/*") {
        depth += 1
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("*/") {
        depth -= 1
        rest = rest.dropFirst(2)
      } else {
        rest = rest.dropFirst()
      }
    } while depth > 0 && !rest.isEmpty
  }

  private mutating func skipString(hashes: Int) {
    rest = rest.dropFirst(hashes)
    let quotes = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    let end = quotes + String(repeating: "#", count: hashes)
    let escape = "\\" + String(repeating: "#", count: hashes)
    rest = rest.dropFirst(quotes.count)
    while !rest.isEmpty, !rest.hasPrefix(end) {
      if rest.hasPrefix(escape) {
        rest = rest.dropFirst(escape.count)
        if rest.first == "(" { skipInterpolation() } else { rest = rest.dropFirst() }
      } else {
        rest = rest.dropFirst()
      }
    }
    rest = rest.dropFirst(end.count)
  }

  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      if let hashes = openingHashes {
        skipString(hashes: hashes)
        continue
      }
      if rest.first == "(" { depth += 1 }
      if rest.first == ")" { depth -= 1 }
      rest = rest.dropFirst()
    } while depth > 0 && !rest.isEmpty
  }
}
