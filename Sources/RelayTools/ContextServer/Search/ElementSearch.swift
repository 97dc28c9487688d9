import Foundation

/// A search of a schema for types, members and directives by a question, words or an exact name.
struct ElementSearch {
  /// A word of the question.
  private struct Word {
    /// The terms that the word may stand for, with how likely that is, likely ones first.
    let terms: [(term: ElementIndex.Term, likelihood: Float)]
    let importance: Float
    let isOwner: Bool
  }

  /// The likelihood from which on a meaning of a word is likely.
  private static let likely: Float = 0.5
  /// The share that counts of further terms for a word that an element has.
  private static let repeated: Float = 0.25
  /// The factor that is larger than the quotient of any two scores.
  private static let certain: Float = 1_000_000
  /// Results with a smaller share of the best score are left out.
  private static let smallestShare: Float = 0.4

  private let index: ElementIndex
  private let query: String
  private let words: [Word]
  /// The words of the question as they are written.
  private let texts: Set<String>
  /// Whether the question asks for a change.
  private let isChange: Bool
  /// The elements with a name that the query contains.
  private let named: Set<Int>
  /// The elements with a name and a kind that the query contains. They come first.
  private let first: Set<Int>

  init(_ query: String, in index: ElementIndex) {
    self.index = index
    self.query = query.lowercased()
    let question = SearchQuestion(query) { word in
      index.expansions(of: word).contains { $0.value >= 0.6 && index.verbs.contains($0.key) }
    }
    isChange = question.verb != nil
    let asked = question.words.flatMap { word -> [SearchQuestion.Word] in
      guard let undone = index.verb(undoneBy: word.text) else { return [word] }
      return ["remove", undone].map { .init(text: $0, importance: word.importance) }
    }
    words = Self.words(asked, index)
    texts = Set(asked.map(\.text))
    let runs = self.query.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let run =
      runs.count == 1
      ? String(runs[0]).replacing("_", with: "") : question.words.map(\.text).joined()
    let exact = NamedElements(query, in: index)
    first = exact.ofKind
    named = exact.types.union(first).union(index.wholeNames[run] ?? [])
  }

  private static func words(_ words: [SearchQuestion.Word], _ index: ElementIndex) -> [Word] {
    var seen: Set<String> = []
    return words.flatMap { word -> [Word] in
      guard seen.insert(WordStem.stem(of: word.text)).inserted else { return [] }
      if let terms = index.words(withInitials: word.text) {
        return terms.map { Word(terms: [($0, 1)], importance: 0.8, isOwner: word.isOwner) }
      }
      let terms = index.expansions(of: word.text, isWeak: word.importance < 1)
        .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { (term: $0.key, likelihood: $0.value) }
      return [Word(terms: terms, importance: word.importance, isOwner: word.isOwner)]
    }
  }

  /// Returns the elements of the given kinds that match, best first.
  ///
  /// - Complexity: O(*n*) in the elements of the schema.
  func results(_ kinds: Set<Kind> = Set(Kind.allCases)) -> [Item] {
    var found: [(element: Int, score: Float)] = []
    for (element, score) in scores().enumerated() where score > 0 {
      if kinds.contains(index.items[element].kind) { found.append((element, score)) }
    }
    found.sort(by: Self.precedes)
    demoteRepetitions(&found)
    found.sort(by: Self.precedes)
    let best = found.first { $0.score < .infinity && !first.contains($0.element) }
    let limit = (best?.score ?? 0) * Self.smallestShare
    return found.prefix { $0.score >= limit }.map { index.items[$0.element] }
  }

  /// Moves members down that have the name and the description of a better result, such as the
  /// fields of an interface in the types that implement it.
  private func demoteRepetitions(_ found: inout [(element: Int, score: Float)]) {
    var factors: [[ElementIndex.Term]: Float] = [:]
    for index in found.indices.prefix(200) {
      let terms = self.index.terms[found[index].element]
      if terms.owner.isEmpty { continue }
      let key = terms.name + [-1] + terms.description
      found[index].score *= factors[key] ?? 1
      factors[key, default: 1] *= 0.9
    }
  }

