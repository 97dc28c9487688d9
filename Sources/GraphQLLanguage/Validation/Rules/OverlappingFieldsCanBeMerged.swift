extension Rules {
  /// Requires fields with the same response key to be mergeable.
  static let overlappingFieldsCanBeMerged: Rule = { context, visitors in
    let rule = "overlapping-fields-can-be-merged"
    var sets: [(SelectionSet, NamedType?, owner: Int?)] = []
    var owner: Int?
    visitors.operation.append { _ in owner = nil }
    visitors.fragment.append { owner = context.fragmentPosition($0.name.symbol) }
    visitors.selectionSet.append { selectionSet, parent in
      if selectionSet.mayOverlap { sets.append((selectionSet, parent, owner)) }
    }
    visitors.finish.append {
      var search = FieldConflictSearch(context: context)
      var conflicts: [FieldConflict] = []
      for (selectionSet, parent, owner) in sets where !search.exceedsLimit {
        conflicts += search.conflicts(within: selectionSet, on: parent, in: owner)
      }
      var limitSpan = search.limitSpan
      if search.exceedsLimit {
        var merged = MergedFieldsSearch(context: context)
        (conflicts, limitSpan) = (merged.conflicts(), merged.limitSpan)
      }
      // An inline fragment's selection set is compared both by itself and within the enclosing one,
      // so its conflicts are found twice.
      var reported: Set<[Span]> = []
      for conflict in conflicts where reported.insert(conflict.left + conflict.right).inserted {
        context.report(
          rule,
          "Fields \"\(context.text(conflict.key))\" conflict because \(conflict.reason). Use "
            + "different aliases on the fields to fetch both if this was intentional.",
          at: conflict.left + conflict.right)
      }
      guard let span = limitSpan else { return }
      context.report(
        rule, "The fields here overlap in too many ways to be checked.", at: span,
        help: "Spread fewer fragments that select the same fields, or nest them less deeply.")
    }
  }
}

extension SelectionSet {
  /// Whether two fields merged by this selection set can have the same response key. Most selection
  /// sets are too simple for that.
  fileprivate var mayOverlap: Bool {
    guard selections.count <= 24 else { return true }
    for (position, selection) in selections.enumerated() {
      guard case .field(let field) = selection else { return selections.count > 1 || !isSpread }
      let key = field.responseKey
      for other in selections[..<position] {
        if case .field(let field) = other, field.responseKey == key { return true }
      }
    }
    return false
  }

  private var isSpread: Bool {
    if case .fragmentSpread = selections.first { return true }
    return false
  }
}

/// Two fields with the same response key that cannot be merged.
struct FieldConflict {
  let key: Symbol
  let reason: String
  /// The first field, followed by the conflicting fields in its selection set.
  let left: [Span]
  /// The second field, followed by the conflicting fields in its selection set.
  let right: [Span]
}

/// A search for fields that cannot be merged. It compares fields in pairs.
///
/// Each pair of fragments, and each pair of a selection set and a fragment, is compared once.
/// Chains of fragments are followed without recursion; nested fields are followed recursively, up
/// to a depth limit. The search is fast for most documents and finds every pair of source
/// locations. When it takes many more comparisons than there are selections, ``MergedFieldsSearch``
/// replaces it.
struct FieldConflictSearch {
  /// The maximum nesting depth of compared fields. Only fragments can nest fields more deeply.
  static let depthLimit = 256

  private let schema: Schema
  private let comparison: FieldComparison
  /// Whether the fields being compared belong to different definitions, or to different spreads of
  /// one definition.
  private var areInDifferentDefinitions = false
  private var fields: CollectedFieldsCache
  private var comparedFragments = ComparedPairs()
  private var comparedSets = ComparedPairs()
  private var depth = 0
  private var comparisons = 0
  /// The maximum number of comparisons. Two fields, two fragments, and a selection set with a
  /// fragment each count as one.
  private let comparisonLimit: Int
  /// Whether the comparison limit was exceeded.
  private(set) var exceedsLimit = false
  /// The field at which the search reached the depth limit; `nil` if it did not.
  private(set) var limitSpan: Span?

  init(context: ValidationContext) {
    schema = context.schema
    comparison = FieldComparison(context: context)
    fields = CollectedFieldsCache(context: context)
    let spreads = (context.operations.map(\.spreads) + context.fragments.map(\.spreads))
      .reduce(0) { $0 + $1.count }
    comparisonLimit = 20_000 + 8 * (spreads + context.operations.count + context.fragments.count)
  }

  /// Returns the conflicts between the fields of a selection set, including those in its fragments.
  ///
  /// - Parameter owner: The index of the enclosing fragment; `nil` inside an operation.
  mutating func conflicts(
    within selectionSet: SelectionSet, on parent: NamedType?, in owner: Int?
  ) -> [FieldConflict] {
    var conflicts: [FieldConflict] = []
    let set = fields.fields(of: selectionSet, on: parent, in: owner)
    for group in set.groups where group.fields.count > 1 {
      for (position, field) in group.fields.enumerated() {
        for other in group.fields[(position + 1)...] {
          compare(field, other, key: group.key, areExclusive: false, into: &conflicts)
        }
      }
    }
    for (position, fragment) in set.fragments.enumerated() {
      compare(set, withFragment: fragment, areExclusive: false, into: &conflicts)
      for other in set.fragments[(position + 1)...] {
        compareFragments(fragment, other, areExclusive: false, into: &conflicts)
      }
    }
    return conflicts
  }

