/// A redacted excerpt of an HTTP response that is not a GraphQL response, for diagnostics.
package enum Excerpt {
  private static let lengthLimit = 200

  /// Returns the start of the body on one line, without markup; anything that may be a value
  /// becomes `…`.
  ///
  /// Preserves only numbers of up to three digits and words of plain letters with no capital after
  /// the first letter. That is enough for "502 Bad Gateway", but too little for a token or an
  /// e-mail address. Each quoted string becomes a single `…`.
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

  /// Returns the media type and the start of a response that is not a GraphQL response, as the end
  /// of a sentence: ` (text/html), starting with: Please sign in.`
  ///
  /// Omits the excerpt of JSON, because redacted JSON has no information.
  package static func ending(for response: GraphQLResponse) -> String {
    let type = response.mediaType.map { " (\($0))" } ?? ""
    let isJSON = response.body.first { $0 > 0x20 }.map { "{[\"".utf8.contains($0) } ?? false
    let text = isJSON ? "" : redacted(response.body)
    let hasWords = text.unicodeScalars.contains { $0.properties.isAlphabetic }
    return hasWords ? "\(type), starting with: \(text)" : "\(type)."
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
    // Setting bit 5 maps an uppercase ASCII letter to lowercase.
    return core.count <= 20 && UInt8(ascii: "a")...UInt8(ascii: "z") ~= first | 0x20
      && core.dropFirst().allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
  }
}
