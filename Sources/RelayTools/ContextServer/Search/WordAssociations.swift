/// The words of a schema that stand for one another: a word of a description and a word of a name
/// that occur together more often than by chance.
struct WordAssociations {
  /// For each term of descriptions, the terms of names, best first.
  private(set) var byDescription: [ElementIndex.Term: [(term: ElementIndex.Term, weight: Float)]] =
    [:]

  /// The largest number of names for one term, and the number of elements that make a habit.
  private static let (limit, habit) = (8, 3)
  /// The largest numbers of terms of one element that count; their pairs take memory.
  private static let (nameLimit, descriptionLimit) = (16, 200)
  /// The smallest share of elements with either word that have both.
  private static let smallestShare: Float = 0.12

  /// Counts the words of elements. Elements with the same name and description count once, because
  /// the types that implement an interface repeat its fields.
  init(_ elements: [ElementIndex.Terms], count: Int) {
    var seen: Set<[ElementIndex.Term]> = []
    var names = Array(repeating: 0, count: count)
    var descriptions = names
    var pairs: [Int: Int] = [:]
    for terms in elements where !terms.description.isEmpty {
      guard seen.insert(terms.name + [-1] + terms.description).inserted else { continue }
      let name = Set((terms.name + terms.type).prefix(Self.nameLimit))
      let description = Set((terms.name + terms.description).prefix(Self.descriptionLimit))
      for term in name { names[term] += 1 }
      for term in description { descriptions[term] += 1 }
      for term in description {
        for other in name where other != term { pairs[term * count + other, default: 0] += 1 }
      }
    }
    for (pair, both) in pairs where both >= Self.habit {
      let (term, name) = pair.quotientAndRemainder(dividingBy: count)
      let share = Float(2 * both) / Float(descriptions[term] + names[name])
      if share >= Self.smallestShare { byDescription[term, default: []].append((name, share)) }
    }
    byDescription = byDescription.mapValues { found in
      Array(found.sorted { ($1.weight, $0.term) < ($0.weight, $1.term) }.prefix(Self.limit))
    }
  }
}
