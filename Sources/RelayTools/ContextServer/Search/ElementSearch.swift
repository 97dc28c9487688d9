import Foundation

/// A search of a schema for types, members and directives by a question, words or an exact name.
struct ElementSearch {
  /// A word of the question.
  private struct Word {
    /// The terms that the word may stand for, with how likely that is.
    let terms: [ElementIndex.Term: Float]
    let importance: Float
  }

  /// The importance of words that say little, and of those of them that have synonyms.
  private static let (weak, asking): (Float, Float) = (0.25, 0.6)
  /// Results with a smaller share of the best score are left out.
  private static let smallestShare: Float = 0.5

  private let index: ElementIndex
  private let query: String
  private let words: [Word]
  /// The words of the question as they are written.
  private let texts: Set<String>
  /// The elements with a name that the query writes without word breaks.
  private let named: Set<Int>

  init(_ query: String, in index: ElementIndex) {
    self.index = index
    self.query = query.lowercased()
    let all = SearchWords.words(of: query)
    var kept = all.filter { !SearchWords.stopWords.contains($0) }
    if kept.isEmpty { kept = all }
    words = Self.words(kept, index)
    texts = Set(kept)
    let runs = self.query.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let run = runs.count == 1 ? String(runs[0]).replacing("_", with: "") : kept.joined()
    named = Set(index.wholeNames[run] ?? [])
  }

  private static func words(_ texts: [String], _ index: ElementIndex) -> [Word] {
    var seen: Set<String> = []
    return texts.flatMap { text -> [Word] in
      let stem = WordStem.stem(of: text)
      guard seen.insert(stem).inserted else { return [] }
      if let terms = index.words(withInitials: text) {
        return terms.map { Word(terms: [$0: 1], importance: 0.8) }
      }
      let isWeak = SearchWords.weakWords.contains(text)
      let importance = !isWeak ? 1 : SearchWords.synonyms[stem] == nil ? weak : asking
      return [Word(terms: index.expansions(of: text), importance: importance)]
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
    found.sort { left, right in
      left.score == right.score ? left.element < right.element : left.score > right.score
    }
    let limit = (found.first { $0.score < .infinity }?.score ?? 0) * Self.smallestShare
    return found.prefix { $0.score >= limit }.map { index.items[$0.element] }
  }

  // MARK: Scores

  private func scores() -> [Float] {
    let count = index.items.count
    var scores = [Float](repeating: 0, count: count)
    var coverage = scores
    var likelihoods = [Float](repeating: 0, count: index.postings.count)
    var total: Float = 0
    for word in words where !word.terms.isEmpty {
      total += word.importance
      var best = [(score: Float, likelihood: Float)](repeating: (0, 0), count: count)
      for (term, likelihood) in word.terms {
        likelihoods[term] = max(likelihoods[term], likelihood)
        for posting in index.postings[term] {
          let score = likelihood * posting.weight
          if score > best[posting.element].score { best[posting.element] = (score, likelihood) }
        }
      }
      let factor = word.importance * rarity(of: word)
      for element in 0..<count where best[element].score > 0 {
        scores[element] += factor * best[element].score
        coverage[element] += word.importance * best[element].likelihood
      }
    }
    for element in 0..<count {
      let isNamed = named.contains(element)
      if isNamed { scores[element] += 3 }
      guard scores[element] > 0 else { continue }
      let covered = total > 0 && !isNamed ? min(1, coverage[element] / total) : 1
      scores[element] *=
        (0.35 + 0.65 * covered) * (0.75 + 0.5 * fit(of: element, likelihoods))
        * index.importance[element]
      // Types come before members with the same words.
      if index.items[element].owner.isEmpty { scores[element] *= 1.05 }
      let coordinate = index.items[element].coordinate
      if coordinate.utf8.count == query.utf8.count, coordinate.lowercased() == query {
        scores[element] = .infinity
      }
    }
    return scores
  }

  /// Returns how much of an element's name is in the question, from 0 to 1. A word in the same form,
  /// such as the plural, counts more than another one with its stem.
  private func fit(of element: Int, _ likelihoods: [Float]) -> Float {
    let terms = index.terms[element]
    var fit: Float = 0
    for (term, word) in zip(terms.name, terms.nameWords) where likelihoods[term] > 0 {
      fit += likelihoods[term] * (texts.contains(word) ? 1 : 0.8)
    }
    return fit / Float(max(1, terms.name.count))
  }

  /// Returns how rare the most frequent likely meaning of a word is.
  private func rarity(of word: Word) -> Float {
    let likely = word.terms.filter { $0.value >= 0.5 }
    let terms = likely.isEmpty ? word.terms : likely
    let frequency = Float(terms.keys.map { index.postings[$0].count }.max() ?? 0)
    let count = Float(index.items.count)
    return log(1 + (count - frequency + 0.5) / (frequency + 0.5))
  }
}
