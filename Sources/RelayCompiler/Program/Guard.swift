import GraphQLLanguage

/// When a selection is there: what its `@include` and `@skip` say together.
///
/// A conjunction of clauses, each of which holds when one of its literals does. Without clauses it
/// always holds; with an empty clause it never does.
package struct Guard: Hashable, Sendable {
  /// One `@include(if: $variable)`, or with `isNegated` one `@skip(if: $variable)`.
  package struct Literal: Hashable, Sendable, Comparable {
    package let variable: Symbol
    package let isNegated: Bool

    /// Holds once the part with a label has arrived; its variable is the label in quotes, which no
    /// variable is called.
    package static func deferred(_ label: String, in symbols: SymbolTable) -> Literal {
      Literal(variable: symbols.intern(ValueText.quoted(label)), isNegated: false)
    }

    package static func < (left: Literal, right: Literal) -> Bool {
      left.variable == right.variable
        ? !left.isNegated && right.isNegated : left.variable < right.variable
    }
  }

  /// Each sorted; in the order in which they were met.
  package private(set) var clauses: [[Literal]]

  package static let always = Guard(clauses: [])
  package static let never = Guard(clauses: [[]])

  private init(clauses: [[Literal]]) { self.clauses = clauses }

  package init(_ literal: Literal) { clauses = [[literal]] }

  package var isAlways: Bool { clauses.isEmpty }
  package var isNever: Bool { clauses.contains { $0.isEmpty } }

  /// Holds when both hold.
  package func and(_ other: Guard) -> Guard {
    if isAlways { return other }
    if other.isAlways { return self }
    return Guard.simplified(clauses + other.clauses)
  }

  /// Holds when one of them holds.
  package func or(_ other: Guard) -> Guard {
    if isAlways || other.isAlways { return .always }
    if self == other { return self }
    var result: [[Literal]] = []
    for clause in clauses {
      for otherClause in other.clauses {
        let union = Set(clause).union(otherClause)
        let isTautology = union.contains {
          union.contains(Literal(variable: $0.variable, isNegated: !$0.isNegated))
        }
        if !isTautology { result.append(union.sorted()) }
      }
    }
    return Guard.simplified(result)
  }

  /// What is left to check where `outer` is known to hold.
  package func without(_ outer: Guard) -> Guard {
    Guard(
      clauses: clauses.filter { clause in
        !outer.clauses.contains { Set($0).isSubset(of: clause) }
      })
  }

  /// What becomes of a literal when a variable gets a value.
  package enum Replacement {
    case holds
    case fails
    case literal(Literal)
  }

  /// The guard with other literals.
  package func replacing(_ replacement: (Literal) -> Replacement) -> Guard {
    var result: [[Literal]] = []
    for clause in clauses {
      var literals: Set<Literal> = []
      var holds = false
      for literal in clause {
        switch replacement(literal) {
        case .holds: holds = true
        case .fails: continue
        case .literal(let other): literals.insert(other)
        }
      }
      if !holds { result.append(literals.sorted()) }
    }
    return Guard.simplified(result)
  }

  /// Whether `other` holds whenever this does, as far as the clauses show.
  package func implies(_ other: Guard) -> Bool {
    other.clauses.allSatisfy { clause in
      clauses.contains { Set($0).isSubset(of: clause) }
    }
  }

  /// Without clauses that another one implies.
  private static func simplified(_ clauses: [[Literal]]) -> Guard {
    var kept: [[Literal]] = []
    for clause in clauses {
      let literals = Set(clause)
      if kept.contains(where: { literals.isSuperset(of: $0) }) { continue }
      kept.removeAll { Set($0).isSuperset(of: literals) }
      kept.append(clause)
    }
    return Guard(clauses: kept)
  }
}
