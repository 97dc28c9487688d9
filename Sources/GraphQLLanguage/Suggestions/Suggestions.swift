/// Returns the names that `input` may be a misspelling of, the most likely first.
///
/// A candidate is returned if its edit distance from `input` is at most 40 % of the input's length,
/// plus one. Edits are insertions, deletions, substitutions and swaps of adjacent letters.
/// Candidates at equal distances are in natural order (``naturallyPrecedes(_:_:)``).
///
/// - Complexity: O(*n* × *m*) for each candidate of a similar length.
public func suggestions(for input: String, among candidates: some Sequence<String>) -> [String] {
  let measure = LexicalDistance(input)
  let threshold = measure.count * 2 / 5 + 1
  var found: [(name: String, distance: Int)] = []
  for candidate in candidates {
    guard let distance = measure.distance(to: candidate, limit: threshold) else { continue }
    found.append((candidate, distance))
  }
  return found.sorted { left, right in
    left.distance == right.distance
      ? naturallyPrecedes(left.name, right.name) : left.distance < right.distance
  }.map(\.name)
}

/// Returns `Did you mean "a", "b", or "c"?` with at most five suggestions, or `nil` if there are
/// none.
///
/// - Parameter subject: The kind of name suggested, such as `the enum value`.
public func didYouMean(_ suggestions: [String], subject: String? = nil) -> String? {
  let quoted = suggestions.prefix(5).map { "\"\($0)\"" }
  guard let last = quoted.last else { return nil }
  let subject = subject.map { $0 + " " } ?? ""
  let list: String
  switch quoted.count {
  case 1: list = last
  case 2: list = "\(quoted[0]) or \(last)"
  default: list = quoted.dropLast().joined(separator: ", ") + ", or " + last
  }
  return "Did you mean \(subject)\(list)?"
}
