/// The type names of a source file: the types that it declares for other files, and the types it
/// uses.
struct SourceNames {
  /// The top-level types that other files can name.
  private(set) var declared: Set<String> = []
  /// The capitalized words that can be names of such types.
  private(set) var used: Set<String> = []
  /// The modules that the file imports.
  private(set) var imports: Set<String> = []

  private static let typeKeywords: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype",
  ]
  private static let genericKeywords: Set<Substring> = ["func", "struct", "class", "enum", "actor"]

  init(_ source: String) {
    let tokens = SwiftTokens(source).tokens
    var depth = 0
    var local: Set<String> = []
    for (index, token) in tokens.enumerated() {
      let previous = index > 0 ? tokens[index - 1] : ""
      let next = index + 1 < tokens.count ? tokens[index + 1] : ""
      if token == "{" { depth += 1 }
      if token == "}" { depth -= 1 }
      if token == "import", previous != ".", depth == 0 {
        imports.insert(Self.module(tokens, after: index))
      }
      if Self.typeKeywords.contains(token), previous != ".", previous != "import",
        next.first?.isUppercase == true
      {
        if depth == 0, !Self.isPrivate(tokens, before: index) { declared.insert(String(next)) }
        if depth > 0 { local.insert(String(next)) }
      }
      if token == "<" { local.formUnion(Self.genericParameters(tokens, from: index)) }
      if token.first?.isUppercase == true, previous != "." { used.insert(String(token)) }
    }
    used.subtract(local)
  }

  /// Returns the module of an import: `import Foundation`, `import struct Foundation.Date`.
  private static func module(_ tokens: [Substring], after index: Int) -> String {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "func", "let", "var", "typealias",
    ]
    return tokens[(index + 1)...].first { !kinds.contains($0) }.map(String.init) ?? ""
  }

  private static func isPrivate(_ tokens: [Substring], before index: Int) -> Bool {
    tokens[..<index].suffix(3).contains { $0 == "private" || $0 == "fileprivate" }
  }

  /// Returns the generic parameters in `func name<A, B: P>`, `struct Name<A>`, `init<A>` and
  /// `subscript<A>`; none for other uses of `<`.
  private static func genericParameters(_ tokens: [Substring], from index: Int) -> Set<String> {
    guard index >= 2 else { return [] }
    let declares =
      genericKeywords.contains(tokens[index - 2])
      || ["init", "subscript"].contains(tokens[index - 1])
      || (tokens[index - 1] == "?" && tokens[index - 2] == "init")
    guard declares else { return [] }
    var names: Set<String> = []
    var depth = 0
    for position in index..<tokens.count {
      if tokens[position] == "<" { depth += 1 }
      if tokens[position] == ">" { depth -= 1 }
      if depth == 0 { break }
      let previous = tokens[position - 1]
      if depth == 1, previous == "," || position == index + 1 {
        names.insert(String(tokens[position]))
      }
    }
    return names
  }
}