  /// Compares the fields of a selection set with the fields of a fragment and of the fragments it
  /// spreads.
  private mutating func compare(
    _ set: CollectedFields, withFragment fragment: Int, areExclusive: Bool,
    into conflicts: inout [FieldConflict]
  ) {
    if set.groups.isEmpty { return }
    let wereInDifferentDefinitions = areInDifferentDefinitions
    areInDifferentDefinitions = true
    defer { areInDifferentDefinitions = wereInDifferentDefinitions }
    var stack = [fragment]
    while let fragment = stack.popLast() {
      guard countComparison() else { return }
      guard comparedSets.insert(set.id, fragment, areExclusive: areExclusive) else { continue }
      let other = fields.fields(ofFragment: fragment)
      if set === other { continue }
      compare(set, other, areExclusive: areExclusive, into: &conflicts)
      stack.append(contentsOf: other.fragments.reversed())
    }
  }

  /// Compares the fields of two fragments and of the fragments that they spread.
  private mutating func compareFragments(
    _ left: Int, _ right: Int, areExclusive: Bool, into conflicts: inout [FieldConflict]
  ) {
    let wereInDifferentDefinitions = areInDifferentDefinitions
    areInDifferentDefinitions = true
    defer { areInDifferentDefinitions = wereInDifferentDefinitions }
    var stack = [(left, right)]
    while let (left, right) = stack.popLast() {
      if left == right { continue }
      guard countComparison() else { return }
      guard
        comparedFragments.insert(min(left, right), max(left, right), areExclusive: areExclusive)
      else { continue }
      let leftSet = fields.fields(ofFragment: left)
      let rightSet = fields.fields(ofFragment: right)
      compare(leftSet, rightSet, areExclusive: areExclusive, into: &conflicts)
      for fragment in leftSet.fragments.reversed() { stack.append((fragment, right)) }
      for fragment in rightSet.fragments.reversed() { stack.append((left, fragment)) }
    }
  }

  /// Counts a comparison.
  ///
  /// - Returns: Whether the comparison limit permits it.
  private mutating func countComparison() -> Bool {
    comparisons += 1
    if comparisons > comparisonLimit { exceedsLimit = true }
    return !exceedsLimit
  }

  /// Compares the fields with equal response keys in two selection sets, without their fragments.
  private mutating func compare(
    _ left: CollectedFields, _ right: CollectedFields, areExclusive: Bool,
    into conflicts: inout [FieldConflict]
  ) {
    for group in left.groups {
      guard let others = right.fields(of: group.key) else { continue }
      for field in group.fields {
        for other in others {
          compare(field, other, key: group.key, areExclusive: areExclusive, into: &conflicts)
        }
      }
    }
  }

  // Not inlined: inlining a recursive function would copy each level into the one above.
  @inline(never)
  private mutating func compare(
    _ left: CollectedField, _ right: CollectedField, key: Symbol, areExclusive: Bool,
    into conflicts: inout [FieldConflict]
  ) {
    guard countComparison() else { return }
    guard depth < Self.depthLimit else {
      limitSpan = limitSpan ?? left.field.span
      return
    }
    let areExclusive =
      areExclusive
      || (left.parent !== right.parent && left.parent?.kind == .object
        && right.parent?.kind == .object)
    if let reason = comparison.reason(
      left, right, areExclusive: areExclusive, areInDifferentDefinitions: areInDifferentDefinitions)
    {
      conflicts.append(
        FieldConflict(
          key: key, reason: reason, left: [left.field.span], right: [right.field.span]))
      return
    }
    guard let leftSet = left.field.selectionSet, let rightSet = right.field.selectionSet else {
      return
    }
    depth += 1
    defer { depth -= 1 }
    let inner = conflictsBetween(
      fields.fields(of: leftSet, below: left), fields.fields(of: rightSet, below: right),
      areExclusive: areExclusive)
    if !inner.isEmpty {
      conflicts.append(merge(inner, key: key, left: left.field, right: right.field))
    }
  }

  /// Compares the selection sets of two fields that are themselves mergeable.
  private mutating func conflictsBetween(
    _ left: CollectedFields, _ right: CollectedFields, areExclusive: Bool
  ) -> [FieldConflict] {
    var conflicts: [FieldConflict] = []
    compare(left, right, areExclusive: areExclusive, into: &conflicts)
    for fragment in right.fragments {
      compare(left, withFragment: fragment, areExclusive: areExclusive, into: &conflicts)
    }
    for fragment in left.fragments {
      compare(right, withFragment: fragment, areExclusive: areExclusive, into: &conflicts)
    }
    for fragment in left.fragments {
      for other in right.fragments {
        compareFragments(fragment, other, areExclusive: areExclusive, into: &conflicts)
      }
    }
    return conflicts
  }
}

extension FieldConflictSearch {
  /// The maximum number of reasons in one message.
  private static let reasonLimit = 8

  private func merge(
    _ inner: [FieldConflict], key: Symbol, left: Field, right: Field
  ) -> FieldConflict {
    var reasons = inner.prefix(Self.reasonLimit).map {
      "subfields \"\(schema.symbols[$0.key])\" conflict because \($0.reason)"
    }
    if inner.count > Self.reasonLimit { reasons.append("\(inner.count - reasons.count) more") }
    return FieldConflict(
      key: key, reason: reasons.joined(separator: " and "),
      left: [left.span] + inner.flatMap(\.left), right: [right.span] + inner.flatMap(\.right))
  }
}