  private static func precedes(
    _ left: (element: Int, score: Float), _ right: (element: Int, score: Float)
  ) -> Bool {
    left.score == right.score ? left.element < right.element : left.score > right.score
  }

  // MARK: Scores

  private func scores() -> [Float] {
    let count = index.items.count
    var scores = [Float](repeating: 0, count: count)
    var coverage = scores
    var likelihoods = [Float](repeating: 0, count: index.postings.count)
    let known = words.filter { !$0.terms.isEmpty }
    for word in known {
      for (term, likelihood) in word.terms {
        likelihoods[term] = max(likelihoods[term], likelihood)
      }
      let factor = word.importance * rarity(of: word)
      for (element, match) in matches(of: word).enumerated() where match.score > 0 {
        scores[element] += factor * match.score
        coverage[element] += word.importance * match.likelihood
      }
    }
    for element in named { scores[element] += 3 }
    let total = known.reduce(0) { $0 + $1.importance }
    for element in 0..<count where scores[element] > 0 {
      let covered = named.contains(element) ? 1 : min(1, coverage[element] / total)
      scores[element] *= (0.1 + 0.9 * covered) * factor(of: element, likelihoods)
      if first.contains(element) { scores[element] *= Self.certain }
    }
    return scores
  }

  /// Returns how well a word matches each element: the best of the terms that it may stand for, and
  /// a share of the others.
  private func matches(of word: Word) -> [(score: Float, likelihood: Float)] {
    var best = [(score: Float, likelihood: Float)](repeating: (0, 0), count: index.items.count)
    for (term, likelihood) in word.terms {
      let share = likelihood < Self.likely ? 0 : Self.repeated
      for posting in index.postings[term] {
        let score = likelihood * posting.weight
        let known = best[posting.element]
        best[posting.element] =
          score > known.score
          ? (score + Self.repeated * known.score, likelihood)
          : (known.score + share * score, known.likelihood)
      }
    }
    return best
  }

  /// Returns the factor of an element's score for its names, and for what it is.
  private func factor(of element: Int, _ likelihoods: [Float]) -> Float {
    let (item, importance) = (index.items[element], index.importance[element])
    let isExact =
      item.coordinate.utf8.count == query.utf8.count && item.coordinate.lowercased() == query
    if isExact { return .infinity }
    return (0.75 + 0.5 * fit(of: element, likelihoods)) * (1 + 0.4 * ownerFit(of: element))
      * (isChange ? importance.changing : importance.reading)
      // Types come before members with the same words.
      * (item.owner.isEmpty ? 1.05 : 1)
  }

  /// Returns how much of the name of an element's owner is what the question names as the owner,
  /// from 0 to 1.
  private func ownerFit(of element: Int) -> Float {
    let owner = index.terms[element].owner
    if owner.isEmpty { return 0 }
    let named = owner.count { term in
      words.contains { word in
        word.isOwner && word.terms.contains { $0.likelihood >= Self.likely && $0.term == term }
      }
    }
    return Float(named) / Float(owner.count)
  }

  /// Returns how much of an element's name is in the question, from 0 to 1. A word in the same form,
  /// such as the plural, counts more than another one with its stem.
  private func fit(of element: Int, _ likelihoods: [Float]) -> Float {
    let terms = index.terms[element]
    var fit: Float = 0
    for (term, word) in zip(terms.name, terms.nameWords) where likelihoods[term] > 0 {
      fit += likelihoods[term] == 1 && !texts.contains(word) ? 0.85 : likelihoods[term]
    }
    return fit / Float(max(1, terms.name.count))
  }

  /// Returns how rare the most frequent likely meaning of a word is.
  private func rarity(of word: Word) -> Float {
    let likely = word.terms.filter { $0.likelihood >= Self.likely }
    let terms = likely.isEmpty ? word.terms : likely
    let frequency = Double(terms.map { index.postings[$0.term].count }.max() ?? 0)
    let others = Double(index.items.count) - frequency
    let ratio: Double = 1 + (others + 0.5) / (frequency + 0.5)
    return Float(log(ratio).squareRoot())
  }
}
