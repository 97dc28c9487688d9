/// The words of names, descriptions and questions.
enum SearchWords {
  /// Returns the lowercase words of a string. Names in camel case are split: `PRsByURL` has the
  /// words `prs`, `by` and `url`.
  static func words(of text: String) -> [String] {
    let letters = Array(text.unicodeScalars)
    var words: [String] = []
    var start = 0
    func end(at index: Int) {
      if start < index {
        words.append(String(String.UnicodeScalarView(letters[start..<index])).lowercased())
      }
      start = index
    }
    for (index, letter) in letters.enumerated() {
      if !isLetter(letter) {
        end(at: index)
        start = index + 1
      } else if startsWord(at: index, in: letters) {
        end(at: index)
      }
    }
    end(at: letters.count)
    return words
  }

  /// Whether an uppercase letter starts a word inside a name in camel case.
  private static func startsWord(at index: Int, in letters: [Unicode.Scalar]) -> Bool {
    guard isUppercase(letters[index]), index > 0 else { return false }
    if !isUppercase(letters[index - 1]) { return true }
    func isLowercase(_ index: Int) -> Bool {
      index < letters.count && isLetter(letters[index]) && !isUppercase(letters[index])
    }
    // The `s` of `PRs` is a plural, and not the second letter of a word.
    let isPlural =
      index + 1 < letters.count && letters[index + 1] == "s" && !isLowercase(index + 2)
    return isLowercase(index + 1) && !isPlural
  }

  /// Whether a scalar belongs to a word: a letter, a digit, or a mark on one of them.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": return true
    default:
      if scalar.isASCII { return false }
      let properties = scalar.properties
      return properties.isAlphabetic || properties.numericType != nil
        || properties.generalCategory == .nonspacingMark && !properties.isVariationSelector
    }
  }

  private static func isUppercase(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? ("A"..."Z").contains(scalar) : scalar.properties.isUppercase
  }

  // MARK: Tables

  /// Words without a meaning of their own in a question.
  static let stopWords: Set<String> = Set(
    """
    a about also am an and any as be because been being but could did do does \
    doing done each else every for from given go got had having how i if in into it its just \
    let may might must need me my of off on one or other our out over own please s same shall \
    should so some such t than that the their them then there these they thing things this \
    those through to under us use used using very via want was we were what which while will \
    with would you your
    """.split(separator: " ").map(String.init))

  /// Words that say little, and count only in names: `is` finds `isPrivate`.
  static let weakWords: Set<String> = Set(
    """
    all anybody anyone are at before after between by can everyone fetch find get give has have is \
    know list look many most much no not only see show somebody someone tell up when where who \
    whose why
    """.split(separator: " ").map(String.init))

  /// Words that developers use for one another, whatever the schema is about.
  private static let synonymGroups = """
    many much count total number amount
    when at date time
    who user author actor creator owner by
    everyone anyone anybody someone somebody people person member user
    where url location path
    delete remove destroy
    create add new make open put
    update edit change modify set
    url link address website
    image picture photo avatar icon
    login username handle nickname
    signed logged authenticated
    description summary text body content
    message comment note reply
    private secret hidden visibility public
    error failure problem fail
    success passed green
    status state ci build check
    type kind category
    size length big large bytes
    start launch
    end finish complete close done
    parent owner ancestor
    child children sub
    latest last recent newest
    sort order most
    left remaining
    more next
    item result entry
    allow permit permission can
    reject decline refuse dismiss
    expire deadline due
    write wrote written author
    ticket bug issue task
    tag label
    draft wip progress
    like reaction thumbs
    run execute trigger
    """.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }

  /// The stems of the synonyms of each stem.
  static let synonyms: [String: [String]] = {
    var synonyms: [String: [String]] = [:]
    for group in synonymGroups {
      let stems = group.map(WordStem.stem)
      for stem in stems { synonyms[stem, default: []] += stems.filter { $0 != stem } }
    }
    return synonyms
  }()
}
