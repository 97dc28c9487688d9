import GraphQLLanguage

/// The depth of an operation's selection sets, including fragments. Its limit bounds the execution.
///
/// The document is valid: every fragment exists, and none spreads itself.
struct SelectionDepth {
  /// The maximum nesting depth of an operation's selection sets, counting inline fragments and
  /// fragment spreads.
  static let limit = 200

  private let fragments: [Symbol: FragmentDefinition]
  /// The memoized depths by fragment.
  private var cachedDepths: [Symbol: Int] = [:]

  init(fragments: [Symbol: FragmentDefinition]) { self.fragments = fragments }

  /// Returns the number of levels of a selection set that is nested in `above` others.
  ///
  /// - Throws: ``RequestFailure`` if there are more levels than the limit.
  mutating func measure(_ set: SelectionSet, above: Int = 0) throws -> Int {
    try check(above, at: set.span)
    var deepest = 0
    for selection in set.selections {
      switch selection {
      case .field(let field):
        try rejectIntrospection(field)
        guard let set = field.selectionSet else { continue }
        deepest = max(deepest, try measure(set, above: above + 1))
      case .inlineFragment(let fragment):
        deepest = max(deepest, try measure(fragment.selectionSet, above: above + 1))
      case .fragmentSpread(let spread):
        deepest = max(deepest, try measure(spread, above: above + 1))
      }
    }
    return deepest + 1
  }

  private mutating func measure(_ spread: FragmentSpread, above: Int) throws -> Int {
    if let depth = cachedDepths[spread.name.symbol] {
      try check(above + depth - 1, at: spread.span)
      return depth
    }
    guard let fragment = fragments[spread.name.symbol] else { return 0 }
    let depth = try measure(fragment.selectionSet, above: above)
    cachedDepths[spread.name.symbol] = depth
    return depth
  }

  private func check(_ above: Int, at span: Span) throws {
    guard above < Self.limit else {
      throw RequestFailure("The selections are nested more than \(Self.limit) deep.", at: span)
    }
  }

  private func rejectIntrospection(_ field: Field) throws {
    let name = field.name.symbol
    if name == .introspectionSchema || name == .introspectionType {
      throw RequestFailure("The schema server does not support introspection.", at: field.span)
    }
  }
}
