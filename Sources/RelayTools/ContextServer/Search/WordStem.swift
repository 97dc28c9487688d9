/// The stem of an English word, by Porter's algorithm of 1980: `repositories` and `repository`
/// have one stem, as `reviewer`, `reviewed` and `reviews` do.
enum WordStem {
  /// Returns the stem of a lowercase word. Words with other letters than `a` to `z`, and words of
  /// one or two letters, are their own stems, as are words of more than 64.
  static func stem(of word: String) -> String {
    let bytes = Array(word.utf8)
    let isEnglish = bytes.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    guard isEnglish, (3...64).contains(bytes.count) else { return word }
    var stem = Stem(bytes: bytes)
    stem.removePlural()
    stem.removeTense()
    if stem.hasSuffix("y"), stem.hasVowel(before: 1) { stem.replaceSuffix(1, with: "i") }
    stem.replaceFirst(of: Stem.longSuffixes) { $0 > 0 }
    stem.replaceFirst(of: Stem.shortSuffixes) { $0 > 0 }
    stem.replaceFirst(of: Stem.lastSuffixes) { $0 > 1 }
    stem.removeFinalE()
    return String(decoding: stem.bytes, as: UTF8.self)
  }
}

/// A word whose suffixes are removed one after the other.
private struct Stem {
  typealias Suffixes = [(suffix: String, replacement: String)]

  static let longSuffixes: Suffixes = [
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("abli", "able"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
  ]
  static let shortSuffixes: Suffixes = [
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
  ]
  static let lastSuffixes: Suffixes = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion",
    "ou", "ism", "ate", "iti", "ous", "ive", "ize",
  ].map { ($0, "") }

  private(set) var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Steps

  mutating func removePlural() {
    if hasSuffix("sses") || hasSuffix("ies") {
      replaceSuffix(2, with: "")
    } else if hasSuffix("s"), !hasSuffix("ss"), !hasSuffix("us") {
      replaceSuffix(1, with: "")
    }
  }

  mutating func removeTense() {
    if hasSuffix("eed") {
      if measure(before: 3) > 0 { replaceSuffix(1, with: "") }
      return
    }
    guard let length = ["ed", "ing"].first(where: hasSuffix)?.count, hasVowel(before: length) else {
      return
    }
    replaceSuffix(length, with: "")
    if hasSuffix("at") || hasSuffix("bl") || hasSuffix("iz") {
      bytes.append(UInt8(ascii: "e"))
    } else if endsInDoubleConsonant, !["l", "s", "z"].contains(where: hasSuffix) {
      replaceSuffix(1, with: "")
    } else if measure(before: 0) == 1, endsInShortSyllable(before: 0) {
      bytes.append(UInt8(ascii: "e"))
    }
  }

  /// Replaces the longest suffix of a table that the word has, if the measure of the rest allows it.
  mutating func replaceFirst(of suffixes: Suffixes, if isAllowed: (_ measure: Int) -> Bool) {
    let found = suffixes.filter { suffix, _ in
      // Only `s` and `t` precede the suffix `ion`.
      hasSuffix(suffix) && (suffix != "ion" || hasSuffix("sion") || hasSuffix("tion"))
    }.max { $0.suffix.utf8.count < $1.suffix.utf8.count }
    guard let (suffix, replacement) = found, isAllowed(measure(before: suffix.utf8.count)) else {
      return
    }
    replaceSuffix(suffix.utf8.count, with: replacement)
  }

  mutating func removeFinalE() {
    if hasSuffix("e") {
      let measure = measure(before: 1)
      if measure > 1 || (measure == 1 && !endsInShortSyllable(before: 1)) {
        replaceSuffix(1, with: "")
      }
    }
    if hasSuffix("ll"), measure(before: 1) > 1 { replaceSuffix(1, with: "") }
  }

  mutating func replaceSuffix(_ length: Int, with text: String) {
    bytes.removeLast(length)
    bytes += text.utf8
  }

  // MARK: Letters

  func hasSuffix(_ suffix: String) -> Bool {
    bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// Whether the letter at an index is a consonant; `y` is one at the start and after a vowel.
  private func isConsonant(_ index: Int) -> Bool {
    switch bytes[index] {
    case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"),
      UInt8(ascii: "u"):
      false
    case UInt8(ascii: "y"): index == 0 || !isConsonant(index - 1)
    default: true
    }
  }

  func hasVowel(before suffix: Int) -> Bool {
    (0..<(bytes.count - suffix)).contains { !isConsonant($0) }
  }

  /// The number of vowel sequences that a consonant follows, in the word without a suffix.
  private func measure(before suffix: Int) -> Int {
    let consonants = (0..<(bytes.count - suffix)).map(isConsonant)
    return zip(consonants, consonants.dropFirst()).count { !$0 && $1 }
  }

  private var endsInDoubleConsonant: Bool {
    let count = bytes.count
    return count > 1 && bytes[count - 1] == bytes[count - 2] && isConsonant(count - 1)
  }

  /// Whether the word without a suffix ends in a consonant, a vowel and a consonant that is neither
  /// `w`, `x` nor `y`.
  private func endsInShortSyllable(before suffix: Int) -> Bool {
    let end = bytes.count - suffix
    guard end > 2, isConsonant(end - 3), !isConsonant(end - 2), isConsonant(end - 1) else {
      return false
    }
    return !"wxy".utf8.contains(bytes[end - 1])
  }
}
