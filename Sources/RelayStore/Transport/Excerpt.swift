/// A redacted excerpt of an HTTP response that is not a GraphQL response, for diagnostics.
package enum Excerpt {
  private static let lengthLimit = 200

  /// Returns the beginning of a text on one line, without markup; anything that may be a value
  /// becomes `…`.
  ///
  /// Only words of plain letters, with no capital after the first letter, and numbers of up to
  /// three digits are kept: enough for "502 Bad Gateway", too little for a token or an e-mail
  /// address. A quoted text becomes `…` as a whole.
  package static func redacted(_ bytes: some Sequence<UInt8>) -> String {
    let text = String(decoding: Array(bytes.prefix(4096)), as: UTF8.self)
    var words: [String] = []
    var length = 0
    for word in withoutMarkup(text).split(whereSeparator: \.isWhitespace) {
      let shown = isHarmless(word) ? String(word) : "…"
      if shown == "…", words.last == "…" { continue }
      length += shown.utf8.count + 1
      if length > lengthLimit { break }
      words.append(shown)
    }
    return words.joined(separator: " ")
  }

  /// Returns the media type and the beginning of a response that is not a GraphQL response, as the
  /// end of a sentence: ` (text/html), which begins with: Please sign in.`
  ///
  /// The excerpt of JSON is left out: without its texts and numbers it says nothing.
  package static func ending(for response: GraphQLResponse) -> String {
    let type = response.mediaType.map { " (\($0))" } ?? ""
    let isJSON = response.body.first { $0 > 0x20 }.map { "{[\"".utf8.contains($0) } ?? false
    let text = isJSON ? "" : redacted(response.body)
    let hasWords = text.unicodeScalars.contains { $0.properties.isAlphabetic }
    return hasWords ? "\(type), which begins with: \(text)" : "\(type)."
  }

  private static func withoutMarkup(_ text: String) -> String {
    var result = ""
    var isInTag = false
    var isInQuotes = false
    for character in text {
      switch character {
      case "<": isInTag = true
      case ">" where isInTag:
        isInTag = false
        result += " "
      case "\"" where !isInTag:
        isInQuotes.toggle()
        result += isInQuotes ? " @" : " "
      default: if !isInTag, !isInQuotes { result.append(character) }
      }
    }
    return result
  }

  private static func isHarmless(_ word: Substring) -> Bool {
    let letters = word.utf8.drop { "([".utf8.contains($0) }
    let core = letters.prefix { !".,:;!?)]".utf8.contains($0) }
    guard letters.dropFirst(core.count).allSatisfy({ ".,:;!?)]".utf8.contains($0) }) else {
      return false
    }
    guard let first = core.first else { return false }
    if core.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) { return core.count <= 3 }
    // Setting bit 5 maps an upper-case ASCII letter to lower case.
    return core.count <= 20 && UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20
      && core.dropFirst().allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
  }
}
