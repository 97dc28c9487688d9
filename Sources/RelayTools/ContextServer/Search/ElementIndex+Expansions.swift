extension ElementIndex {
  /// The largest number of completions of an abbreviation.
  private static let completionLimit = 8
  /// The smallest number of a stem's letters that an abbreviation leaves out if it is a word of the
  /// schema itself: `repo` stands for `repository`, but `star` is no abbreviation of `start`.
  private static let abbreviated = 2

  /// Returns the terms that a word of a question may stand for, with how likely that is, from 0
  /// to 1.
  func expansions(of word: String, isWeak: Bool = false) -> [Term: Float] {
    let stem = WordStem.stem(of: word)
    var found: [Term: Float] = [:]
    func add(_ term: Term?, _ weight: Float) {
      if let term { found[term] = max(found[term] ?? 0, weight) }
    }
    let own = numbers[stem]
    let ownCount = own.map { nameCounts[$0] } ?? 0
    add(own, 1)
    for synonym in SearchWords.synonyms[stem] ?? [] { add(numbers[synonym], 0.7) }
    if isWeak { return found }
    for (term, weight) in completions(of: stem, isKnown: own != nil, ownCount) { add(term, weight) }
    if ownCount == 0 {
      for part in nameStems where part != stem {
        if part.utf8.count > 3, own == nil, stem.hasPrefix(part) { add(numbers[part], 0.5) }
        if stem.utf8.count > 3, own == nil, part.contains(stem) { add(numbers[part], 0.35) }
      }
    }
    for (term, share) in own.flatMap({ associations[$0] }) ?? [] {
      // Words of names that occur together often have the same topic only.
      if ownCount == 0 {
        add(term, min(0.6, 0.25 + share))
      } else if share > 0.2 {
        add(term, 0.7 * min(0.6, 0.25 + share))
      }
    }
    return found
  }

  /// Returns the terms of names that a stem abbreviates: `repo` stands for `repository`. The stem
  /// itself may be a word of names too; the more often it is, the less likely its completions are.
  private func completions(
    of stem: String, isKnown: Bool, _ count: Int
  ) -> [(term: Term, weight: Float)] {
    guard stem.utf8.count > (isKnown ? 2 : 1) else { return [] }
    let start = nameStems.partitioningIndex { $0 >= stem }
    let shortest = stem.utf8.count + (isKnown ? Self.abbreviated : 1)
    let terms = nameStems[start...].prefix { $0.hasPrefix(stem) }
      .filter { $0.utf8.count >= shortest }
      .compactMap { numbers[$0] }
    return terms.sorted { nameCounts[$0] > nameCounts[$1] }.prefix(Self.completionLimit).map {
      ($0, 0.5 + 0.45 * Float(nameCounts[$0]) / Float(nameCounts[$0] + count))
    }
  }

  /// Returns the verb whose effect another one undoes, if only that verb is a word of names: `star`
  /// for `unstar`.
  func verb(undoneBy word: String) -> String? {
    func isName(_ word: String) -> Bool {
      numbers[WordStem.stem(of: word)].map { nameCounts[$0] > 0 } ?? false
    }
    guard word.hasPrefix("un"), word.utf8.count > 4, !isName(word) else { return nil }
    let verb = String(word.dropFirst(2))
    return isName(verb) ? verb : nil
  }

  /// Returns the words of the type that initials stand for: `pr` and `prs` are pull requests.
  /// Initials that are a word of more names than the type has uses are just that word.
  func words(withInitials word: String) -> [Term]? {
    let text = word.count > 2 && word.hasSuffix("s") ? String(word.dropLast()) : word
    guard let type = initials[text] else { return nil }
    return type.uses > numbers[text].map { nameCounts[$0] } ?? 0 ? type.words : nil
  }
}

extension Array {
  /// Returns the first index whose element satisfies a predicate that holds for all elements after
  /// it, too.
  fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
