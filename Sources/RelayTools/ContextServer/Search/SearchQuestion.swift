/// The words of a question, with what English grammar says about them.
struct SearchQuestion {
  /// A word that the search looks for.
  struct Word {
    let text: String
    /// How much the word matters, from 0 to 1.
    let importance: Float
    /// Whether the word is the owner of what is asked for, as in `members of an organization`.
    var isOwner = false
  }

  /// The importance of words that say little, and of those that have synonyms nevertheless.
  private static let (weak, asking): (Float, Float) = (0.25, 0.6)
  /// Words between something and its owner: `labels of an issue`, `labels does an issue have`.
  private static let prepositions: Set<String> = ["of", "in", "for", "on", "from", "does", "to"]
  private static let articles: Set<String> = [
    "a", "an", "the", "this", "that", "my", "your", "their", "s",
  ]

  /// Verbs that start a question and say nothing about what is asked for.
  private static let readingVerbs: Set<String> = [
    "fetch", "find", "get", "give", "know", "list", "look", "read", "see", "show", "tell",
  ]

  private(set) var words: [Word] = []
  /// The verb of a request to change something, such as `close an issue`; `nil` for a request that
  /// only reads.
  private(set) var verb: String?

  /// Reads a question.
  ///
  /// - Parameter isVerb: Whether a word is a verb of the schema's mutations.
  init(_ text: String, isVerb: (_ word: String) -> Bool) {
    let all = SearchWords.words(of: text)
    var isOwner = false
    for (index, word) in all.enumerated() {
      if index == 0, Self.readingVerbs.contains(word) { continue }
      if Self.prepositions.contains(word) {
        isOwner = true
      } else if SearchWords.stopWords.contains(word) || SearchWords.weakWords.contains(word) {
        if !Self.articles.contains(word) { isOwner = false }
      }
      if SearchWords.stopWords.contains(word) { continue }
      let isWeak = SearchWords.weakWords.contains(word)
      let hasSynonyms = SearchWords.synonyms[WordStem.stem(of: word)] != nil
      words.append(
        Word(
          text: word, importance: !isWeak ? 1 : hasSynonyms ? Self.asking : Self.weak,
          isOwner: isOwner && !isWeak))
    }
    if words.isEmpty { words = all.map { Word(text: $0, importance: 1) } }
    verb = Self.verb(in: all, isVerb)
  }

  /// A question that starts with a verb, or that has one with `-ing`, asks for a mutation.
  private static func verb(in words: [String], _ isVerb: (_ word: String) -> Bool) -> String? {
    guard let first = words.first, words.count > 1 else { return nil }
    if !SearchWords.stopWords.contains(first), !SearchWords.weakWords.contains(first) {
      // A noun has no article behind it.
      if isVerb(first) || ["a", "an", "the", "this", "my"].contains(words[1]) { return first }
    }
    return words.first { $0.hasSuffix("ing") && isVerb($0) }
  }
}
