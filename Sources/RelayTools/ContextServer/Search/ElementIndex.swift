import GraphQLLanguage

/// An inverted index of a schema's elements by the stems of their words.
struct ElementIndex {
  /// The number of a stem.
  typealias Term = Int

  /// An element that has a term.
  struct Posting {
    let element: Int
    /// How much the element is about the term, from 0 to 1.
    let weight: Float
  }

  /// The terms of an element's fields.
  struct Terms {
    let name: [Term]
    /// The words of the name, before they are reduced to stems.
    let nameWords: [String]
    let owner: [Term]
    /// The names of the arguments and of the type.
    let other: [Term]
    /// The name of a field's type.
    let type: [Term]
    let description: [Term]
  }

  /// The elements, in the order of the schema.
  let items: [ElementSearch.Item]
  private(set) var terms: [Terms] = []
  /// The number of each stem.
  private(set) var numbers: [String: Term] = [:]
  private(set) var postings: [[Posting]] = []
  /// The number of elements with a term in their own names.
  private(set) var nameCounts: [Int] = []
  /// The stems of names, sorted.
  private(set) var nameStems: [String] = []
  /// The elements by their names as ``wholeName(_:)`` returns them.
  private(set) var wholeNames: [String: [Int]] = [:]
  /// The names of the root types, by the kind of their operations.
  let roots: [String: String]
  /// For each term of descriptions, the terms of the names that it tends to describe.
  private(set) var associations: [Term: [(term: Term, weight: Float)]] = [:]
  /// The words of the most used type with these initials, and the number of its uses.
  private(set) var initials: [String: (words: [Term], uses: Int)] = [:]
  /// The factors of the elements' scores that do not depend on the question's words.
  let importance: [ElementImportance.Factors]
  /// The first words of the fields of the mutation type.
  private(set) var verbs: Set<Term> = []

  /// Indexes the schema of a context.
  ///
  /// - Complexity: O(*n*) in the size of the schema with its descriptions.
  init(_ context: LanguageContext) {
    let items = ElementSearch.items(of: context)
    let importance = ElementImportance(context.schema)
    self.items = items
    self.importance = items.map { importance.factors(of: $0, in: context.schema) }
    let schema = context.schema
    roots = [
      "query": schema.queryType, "mutation": schema.mutationType,
      "subscription": schema.subscriptionType,
    ].compactMapValues { $0.map { schema.name(of: $0.id) } }
    var stems = StemNumbers()
    terms = items.map { Self.terms(of: $0, in: context, &stems) }
    numbers = stems.numbers
    for (index, item) in items.enumerated() {
      wholeNames[Self.wholeName(item.name.drop { $0 == "@" }), default: []].append(index)
    }
    for field in context.schema.mutationType?.fields.elements ?? [] {
      let words = SearchWords.words(of: context.symbols[field.symbol])
      if let first = words.first { verbs.insert(stems.term(of: first)) }
    }
    numbers = stems.numbers
    addPostings()
    let words = numbers.sorted { $0.value < $1.value }.map(\.key)
    nameStems = words.indices.filter { nameCounts[$0] > 0 }.map { words[$0] }.sorted()
    associations = WordAssociations(terms, count: numbers.count).byDescription
    addInitials(importance, words)
  }

  /// Returns a name without the differences between `issue_state` and `IssueState`.
  static func wholeName(_ name: Substring) -> String {
    name.lowercased().replacing("_", with: "")
  }

  // MARK: Terms

  /// The numbers of stems, and the stem of each word met.
  private struct StemNumbers {
    var numbers: [String: Term] = [:]
    private var known: [String: Term] = [:]

    mutating func term(of word: String) -> Term {
      if let term = known[word] { return term }
      let stem = WordStem.stem(of: word)
      let term = numbers[stem] ?? numbers.count
      numbers[stem] = term
      known[word] = term
      return term
    }
  }

  private static func terms(
    of item: ElementSearch.Item, in context: LanguageContext, _ stems: inout StemNumbers
  ) -> Terms {
    func terms(_ text: some StringProtocol, isProse: Bool = false) -> [Term] {
      SearchWords.words(of: String(text)).compactMap { word in
        let isEmpty = SearchWords.stopWords.contains(word) || SearchWords.weakWords.contains(word)
        return isProse && isEmpty ? nil : stems.term(of: word)
      }
    }
    var other = item.arguments.flatMap {
      terms(context.symbols[$0.symbol]) + terms($0.description ?? "", isProse: true)
    }
    var type: [Term] = []
    if !item.owner.isEmpty, let named = item.type, named.isComposite {
      type = terms(context.symbols[named.symbol])
    }
    other += type
    return Terms(
      name: terms(item.name), nameWords: SearchWords.words(of: String(item.name)),
      owner: terms(item.owner), other: other, type: type,
      description: terms(item.entry.description ?? "", isProse: true))
  }

  // MARK: Postings

  /// How a section of an element counts: by BM25F, where the frequencies of a term in all sections are
  /// added, and saturate together.
  private struct Section {
    let terms: KeyPath<Terms, [Term]> & Sendable
    let weight: Float
    /// How much a long section counts less, from 0 to 1.
    let lengthPenalty: Float

    static let all = [
      Section(terms: \.name, weight: 5, lengthPenalty: 0.5),
      Section(terms: \.owner, weight: 2.5, lengthPenalty: 0.6),
      Section(terms: \.other, weight: 0.5, lengthPenalty: 0.7),
      Section(terms: \.description, weight: 1, lengthPenalty: 0.5),
    ]
    /// The frequency at which half of the largest weight is reached.
    static let halfFrequency: Float = 3
  }

  private mutating func addPostings() {
    postings = Array(repeating: [], count: numbers.count)
    nameCounts = Array(repeating: 0, count: numbers.count)
    let average = Section.all.map { section in
      let counts = terms.map { $0[keyPath: section.terms].count }.filter { $0 > 0 }
      return Float(counts.reduce(0, +)) / Float(max(1, counts.count))
    }
    for (element, terms) in terms.enumerated() {
      var frequencies: [Term: Float] = [:]
      for (section, average) in zip(Section.all, average) {
        let found = terms[keyPath: section.terms]
        let length =
          1 - section.lengthPenalty + section.lengthPenalty * Float(found.count) / average
        for term in found { frequencies[term, default: 0] += section.weight / length }
      }
      for (term, frequency) in frequencies {
        let weight = frequency / (Section.halfFrequency + frequency)
        postings[term].append(Posting(element: element, weight: weight))
      }
      for term in Set(terms.name) { nameCounts[term] += 1 }
    }
  }

  private mutating func addInitials(_ importance: ElementImportance, _ words: [String]) {
    for (index, item) in items.enumerated() where item.owner.isEmpty {
      guard let type = item.type, (2...4).contains(terms[index].name.count) else { continue }
      let initials = String(terms[index].name.compactMap { words[$0].first })
      guard let uses = importance.uses[type.id], uses > self.initials[initials]?.uses ?? 0 else {
        continue
      }
      self.initials[initials] = (terms[index].name, uses)
    }
  }
}
